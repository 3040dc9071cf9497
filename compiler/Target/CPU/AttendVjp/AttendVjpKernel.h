//===- AttendVjpKernel.h - Shared code of a gradient kernel --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend_vjp` loops over blocks of keys. For each, it loops over the blocks of query rows that see some
// of its keys. A block of keys and a block of rows are multiplied in five products. These are the parts of the code:
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
// Scores are natural logarithms. They are multiplied by log2 e only after m is subtracted, so that large scores lose no
// digits. log l is subtracted after m, because next to a large m it would have no digits left. All operands are copied
// to scratch memory. So element types, strides, index maps and ragged sizes matter only to the code that loads them.
//
// A masked pair has P = -0 and dS = 0. So its products are zero, unless the other factor is infinite or NaN. Blocks
// with such factors use the *careful* products, which replace the factor by 0 where P is -0 or dS is 0. If a row is not
// finite, its m, log l or delta shows it. Linear attention has none of these, so the elements of its rows are tested.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H
#define XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H

#include "compiler/Target/CPU/Attend/DropoutMask.h"
#include "compiler/Target/CPU/Attend/GroupTiles.h"
#include "compiler/Target/CPU/AttendVjp/AttendVjpBuffers.h"
#include "compiler/Target/CPU/Operands/PrefetchRows.h"
#include "compiler/Target/CPU/Operands/SharedKernels.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// How the visible pairs of a register tile are found. None: all pairs are visible. Bounds: the pairs within the bounds
/// of the rows are visible. Stored: the pairs set in the masks that GroupTiles stored are visible.
enum class PairMask { None, Bounds, Stored };

/// Numbers in which the ops that share this code differ. The values are chosen at run time: those of the op whose
/// kernel called the code.
struct AttendVjpChoices {
  AttendVjpChoices(const SharedOps &shared, KernelBuilder &kb);

  const SharedOps &shared; ///< the op of the kernel is the first
  ChosenMap queries, keys; ///< index maps of the piece
  Value firstHead;
  bool mayAssign; ///< whether some op whose kernel calls this code assigns gradients instead of adding to them
  Value assigns;  ///< i1: whether the op of the current call assigns; null if all or none do

  PieceAttr pieceOf(size_t member) const { return shared.orderOf(member).getPiece(); }
};

/// The operands and results of the kernel, except q.
struct AttendVjpMatrices {
  AttendVjpMatrices(xft::AttendVjpOp op, KernelBuilder &kb);

  View k, v, dOut, lse, delta, dK, dV;
  SmallVector<View> dQ; ///< d_q of each slice; with xft::KeySlices, d_q of all slices and that of halos
};

/// What the op says about pairs of a query and a key: how a score region modifies their scores, the derivative of the
/// region, which pairs are visible, and which pairs dropout drops.
struct PairDerivatives {
  BlockScores score, derivative;
  TilePredicate predicate;
  DropoutMask dropout;
  SmallVector<CapturedTensor, 0> dCaptures;
};

/// A task of the kernel: the key blocks of slice `slice` for the heads of group `group`.
struct VjpTask {
  Value group, slice;
  Value rowsBegin, rowsEnd; ///< numbers of the rows of q whose d_q the slice owns
  Value haloBegin;          ///< number of the first row that is in the halo; null unless slices are consecutive
};

/// The block of keys that the task computes with.
struct VjpKeyBlock {
  std::optional<RankMap> map; ///< from ranks to keys of residue r
  Value first, count;         ///< ranks [first, first + count)
  Value padded;               ///< `count` rounded up to whole panels and groups
  Value indices;              ///< i64 [key]: positions of the keys, if hasIndices
  bool hasIndices;
  Value areFinite;   ///< whether the rows of all keys are finite (i1)
  PrefetchRows next; ///< the rows of the next block
};

/// The run-time values of a block of query rows while it is multiplied with a block of keys.
struct VjpRowBlock {
  Value before;                 ///< number of query rows with which the block of keys was multiplied before this block
  std::pair<Value, Value> seen; ///< columns of the block of keys outside of which no row sees a key
  Value areFinite;              ///< whether all rows are finite (i1)
  PrefetchRows next;            ///< the rows of the next block
};

/// The expansion of an `xft.attend_vjp`: its operands, its buffers in scratch, and the run-time values of the task that
/// is being built.
struct AttendVjpKernel : AttendBlock {
  AttendVjpKernel(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb);
  /// Sets `pairs` from the predicate, the score region and the dropout of the op. `order` is the order of keys.
  void readPairs(KeyOrder order);

  xft::AttendVjpOp op;
  AttendVjpChoices choices;
  AttendVjpMatrices matrices;
  AttendVjpBuffers buffers;
  PairDerivatives pairs;
  VjpTask task;
  VjpKeyBlock keyBlock;
  VjpRowBlock rowBlock;

  func::FuncOp kernel() const { return op->getParentOfType<func::FuncOp>(); }
  int64_t depth() const { return buffers.z.depth; }
  int64_t valueDepth() const { return buffers.z.valueDepth; }
  int64_t columns() const { return buffers.z.columns(); }
  int64_t valueColumns() const { return buffers.z.valueColumns(); }
  /// Returns whether the operands of products have 16 bits. Then scores and d_k are multiplied by scale instead of q.
  bool isNarrow() const { return product.operand != real; }
  /// Returns a pointer to element (row, column) of an operand of products that has `stride` elements per row.
  Value operandAt(Value buffer, Value row, int64_t stride, Value column) {
    return kb.at(product.operand, kb.at(product.operand, buffer, kb.mul(row, stride)), column);
  }

  /// Returns the position of the n-th key of the block of keys.
  Value keyAt(Value n) {
    return keyBlock.map->hasKnownWindows() ? keyBlock.map->at(kb, kb.add(keyBlock.first, n))
                                           : kb.load(kb.i64(), kb.at(kb.i64(), keyBlock.indices, n));
  }
};

//===--- AttendVjpOperands.cpp ---===//
/// Loads the block of keys to scratch: rows of K, and panels of K and V. Clears its gradients in scratch.
void loadKeys(AttendVjpKernel &k);
/// Clears the gradients d_k and d_v of the block of keys in scratch.
void clearKeyGradients(AttendVjpKernel &k);
/// Adds the gradients of the block of keys from scratch to d_k and d_v. If the op that calls the code assigns
/// gradients, the first of the query heads that share the keys assigns them instead.
void storeKeys(AttendVjpKernel &k);
/// Loads the block of query rows to scratch: q, times scale unless isNarrow(), d_o, and the values -m, -log2 l and
/// -delta of each row.
void loadRows(AttendVjpKernel &k);
/// Stores dQuery of the block of query rows, times scale, to d_q. Adds to the first `added` rows of the block, and
/// assigns the other rows.
void storeRows(AttendVjpKernel &k, Value added);
/// Assigns zeros to d_q of the rows of the block from row `first` on.
void clearRows(AttendVjpKernel &k, Value first);
/// Returns the d_q to which the task adds the contribution of its slice of the key blocks. Each slice has a d_q, which
/// is chosen at run time. But if slices are consecutive, returns the one d_q that all slices share; rows of halos are
/// stored elsewhere.
View gradientOfSlice(AttendVjpKernel &k);

//===--- AttendVjpPrefetch.cpp ---===//
/// Sets up the prefetch of the next block of query rows. `first` is the number of the first row of the present block,
/// and `end` is the end of the rows with which the block of keys is multiplied. The last block of rows is followed by
/// the first one of the next residue.
void buildNextRows(AttendVjpKernel &k, Value first, Value end);
/// Sets up the prefetch of the next block of keys of the task's slice. `end` is the number of key ranks of the residue.
/// The last block of keys is followed by the first one of the next residue.
void buildNextKeys(AttendVjpKernel &k, Value end);

//===--- AttendVjpScores.cpp ---===//
/// Computes P and dS of the block of query rows and the block of keys, and stores them to scratch. Masked pairs that a
/// product reads get P = -0 and dS = 0.
void buildProbabilities(AttendVjpKernel &k);

/// Masks the pairs of columns [first, end) and the tile.rows rows from `row` on: stores P = -0 and dS = 0. Stores whole
/// registers from column `first` on. If operands of products have 16 bits, also masks the 16-bit copies of P and dS.
void maskColumns(AttendVjpKernel &k, Value row, Value first, Value end);

/// Returns a pointer to the register at (row, column) of `buffer` (P or dS), a matrix [row][tile.keys].
Value pairSlot(AttendVjpKernel &k, Value buffer, Value row, Value column);
/// Returns the lanes (i1) that `row` sees of the register at `column` of the block of keys. `mask` tells whether the
/// bounds of the row or stored masks decide. Stored masks are valid until P overwrites them.
Value buildSeen(AttendVjpKernel &k, PairMask mask, Value row, Value column);

//===--- AttendVjpModify.cpp ---===//
/// Computes P of the tile at `row` and `column` through the score region, and stores it. `products` are the scores of
/// its pairs before the region. Also stores `products` to the buffer of dS, for buildModifiedGradients. `mask` tells
/// how the visible pairs are found.
void buildModifiedProbabilities(AttendVjpKernel &k, RegisterTile shape, ValueRange products, Value row, Value column,
                                PairMask mask);
/// Computes dS of the tile at `row` and `column` by the derivative of the score region, and stores it. `gradients` are
/// dP - delta of its pairs. Also adds what these pairs contribute to the gradients of captured tensors.
void buildModifiedGradients(AttendVjpKernel &k, RegisterTile shape, ValueRange gradients, Value row, Value column);

//===--- AttendVjpDropout.cpp ---===//
/// Stores the dropout mask of the group of rows that begins at `row` and columns [begin, end) to the buffer `kept`.
void buildKept(AttendVjpKernel &k, Value row, Value begin, Value end);
/// Applies the dropout mask to `products`, the elements of dO V^T of the tile at `row` and `column`. Then subtracts
/// delta of each row. The results are dP - delta.
void dropGradients(AttendVjpKernel &k, RegisterTile shape, SmallVectorImpl<Value> &products, Value row, Value column);
/// Applies the dropout mask to the stored P of the tile at `row` and `column`, for the product P^T dO. Must follow the
/// computation of dS, which needs P without dropout.
void dropProbabilities(AttendVjpKernel &k, RegisterTile shape, Value row, Value column);

//===--- AttendVjpRuns.cpp ---===//
/// Returns the columns of the block of keys that the group of rows that begins at `row` may see. With a predicate, all
/// of them lie within rowBlock.seen.
ColumnRange buildSeenRange(AttendVjpKernel &k, Value row);
/// Returns a pointer to the stored states of the tiles of the group of rows that begins at `row` (GroupTiles::Entry).
Value tileStatesOf(AttendVjpKernel &k, Value row);
/// Finds the groups of rows that see some key of the group of keys that begins at column `key`. Stores them to `runs`
/// (i64) as runs of rows, over which a product loops: the number of runs, followed by the begin and end of each.
void buildRowRuns(AttendVjpKernel &k, Value key, Value runs);
/// Finds the columns of `range` that the group of rows that begins at `row` sees, tile by tile. Stores them to `runs`
/// as runs of columns, in the layout of buildRowRuns.
void buildKeyRuns(AttendVjpKernel &k, Value row, const ColumnRange &range, Value runs);

//===--- AttendVjpProducts.cpp ---===//
/// Adds P^T dO to d_v and dS^T Q to d_k of the block of keys, in scratch.
void buildKeyGradients(AttendVjpKernel &k);
/// Computes dQuery = dS K of the block of query rows.
void buildQueryGradients(AttendVjpKernel &k);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTENDVJP_ATTENDVJPKERNEL_H
