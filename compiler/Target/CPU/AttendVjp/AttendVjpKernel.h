//===- AttendVjpKernel.h - Shared code of a gradient kernel --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend_vjp` loops over blocks of keys; for each, it loops over the blocks of query rows that see some
// of its keys. A block of keys and a block of rows are multiplied in five products:
//
//   operands   AttendVjpOperands.cpp   K, K^T and V^T of a block of keys; Q and dO of a block of rows; d_k and d_v at
//                                      the end of a block of keys, d_q after the products of a pair of blocks
//   scores     AttendVjpScores.cpp     P = exp(Q K^T - m - log l) and dS = P (dO V^T - delta), to buffers in L2
//              AttendVjpModify.cpp     the same through a score region, and the gradients of its captures
//              AttendVjpDropout.cpp    the dropout mask on dO V^T and, for dV, on P
//   products   AttendVjpProducts.cpp   dV += P^T dO, dK += dS^T Q, dQ = dS K
//              AttendVjpRuns.cpp       the rows and keys of tiles with pairs, where a predicate decides
//   prefetches AttendVjpPrefetch.cpp   the next rows and keys, see PrefetchRows.h
//
// Scores are natural logarithms, and multiplied by log2 e only as S - m, which is small wherever P is not, so that
// large scores lose no digits. log l is subtracted after m: next to a large m it would have no digits. All operands are
// copied to scratch, so that element types, strides, index maps and ragged sizes matter only where they are loaded.
//
// A masked pair has P = -0 and dS = 0, so its products are zero, unless the other factor is infinite or NaN. Blocks
// with such values use the *careful* products, which clear the other factor where P is -0 or dS is 0. Non-finite rows
// show in their m, log l and delta; linear attention has none of these, and its rows are tested.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H
#define XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H

#include "compiler/Target/CPU/Attend/DropoutMask.h"
#include "compiler/Target/CPU/Attend/GroupTiles.h"
#include "compiler/Target/CPU/Attend/PrefetchRows.h"
#include "compiler/Target/CPU/Operands/SharedKernels.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The mask of a register tile: none (all pairs belong to the pattern), the bounds of rows, or the masks that
/// GroupTiles stored.
enum class PairMask { None, Bounds, Stored };

/// The state of the code of an `xft.attend_vjp` while it is built.
struct AttendVjpKernel : AttendBlock {
  AttendVjpKernel(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb);

  xft::AttendVjpOp op;
  func::FuncOp kernel;
  const SharedOps &shared;       ///< the ops that share this kernel; `op` is the first
  int64_t residues;              ///< residues of the piece
  ChosenMap queries, chosenKeys; ///< index maps of the piece
  Value firstHead;
  bool mayAssign;                ///< some caller assigns gradients instead of adding
  Value assigns;                 ///< i1: this caller assigns; null if all or none do
  int64_t depth, valueDepth;     ///< D, Dv
  int64_t columns, valueColumns; ///< D, Dv rounded up to whole registers
  View k, v, dOut, lse, delta, dK, dV;
  SmallVector<View> dQ; ///< by slice

  //===--- buffers in scratch: xft::AttendVjpScratch ---===//
  Value rowBounds, groupBounds, keyRows;
  Value query, cotangent, shift, rest, negDelta, p, ds, dQuery;
  Value keyPanels, valuePanels, keys, dKeys, dValues, spill, keyOf, kept, tileStates, runs;
  bool hasKeyOf; ///< keyOf holds the keys of the block

  BlockScores score, derivative;
  DropoutMask dropout;
  TilePredicate predicate;
  SmallVector<CapturedTensor, 0> dCaptures;
  PrefetchRows nextRows, nextKeys;

  PieceAttr pieceOf(size_t member) const { return shared.orderOf(member).getPiece(); }

  //===--- the task ---===//
  Value group, slice;

  //===--- the block of keys ---===//
  std::optional<RankMap> keyMap; ///< at residue r
  Value firstKey, keyCount;      ///< ranks [firstKey, firstKey + keyCount)
  Value keyAt(Value n) {         ///< the n-th key
    return keyMap->hasKnownWindows() ? keyMap->at(kb, kb.add(firstKey, n))
                                     : kb.load(kb.i64(), kb.at(kb.i64(), keyOf, n));
  }
  Value paddedKeys; ///< keyCount rounded up to whole panels and groups
  Value keysFinite;

  //===--- the block of rows ---===//
  Value rowsFinite;
  std::pair<Value, Value> seen; ///< columns that some row may see, if there is a predicate
};

//===--- AttendVjpOperands.cpp ---===//
/// Loads the block of keys: K, panels of K and V, and zeros for their gradients.
void loadKeys(AttendVjpKernel &k);
/// Clears the gradients of the block of keys in scratch.
void clearKeyGradients(AttendVjpKernel &k);
/// Adds the gradients of the block of keys to d_k and d_v; assigns them for the first head that shares the keys, if the
/// kernel assigns.
void storeKeys(AttendVjpKernel &k);
/// Loads the block of rows: Q, dO, and -m, -log l and -delta.
void loadRows(AttendVjpKernel &k);
/// Adds dQuery of the block of rows to d_q; assigns it if `isFirst`, an i1 or null.
void storeRows(AttendVjpKernel &k, Value isFirst);
/// Assigns zeros to the rows of d_q of the block.
void clearRows(AttendVjpKernel &k);
/// Returns the buffer of d_q of the task's slice.
View gradientOfSlice(AttendVjpKernel &k);

//===--- AttendVjpPrefetch.cpp ---===//
/// Sets up the prefetch of the rows of the block after `block`; blocks before `end` are multiplied with the block of
/// keys.
void buildNextRows(AttendVjpKernel &k, Value block, Value end);
/// Sets up the prefetch of the next block of keys of the slice; the residue has `end` ranks of keys.
void buildNextKeys(AttendVjpKernel &k, Value end);

//===--- AttendVjpScores.cpp ---===//
/// Computes P and dS of all pairs of the two blocks, masked pairs too.
void buildProbabilities(AttendVjpKernel &k);

/// Stores P and dS of masked pairs for columns [first, end) of the group at `row`.
void maskColumns(AttendVjpKernel &k, Value row, Value first, Value end);

/// Returns a pointer to the register at (row, column) of a buffer [row][key].
Value pairSlot(AttendVjpKernel &k, Value buffer, Value row, Value column);
/// Returns the lanes (i1) of the register at `column` that `row` sees. Stored masks are valid until P overwrites them.
Value buildSeen(AttendVjpKernel &k, PairMask mask, Value row, Value column);

//===--- AttendVjpModify.cpp ---===//
/// Computes P of a tile of products q k, and stores the products to the buffer of dS.
void buildModifiedProbabilities(AttendVjpKernel &k, RegisterTile shape, ValueRange products, Value row, Value column,
                                PairMask mask);
/// Computes dS of a tile from dP, and adds to the gradients of captures.
void buildModifiedGradients(AttendVjpKernel &k, RegisterTile shape, ValueRange gradients, Value row, Value column);

//===--- AttendVjpDropout.cpp ---===//
/// Computes the dropout mask of the group at `row` and columns [begin, end).
void buildKept(AttendVjpKernel &k, Value row, Value begin, Value end);
/// Turns a tile of products dO V^T into dP - delta by the dropout mask.
void dropGradients(AttendVjpKernel &k, RegisterTile shape, SmallVectorImpl<Value> &products, Value row, Value column);
/// Applies the dropout mask to P of a tile, as it multiplied V, after dS is computed.
void dropProbabilities(AttendVjpKernel &k, RegisterTile shape, Value row, Value column);

//===--- AttendVjpRuns.cpp ---===//
/// Returns the columns that the group at `row` may see.
ColumnRange buildSeenRange(AttendVjpKernel &k, Value row);
/// Returns a pointer to the states of the tiles of the group at `row`.
Value tileStatesOf(AttendVjpKernel &k, Value row);
/// Store runs to `runs`, in whole groups and tiles: the rows that see some key of the group at `key`, or the keys of
/// `range` that the group at `row` sees. Layout, as i64: the number of runs, then the first and the end of each.
void buildRowRuns(AttendVjpKernel &k, Value key, Value runs);
void buildKeyRuns(AttendVjpKernel &k, Value row, const ColumnRange &range, Value runs);

//===--- AttendVjpProducts.cpp ---===//
/// Adds P^T dO and dS^T Q to the gradients of the block of keys.
void buildKeyGradients(AttendVjpKernel &k);
/// Computes dQuery = dS K of the block of rows.
void buildQueryGradients(AttendVjpKernel &k);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H
