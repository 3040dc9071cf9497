//===- AttendKernel.h - Shared code of an attention kernel ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` is a block of query rows. Its code is
//
//   rows, pieces         AttendPieces.cpp   rows of q; for each piece, the keys that each row sees (AttendBlock.h)
//   keys and values      AttendGather.cpp   packing, where a task has a residue of its own
//   prefetches           AttendPrefetch.cpp the rows of the next task, see PrefetchRows.h
//   softmax state        AttendSoftmax.cpp  m, l, o of every row: start, rescale, finish
//   for each piece, key block, group of rows:
//     scores             AttendScores.cpp   S = Q K^T - m on a register tile, P = 2^S to a buffer in L1
//                        DropoutMask.cpp    the dropout mask
//                        AttendModify.cpp   S = score(Q K^T, b, h, i, j) - m, for an op with a score region
//     values             AttendValues.cpp   o += P V
//     both, by tiles     AttendTiles.cpp    where a predicate decides which pairs of a tile are masked
//
// Three rules make the results of a row independent, bit for bit, of everything but the row itself: key blocks and
// tiles lie at absolute ranks, whatever rows share a task; a row is rescaled by its own scores only; a masked pair has
// P = -0. Adding -0 leaves a sum as it is, and the sign bit marks the values that must be kept out of the product (0
// times NaN is NaN).
//
// Scores are natural logarithms. They are multiplied by log2 e only after m is subtracted, so that large scores lose no
// digits.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H
#define XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H

#include "compiler/Target/CPU/Attend/AttendBuffers.h"
#include "compiler/Target/CPU/Attend/DropoutMask.h"
#include "compiler/Target/CPU/Attend/GroupTiles.h"
#include "compiler/Target/CPU/Operands/PrefetchRows.h"
#include "compiler/Target/CPU/Operands/SharedKernels.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The operands and bounds of a piece at run time: one entry of the table of pieces in scratch.
struct PieceValues {
  Value keys, values, valueStride; ///< key panels and value rows of the task's (b, h, r); elements between value rows
  Value begin, end;                ///< no row of the task sees ranks outside of [begin, end)
  Value rowBounds, groupBounds;    ///< see buildRowBounds, buildGroupBounds
  KeyMap map;
};

/// The index of a task: batch entry b, head h, residue r, and the index of a block of the residue's queries.
struct AttendTaskIndex {
  Value b, h, r, block;
};

/// The numbers in which the ops that share a kernel differ. They are chosen at run time.
struct AttendChoices {
  AttendChoices(const SharedOps &shared, KernelBuilder &kb);

  const SharedOps &shared; ///< the op of the kernel is the first
  ChosenMap queries;       ///< index map of all pieces
  Value firstHead;
};

/// The rules of the op for its pairs: which of them count, and with what weight.
struct PairRules {
  BlockScores score;
  TilePredicate predicate;
  DropoutMask dropout;
};

/// The expansion of an `xft.attend`: its operands, its buffers in scratch, and the run-time values of the task that is
/// being built.
struct AttendKernel : AttendBlock {
  AttendKernel(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb);
  /// Sets `pairs` from the predicate, the score region and the dropout of the op.
  void readPairs();

  xft::AttendOp op;
  AttendChoices choices;
  View o;
  AttendBuffers buffers;
  std::pair<Value, Value> seen; ///< no piece of the task sees ranks outside of [first, second)
  PairRules pairs;
  PrefetchRows prefetches; ///< rows of the next task

  func::FuncOp kernel() const { return op->getParentOfType<func::FuncOp>(); }
  int64_t depth() const { return buffers.z.depth; }
  int64_t valueDepth() const { return buffers.z.valueDepth; }
  int64_t valueColumns() const { return buffers.z.valueColumns(); }
  /// Returns D rounded up to a multiple of the terms that an instruction takes.
  int64_t paddedDepth() const { return llvm::alignTo(depth(), product.terms); }
  /// Returns whether the operands of products have 16 bits. Then P is rounded, and scores are multiplied by scale
  /// instead of the queries.
  bool roundsOperands() const { return product.operand != real; }
  /// Returns whether o is normalised by the sum of the rounded weights.
  bool roundsWeights() { return roundsOperands() && !op.getLinear(); }
  /// Returns whether the unrounded weights are summed, because a result or the saved softmax state needs their sum.
  bool sumsWeights() { return !roundsWeights() || op.getLse() || !op.getKept().empty() || op.getSave(); }
  /// Returns whether the product with V writes rows of the normalised o to memory. Then o stays in registers if one key
  /// block has all keys of a group of rows.
  bool writesOutput() {
    bool isWhole = op.getPieces().size() == 1 && !pairs.predicate && !op.getResume() && !op.getSave();
    return isWhole && !op.getLinear() && op.getKept().size() <= 2 && valueDepth() % lanes == 0;
  }
  /// Returns the sum l of the weights of a row, whose partial sums are at `sums`. Adds the unrounded weights if
  /// sumsWeights(), else the rounded ones.
  Value weightSum(KernelBuilder &kb, Value sums) {
    return kb.reduceAdd(sumsWeights() ? kb.load(vector(), sums) : kb.load(roundedSums(), roundedSumsAt(kb, sums)));
  }
  /// Returns the type of the partial sums of the rounded weights of a row. An instruction adds product.terms weights to
  /// each lane.
  VectorType roundedSums() { return kb.vector(real, lanes / product.terms); }
  /// Returns a pointer to the partial sums of the rounded weights of a row. `sums` points to the partial sums of its
  /// unrounded weights.
  Value roundedSumsAt(KernelBuilder &kb, Value sums) const { return kb.at(real, sums, lanes); }
  /// Returns a pointer to P of row `n` of a tile and column `column` of a key block.
  Value weightAt(Value n, Value column) {
    return kb.at(product.operand, kb.at(product.operand, buffers.p, kb.mul(n, tile.getKeys())), column);
  }

  /// Return `column` of a key block rounded down and up to whole instructions of P V. The additional columns are masked
  /// pairs. Their values are zeros or those of other keys.
  Value firstTerm(Value column) { return kb.mul(kb.floorDiv(column, product.terms), product.terms); }
  Value lastTerm(Value column) { return kb.mul(kb.ceilDiv(column, product.terms), product.terms); }

  /// Returns whether each task computes a whole residue, and packs the keys and values of the residue.
  bool gathersResidue() { return op.getGathered() && op.getResidues() > 1; }
  /// Returns the number of panels in the ring to which tasks pack keys. Returns 0 if they do not use a ring.
  int64_t ringPanels() { return op.getResidues() > 1 ? 0 : op.getGathered() / width(); }

  /// Returns whether tasks also pack values to a ring. They do if an instruction takes the rows of several keys.
  bool packsValues() { return ringPanels() && product.terms > 1; }
  /// Returns a pointer to the values of column `column` of a key block. A null `column` stands for the first one.
  Value valuesAt(const PieceValues &piece, Value keyBlock, Value column = {}) {
    Value first = packsValues() ? kb.rem(keyBlock, kb.integer(op.getGathered())) : keyBlock;
    Value rank = column ? kb.add(first, column) : first;
    return kb.at(product.packed, piece.values, kb.mul(rank, piece.valueStride));
  }

  /// Converts `x`, a difference of scores and so a natural logarithm, to an exponent of 2. Returns x log2 e.
  Value toLog2(Value x) { return kb.mulf(x, kb.real(x.getType(), M_LOG2E)); }
};

//===--- AttendGather.cpp ---===//
/// Return the rows of k or v at the batch entry, head and residue of `task`, for an op whose tasks gather their own
/// operands.
GatheredRows keysOf(AttendKernel &k, const AttendTaskIndex &task);
GatheredRows valuesOf(AttendKernel &k, const AttendTaskIndex &task);
/// Packs the keys (to panels) and values (to padded rows) of the task's residue to scratch, for an op whose tasks
/// gather their own operands.
void buildGathered(AttendKernel &k);
/// Empties the ring of panels if `isEmpty` (i1).
void buildRingStart(AttendKernel &k, Value isEmpty);
/// Packs panels of keys to the ring, except those that it already holds. If the ring has room for all keys that the
/// task sees, packs the panels of these keys, else only those of key block `keyBlock` of `piece`.
void buildRing(AttendKernel &k, const PieceValues &piece, Value keyBlock);

//===--- AttendPrefetch.cpp ---===//
/// Sets up the software prefetch of the rows of task `next`. If the ring of panels holds whole heads, also sets up that
/// of the keys and values of `nextHead`, the same block of the next head. The products of the current task issue the
/// prefetches. `blocks` is the number of blocks of a head.
void buildNextRows(AttendKernel &k, const AttendTaskIndex &next, const AttendTaskIndex &nextHead, Value blocks);

//===--- AttendPieces.cpp ---===//
/// Sets `rows` to block `block` of the query rows, and copies these rows of q to scratch: times scale, unless scores
/// are multiplied by scale (roundsOperands()). Builds `body` under the run-time condition that the block has rows.
void buildRows(AttendKernel &k, Value block, function_ref<void()> body);
/// Fills the table of pieces, and computes the bounds of rows and of groups of each piece.
void buildPieceTable(AttendKernel &k);
/// Loads entry `number` of the table of pieces.
PieceValues readPiece(AttendKernel &k, Value number);

//===--- AttendSoftmax.cpp ---===//
/// Initializes the softmax state of the rows. Sets m, l and o to 0, or to what an earlier kernel saved.
void buildStart(AttendKernel &k);
/// Builds the values of a register tile, the first of which are its scores.
using TileBuilder = function_ref<SmallVector<Value>()>;
/// Builds a tile of scores by `tile`, and returns its values, of types `types`. If scores lie too far from the running
/// maxima m, raises m of their rows, or sets it for rows that have none yet. Then rescales the state of these rows and
/// builds the tile again. To rescale a row is to multiply its l, its o, and the P that earlier tiles computed for
/// columns [firstColumn, column) of the key block.
SmallVector<Value> buildRescaled(AttendKernel &k, RegisterTile shape, TypeRange types, TileBuilder tile, Value row,
                                 Value firstColumn, Value column);
/// What decides whether the tile of scores in the buffer `spill` must be rescaled. Scores are compared lane by lane as
/// integers. `largest` is the largest signed integer, which tells the largest score above 0. `lowest` is the largest
/// unsigned integer of a visible pair, which tells the lowest score below 0. `seenByAll` (i1) is whether all rows are
/// known to see a key of the tile.
struct SpilledScores {
  Value largest, lowest, seenByAll;
};
/// Like buildRescaled, but for a tile of `registers` registers whose scores are in the buffer `spill`.
SmallVector<Value> buildSpilledRescaled(AttendKernel &k, int64_t registers, TypeRange types,
                                        function_ref<SmallVector<Value>(SpilledScores &)> tile, Value row,
                                        Value firstColumn, Value column);
/// Returns whether the guard of the group at `row` is open: some of its rows may have seen no key (i1).
Value buildIsOpen(AttendKernel &k, Value row);
/// Return pointers into the softmax state of row `index` of q that kernels hand over: to m (`which` is 0) or l (1), and
/// to the unnormalised o.
Value stateBuffer(AttendKernel &k, unsigned which, Value index);
Value accumulatorRow(AttendKernel &k, Value index);

//===--- AttendOutput.cpp ---===//
/// Stores the results of the rows that are not stored yet: o and lse, or the softmax state if a later kernel resumes
/// it.
void buildFinish(AttendKernel &k);

/// Whether a key block is the first, and whether it is the last, that a group of rows sees (i1). Null unless the
/// product with V writes o (AttendKernel::writesOutput).
struct GroupOutput {
  Value isFirst, isLast;
  explicit operator bool() const { return bool(isFirst); }
};
/// Returns whether key block `keyBlock` is the first or the last of the group at `row`. If it is the last, stores the
/// factors that normalise the rows of o.
GroupOutput buildGroupOutput(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock);
/// Multiplies a tile of o by the factors of the group at `row` and writes it to memory from column `column` of o on.
void buildOutput(AttendKernel &k, RegisterTile shape, ValueRange sums, Value row, Value column);

//===--- AttendScores.cpp ---===//
/// Computes the scores of a register tile at `column` of a key block, and applies the score region if there is one.
/// Returns the scores relative to the running maximum (S - m).
SmallVector<Value> buildTileScores(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row,
                                   Value keyBlock, Value column);
/// Returns a pointer to register (n, c) of the buffer `spill`.
Value spillSlot(AttendKernel &k, Value n, int64_t c);
/// Stores a tile to the buffer `spill`, or loads one.
void storeSpill(AttendKernel &k, RegisterTile shape, ValueRange tile);
SmallVector<Value> loadSpill(AttendKernel &k, RegisterTile shape);
/// Computes P of a register tile from the scores that `tile` builds. Stores P to the buffer `p`, and adds it to the row
/// sums. Where the running maximum of a row grows, rescales the state of the row, and its P in columns [firstColumn,
/// column) of the key block (see buildRescaled). `visible` has a mask (i1 lanes) for every register, or is empty if all
/// pairs are visible. Returns whether a score of -inf masks some pair (i1), or null for ops without a score region and
/// for linear attention.
Value buildProbabilities(AttendKernel &k, RegisterTile shape, TileBuilder tile, Value row, Value firstColumn,
                         Value column, SmallVector<Value> visible);
/// Computes and stores P of the group at `row` for the columns in `range` of a key block. Returns whether a score of
/// -inf masks some pair (i1); null for ops without a score region and for linear attention.
Value buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range);

//===--- AttendModify.cpp ---===//
/// Applies the score region to a tile of scores at `column` of a key block. Returns the modified scores relative to the
/// running maximum.
SmallVector<Value> buildModified(AttendKernel &k, const PieceValues &piece, RegisterTile shape, ValueRange scores,
                                 Value row, Value keyBlock, Value column);
/// Like buildModified, but modifies the scores of a tile in the buffer `spill`, in place.
void buildModifiedSpill(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row, Value keyBlock,
                        Value column);

//===--- AttendValues.cpp ---===//
/// Builds code that adds P V of columns [begin, end) of a key block to the accumulators `sums`. Returns the new
/// accumulators.
using ValueSums = function_ref<SmallVector<Value>(ValueRange sums, Value begin, Value end)>;
/// Builds the loops over the columns of a key block for a group of rows, and returns the new accumulators. `careful`
/// keeps the values of masked pairs out of the sums. The loops use it where a masked pair may have a value that is not
/// finite, and `whole` elsewhere.
using ValueLoop = function_ref<SmallVector<Value>(ValueRange sums, ValueSums careful, ValueSums whole)>;
/// Computes o += P V of the group at `row` and a key block. `loop` builds the loops over the columns of the block. If
/// some sum becomes NaN and `careful` is given, computes the sums again by `careful`.
void buildValues(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, ValueLoop loop,
                 ValueLoop careful = nullptr);
/// Returns whether the values of all keys in `columns` are finite (i1). `columns` is a list of intervals of columns of
/// a key block. If they are finite, a masked pair, with P = -0, changes no sum of P V.
Value buildHasFiniteValues(AttendKernel &k, const PieceValues &piece, Value keyBlock,
                           ArrayRef<std::pair<Value, Value>> columns);

//===--- AttendTiles.cpp ---===//
/// Computes P and o += P V of the group at `row` and a key block, tile by tile. A predicate decides which pairs of a
/// tile are visible. `hasFinite` is whether all values of the key block are finite (i1). If it is null, each tile tests
/// its own values.
void buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                Value hasFinite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H
