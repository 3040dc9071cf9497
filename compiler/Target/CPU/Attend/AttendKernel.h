//===- AttendKernel.h - Shared code of an attention kernel ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend` computes a block of query rows. These are the parts of its code:
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
// The results of a row are the same, bit for bit, whatever rows share its task. Three rules see to that. Key blocks and
// tiles lie at absolute ranks. A row is rescaled by its own scores only. A masked pair has P = -0: adding -0 leaves a
// sum as it is, and the sign bit marks the values that must be kept out of the product (0 times NaN is NaN).
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

/// Numbers in which the ops that share this code differ. The values are chosen at run time: those of the op whose
/// kernel called the code.
struct AttendChoices {
  AttendChoices(const SharedOps &shared, KernelBuilder &kb);

  const SharedOps &shared; ///< the op of the kernel is the first
  ChosenMap queries;       ///< index map of all pieces
  Value firstHead;
};

/// What the op says about pairs of a query and a key: how a score region modifies their scores, which pairs are
/// visible, and which pairs dropout drops.
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
  /// Returns D rounded up to a multiple of the number of terms that an instruction takes.
  int64_t paddedDepth() const { return llvm::alignTo(depth(), product.terms); }
  /// Returns whether the operands of products have 16 bits. Then P is rounded, and scale multiplies scores instead of
  /// queries.
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
  /// Returns l of a row: the sum of its partial sums at `sums`. If sumsWeights(), this is the sum of the unrounded
  /// weights, else the sum of the rounded ones.
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

  /// Round `column` of a key block down or up to a multiple of the number of terms that an instruction of P V takes.
  /// The pairs of the additional columns are masked. In these columns, the values are zeros or belong to other keys.
  Value firstTerm(Value column) { return kb.mul(kb.floorDiv(column, product.terms), product.terms); }
  Value lastTerm(Value column) { return kb.mul(kb.ceilDiv(column, product.terms), product.terms); }

  /// Returns whether each task computes a whole residue, and packs the keys and values of the residue.
  bool gathersResidue() { return op.getGathered() && op.getResidues() > 1; }
  /// Returns the number of panels in the ring to which tasks pack keys. Returns 0 if they do not use a ring.
  int64_t ringPanels() { return op.getResidues() > 1 ? 0 : op.getGathered() / width(); }

  /// Returns whether tasks also pack values to a ring. They do if an instruction takes the values of several keys.
  bool packsValues() { return ringPanels() && product.terms > 1; }
  /// Returns a pointer to the values of column `column` of a key block. A null `column` stands for the first one.
  Value valuesAt(const PieceValues &piece, Value keyBlock, Value column = {}) {
    Value first = packsValues() ? kb.rem(keyBlock, kb.integer(op.getGathered())) : keyBlock;
    Value rank = column ? kb.add(first, column) : first;
    return kb.at(product.packed, piece.values, kb.mul(rank, piece.valueStride));
  }

  /// Returns `x` log2 e. `x` is a difference of scores, and so a natural logarithm; the result is an exponent of 2.
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
/// Builds code that marks the ring of panels as empty if `isEmpty` (i1) is true.
void buildRingStart(AttendKernel &k, Value isEmpty);
/// Packs panels of keys to the ring, except panels that it already holds. If the ring has room for all keys that the
/// task sees, packs all of their panels. Otherwise packs only the panels of `piece` in the key block at rank
/// `keyBlock`.
void buildRing(AttendKernel &k, const PieceValues &piece, Value keyBlock);

//===--- AttendPrefetch.cpp ---===//
/// Sets up the software prefetch for the task `next`: its rows of q and o, and the keys and values that it packs. If
/// the ring of panels holds a whole head, prefetches a part of the keys and values of the next head instead; `nextHead`
/// is the task for the next head and the same block number as the current task. `blocks` is the number of blocks of a
/// head. The products of the current task issue the prefetches.
void buildNextRows(AttendKernel &k, const AttendTaskIndex &next, const AttendTaskIndex &nextHead, Value blocks);

//===--- AttendPieces.cpp ---===//
/// Sets k.rows to the rows of block `block` of the queries. Copies these rows of q to scratch, times scale unless
/// roundsOperands(). Builds `body` under the run-time condition that the block has rows.
void buildRows(AttendKernel &k, Value block, function_ref<void()> body);
/// Fills the table of pieces. Computes the bounds of rows and of groups of rows for each piece.
void buildPieceTable(AttendKernel &k);
/// Loads entry `number` of the table of pieces.
PieceValues readPiece(AttendKernel &k, Value number);

//===--- AttendSoftmax.cpp ---===//
/// Initializes the softmax state of the rows. Sets m, l and o to 0, or to what an earlier kernel saved.
void buildStart(AttendKernel &k);
/// Builds a register tile and returns its values. The scores of the tile come first.
using TileBuilder = function_ref<SmallVector<Value>()>;
/// Calls `tile` to build a register tile. Returns the tile's values, which have types `types`. If a score is too far
/// from the running maximum m of its row, moves m, rescales the row, and computes the tile again. Rescaling multiplies
/// l and o of the row, and its P in columns [firstColumn, column) of the key block, which earlier tiles computed. `row`
/// is the first row of the tile, `column` its first column.
SmallVector<Value> buildRescaled(AttendKernel &k, RegisterTile shape, TypeRange types, TileBuilder tile, Value row,
                                 Value firstColumn, Value column);
/// What decides whether the tile of scores in the buffer `spill` must be rescaled. The bits of each score are read as
/// an integer, and maxima of these integers are taken lane by lane. `largest` is the maximum as signed integers: if it
/// is positive, it is the largest score. `lowest` is the maximum over visible pairs as unsigned integers: if some score
/// is negative, it is the lowest score. `seenByAll` (i1) is whether all rows are known to see a key of the tile.
struct SpilledScores {
  Value largest, lowest, seenByAll;
};
/// Like buildRescaled, but for a tile of `registers` registers whose scores are in the buffer `spill`. `tile` stores
/// the scores to `spill`, and fills in its argument SpilledScores, which decides whether to rescale.
SmallVector<Value> buildSpilledRescaled(AttendKernel &k, int64_t registers, TypeRange types,
                                        function_ref<SmallVector<Value>(SpilledScores &)> tile, Value row,
                                        Value firstColumn, Value column);
/// Returns whether the guard of the group of rows that begins at `row` is open (i1). If so, some row of the group may
/// not have seen a key.
Value buildIsOpen(AttendKernel &k, Value row);
/// Return pointers to the softmax state of row `index` of q, which one kernel saves and another resumes. stateBuffer
/// points to m (`which` is 0) or l (`which` is 1), and accumulatorRow to the unnormalised o.
Value stateBuffer(AttendKernel &k, unsigned which, Value index);
Value accumulatorRow(AttendKernel &k, Value index);

//===--- AttendOutput.cpp ---===//
/// Stores the results of the block that are not in memory yet. These are o, lse and what a gradient needs of the
/// softmax, or the softmax state if a later kernel resumes it.
void buildFinish(AttendKernel &k);

/// Whether a key block is the first, and whether it is the last, that a group of rows sees (i1). Null unless the
/// product with V writes o (AttendKernel::writesOutput).
struct GroupOutput {
  Value isFirst, isLast;
  explicit operator bool() const { return bool(isFirst); }
};
/// Returns whether the key block at rank `keyBlock` is the first or the last that the group of rows that begins at
/// `row` sees. If it is the last, stores the factors that normalise the group's rows of o to the buffer `factor`.
GroupOutput buildGroupOutput(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock);
/// Writes a register tile of o to memory. `sums` are the unnormalised elements of the tile. Each row of them is
/// multiplied by its factor in the buffer `factor`. The tile begins at row `row` of the block and at column `column` of
/// o.
void buildOutput(AttendKernel &k, RegisterTile shape, ValueRange sums, Value row, Value column);

//===--- AttendScores.cpp ---===//
/// Computes the scores of the register tile at `row` and at `column` of a key block, and applies the score region if
/// there is one. Returns the scores relative to the running maximum (S - m).
SmallVector<Value> buildTileScores(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row,
                                   Value keyBlock, Value column);
/// Returns a pointer to the place in the buffer `spill` of register `c` of row `n` of a tile.
Value spillSlot(AttendKernel &k, Value n, int64_t c);
/// Store a tile to the buffer `spill`, and load a tile from it.
void storeSpill(AttendKernel &k, RegisterTile shape, ValueRange tile);
SmallVector<Value> loadSpill(AttendKernel &k, RegisterTile shape);
/// Computes P of a register tile from the scores that `tile` builds. Stores P to the buffer `p`, and adds it to the row
/// sums. Rescales rows if their scores demand it (see buildRescaled). `visible` has a mask (i1 lanes) for every
/// register, or is empty if all pairs are visible. Returns whether a score of -inf masks some pair (i1), or null for
/// ops without a score region and for linear attention.
Value buildProbabilities(AttendKernel &k, RegisterTile shape, TileBuilder tile, Value row, Value firstColumn,
                         Value column, SmallVector<Value> visible);
/// Computes and stores P of the group of rows that begins at `row`, for the columns `range` of the key block at rank
/// `keyBlock`. Returns whether a score of -inf masks some pair (i1), or null for ops without a score region and for
/// linear attention.
Value buildScores(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range);

//===--- AttendModify.cpp ---===//
/// Applies the score region to `scores`, the tile at `row` and at `column` of a key block. Returns the modified scores
/// relative to the running maximum.
SmallVector<Value> buildModified(AttendKernel &k, const PieceValues &piece, RegisterTile shape, ValueRange scores,
                                 Value row, Value keyBlock, Value column);
/// Like buildModified, but the tile of scores is in the buffer `spill`, and is modified there.
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
/// Computes o += P V for the group of rows that begins at `row` and the keys of a key block. `loop` builds the loops
/// over the columns of the block. If some sum becomes NaN and `careful` is given, computes the sums again by `careful`.
void buildValues(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, ValueLoop loop,
                 ValueLoop careful = nullptr);
/// Returns whether the values of all keys in `columns` are finite (i1). `columns` is a list of intervals of columns of
/// a key block. If the values are finite, masked pairs (P = -0) change no sum of P V.
Value buildHasFiniteValues(AttendKernel &k, const PieceValues &piece, Value keyBlock,
                           ArrayRef<std::pair<Value, Value>> columns);

//===--- AttendTiles.cpp ---===//
/// Computes P and o += P V for the group of rows that begins at `row` and the columns `range` of a key block, tile by
/// tile. A predicate decides which pairs of a tile are visible. `hasFinite` is whether all values of the key block are
/// finite (i1). If `hasFinite` is null, each tile tests its own values.
void buildTiles(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, const ColumnRange &range,
                Value hasFinite);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_ATTENDKERNEL_H
