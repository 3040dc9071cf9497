//===- AttendVjpKernel.h - What the code of one gradient kernel shares -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend_vjp` walks blocks of keys; for each, the blocks of query rows that see some of its keys pass
// by. A block of keys and a block of rows meet in five products:
//
//   operands   AttendVjpOperands.cpp   K, K^T and V^T of a block of keys; Q and dO of a block of rows; d_k and d_v at
//                                      the end of a block of keys, d_q at the end of a meeting
//   scores     AttendVjpScores.cpp     P = exp(Q K^T - m - log l) and dS = P (dO V^T - delta), to buffers in L2
//              AttendVjpModify.cpp     the same through a score region, and the gradients of what it captures
//              AttendVjpDropout.cpp    what dropout makes of dO V^T and, for dV, of P
//   products   AttendVjpProducts.cpp   dV += P^T dO, dK += dS^T Q, dQ = dS K
//              AttendVjpRuns.cpp       which rows and keys they go through, where a predicate decides
//   prefetches AttendVjpPrefetch.cpp   the next rows and keys, see PrefetchRows.h
//
// Scores are natural logarithms: S - m is small where P is not, and is scaled by log2 e only then, so that large
// scores lose nothing; log l comes in then, since beside a large m it has no digits. All operands go through scratch,
// so that element types, strides, index maps and ragged sizes end where they are loaded.
//
// A pair that is masked has P = -0 and dS = 0. That multiplies what it must not see by zero, which is the same as not
// seeing it unless that is infinite or NaN; blocks that hold such values take products which ask whether P is -0 or
// dS is 0 (the *careful* ones). Whether a row is finite shows in its m, log l and delta; linear ones have none of them.
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

/// Which pairs of a register tile the pattern has: all, those within the bounds of rows, or those whose masks
/// GroupTiles stored.
enum class PairMask { None, Bounds, Stored };

struct AttendVjpKernel : AttendBlock {
  AttendVjpKernel(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb);

  xft::AttendVjpOp op;
  func::FuncOp kernel;
  const SharedOps &shared;       ///< of which `op` is the first
  int64_t residues;              ///< of each piece
  ChosenMap queries, chosenKeys; ///< index maps of the piece
  Value firstHead;
  bool mayAssign;                ///< some call assigns gradients
  Value assigns;                 ///< i1: this one does; null where all do, or none
  int64_t depth, valueDepth;     ///< D, Dv
  int64_t columns, valueColumns; ///< the same in whole registers
  View k, v, dOut, lse, delta, dK, dV;
  SmallVector<View> dQ; ///< by slice

  //===--- buffers in scratch: xft::AttendVjpScratch ---===//
  Value rowBounds, groupBounds, keyRows;
  Value query, cotangent, shift, rest, negDelta, p, ds, dQuery;
  Value keyPanels, valuePanels, keys, dKeys, dValues, spill, keyOf, kept, tileStates, runs;
  bool hasKeyOf; ///< whether keyOf has the keys of a block

  BlockScores score, derivative;
  DropoutMask dropout;
  TilePredicate predicate;
  SmallVector<CapturedTensor, 0> dCaptures;
  PrefetchRows nextRows, nextKeys;

  PieceAttr pieceOf(size_t member) const { return shared.get<PieceAttr>(member, "piece"); }

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
  std::pair<Value, Value> seen; ///< columns that some row may see, where a predicate decides
};

//===--- AttendVjpOperands.cpp ---===//
void loadKeys(AttendVjpKernel &k);
void clearKeyGradients(AttendVjpKernel &k);
/// Adds what the block's rows gave to d_k and d_v; of the first head that has them, assigns it where the kernel does.
void storeKeys(AttendVjpKernel &k);
void loadRows(AttendVjpKernel &k);
/// Adds the block's dQuery to d_q; assigns it where `isFirst`, an i1 or null.
void storeRows(AttendVjpKernel &k, Value isFirst);
/// Assigns zeros to the block's rows of d_q.
void clearRows(AttendVjpKernel &k);
/// The buffer of d_q of the task's slice.
View gradientOfSlice(AttendVjpKernel &k);

//===--- AttendVjpPrefetch.cpp ---===//
/// Where the rows of the block behind `block` lie, of those before `end` that meet the block of keys.
void buildNextRows(AttendVjpKernel &k, Value block, Value end);
/// Where the keys of the slice's next block lie, of `end` of the residue.
void buildNextKeys(AttendVjpKernel &k, Value end);

//===--- AttendVjpScores.cpp ---===//
/// P and dS of all rows and keys; masked pairs too.
void buildProbabilities(AttendVjpKernel &k);

/// Columns [first, end) of the group at `row` are masked for all its rows.
void maskColumns(AttendVjpKernel &k, Value row, Value first, Value end);

/// Pointer to the register of (row, column) of a buffer [row][key].
Value pairSlot(AttendVjpKernel &k, Value buffer, Value row, Value column);
/// Lanes of the register at `column` that `row` sees; stored masks are there until P overwrites them.
Value buildSeen(AttendVjpKernel &k, PairMask mask, Value row, Value column);

//===--- AttendVjpModify.cpp ---===//
/// P of a tile of products, which stay in the buffer of dS.
void buildModifiedProbabilities(AttendVjpKernel &k, RegisterTile shape, ValueRange products, Value row, Value column,
                                PairMask mask);
/// dS of a tile of dP, and what it adds to the gradients of captures.
void buildModifiedGradients(AttendVjpKernel &k, RegisterTile shape, ValueRange gradients, Value row, Value column);

//===--- AttendVjpDropout.cpp ---===//
/// Draws which pairs stay of the group at `row` and columns [begin, end).
void buildKept(AttendVjpKernel &k, Value row, Value begin, Value end);
/// Makes dP of a tile of products dO V^T.
void dropGradients(AttendVjpKernel &k, RegisterTile shape, SmallVectorImpl<Value> &products, Value row, Value column);
/// Makes P of a tile what multiplied V, once dS is done.
void dropProbabilities(AttendVjpKernel &k, RegisterTile shape, Value row, Value column);

//===--- AttendVjpRuns.cpp ---===//
/// The columns that the group at `row` may see.
ColumnRange buildSeenRange(AttendVjpKernel &k, Value row);
/// Pointer to the states of the tiles of the group at `row`.
Value tileStatesOf(AttendVjpKernel &k, Value row);
/// The rows that see some key of the group at `key`, and the keys of `range` that the group at `row` sees, in whole
/// groups and tiles: the number of runs, then the first and the end of each, as i64.
void buildRowRuns(AttendVjpKernel &k, Value key, Value runs);
void buildKeyRuns(AttendVjpKernel &k, Value row, const ColumnRange &range, Value runs);

//===--- AttendVjpProducts.cpp ---===//
void buildKeyGradients(AttendVjpKernel &k);
void buildQueryGradients(AttendVjpKernel &k);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H
