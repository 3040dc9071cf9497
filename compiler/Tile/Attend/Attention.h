//===- Attention.h - Shared code of attention tilings -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTION_H
#define XF_COMPILER_TILE_ATTEND_ATTENTION_H

#include "compiler/Tile/Host/HostBuilder.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf {

/// The heads of a solution: first, first + step, .. have this pattern solution.
struct HeadsOfSolution {
  int64_t first, step;
  SolutionAttr solution;
};
/// Returns the solutions of an attention or its gradient with their heads: one for all heads if they are equal, else
/// one per solution; none if the op has no solution.
SmallVector<HeadsOfSolution> headsOfSolutions(Operation *op);

/// A query order: pieces that walk the queries in one order and share a kernel. No pieces: rows that see no key. With
/// `tiles`, the piece has all pairs, and kernels evaluate the predicate.
struct QueryOrder {
  IndexMapAttr queries;
  int64_t residues = 1;
  SmallVector<PieceAttr> pieces;
  TilesAttr tiles = {};
};

/// Returns the query orders of a solution in the order of execution. The first and the last one visit every row: the
/// first initialises the state of all rows, the last one normalises all. Orders with rows that lie apart come first,
/// because there writing a state is cheaper than resuming one.
SmallVector<QueryOrder> queryOrders(SolutionAttr solution);

/// True if the residues of a map together contain every position.
bool coversAll(IndexMapAttr map);

/// Returns the piece of all pairs.
PieceAttr everyPair(MLIRContext *context);

/// Returns the largest number of ranks of a residue of `map` among `count` consecutive positions.
Size rankCount(HostBuilder &host, IndexMapAttr map, Size count);

/// Checks the preconditions of kernels: static head sizes above 0, types that the target supports, a solution, no
/// parameters. Fails after an error.
LogicalResult requireTileable(AttentionOp op, const TileModel &model);
LogicalResult requireTileable(AttentionVjpOp op, const TileModel &model);

/// Returns the factor of scores: `given`, else depth^-1/2.
double attentionScale(std::optional<APFloat> given, int64_t depth);

/// True if scores need no per-pair work: no score region, relative weights, dropout or linear (unnormalised) weights.
template <typename OpTy>
bool hasPlainScores(OpTy op) {
  return op.getScore().empty() && !op.getRelative() && !op.getDropout() && !op->hasAttr(kLinearAttrName);
}

/// True if weights are not normalised by a softmax: o = sum w v.
bool isLinear(Operation *op);
/// Builds the score region of a linear op: w = s, or w = s e^t[h, j - i + Nk - 1] with the one capture t.
/// `withDerivatives`: also yields the derivatives, as the region of a gradient does.
void buildWeights(Region &region, Location loc, Type real, ValueRange captures, bool withDerivatives);

/// The operands of one launch of an attention kernel, in the order of the kernel's operands.
class AttendOperands {
public:
  explicit AttendOperands(HostBuilder &host) : host(host) {}

  /// Appends an operand and returns its number.
  unsigned add(const Buffer &buffer, MemRefType type);
  unsigned add(const Buffer &buffer, int64_t staticSizes);
  unsigned add(Size size);
  /// Appends the operand of a clause. Strides are dynamic, except for an inner stride of 1; a static size of 1 means
  /// that one element serves the whole dimension.
  unsigned addClause(Value tensor);
  SmallVector<unsigned> addClauses(ValueRange tensors);

  /// Looks up or builds the kernel and appends the launch.
  void launch(StringRef family, Size tiles, HostBuilder::KernelBody body);

private:
  HostBuilder &host;
  SmallVector<Value> values;
  SmallVector<Type> types;
};

/// Copies a score region into a kernel. Captured tensors get dynamic sizes, so that one kernel serves all sizes.
void copyScore(Region &score, Region &kernel);

/// Returns the kernel's arguments with these numbers.
SmallVector<Value> pick(ArrayRef<BlockArgument> operands, ArrayRef<unsigned> numbers);

/// The numbers of operands, by the group of the op that they belong to (xft.attend's clauses, ..).
using GroupNumbers = SmallVector<SmallVector<unsigned, 2>>;

/// The kernel's arguments with these numbers, for the builder of an op with groups of operands.
class PickedGroups {
public:
  PickedGroups(ArrayRef<BlockArgument> operands, const GroupNumbers &numbers);
  operator ArrayRef<ValueRange>() const { return ranges; }

private:
  SmallVector<SmallVector<Value>> values;
  SmallVector<ValueRange> ranges;
};

/// Packs the keys and values of one attention for its kernels, once for each index map.
class PackedOperands {
public:
  PackedOperands(HostBuilder &host, Type real, xft::AttendTileAttr tile) : host(host), real(real), tile(tile) {}

  /// Packs x [B, H, N, D] into panels [B, H, R, P, D W] (R residues, P panels of W keys), adds them to `operands`, and
  /// appends their number to `numbers`.
  void addKeys(AttendOperands &operands, const Buffer &x, IndexMapAttr map, SmallVectorImpl<unsigned> &numbers);
  /// Adds x itself if kernels can read its rows in place, else x packed as [B, H, R, C, D'] (C ranks, D' = D rounded up
  /// to whole registers), and appends the operand's number to `numbers`.
  void addRows(AttendOperands &operands, const Buffer &x, IndexMapAttr map, SmallVectorImpl<unsigned> &numbers);

private:
  Buffer gather(const Buffer &x, IndexMapAttr map, bool transposed);

  struct Packed {
    Buffer from;
    IndexMapAttr map;
    bool transposed;
    Buffer to;
  };
  HostBuilder &host;
  Type real;
  xft::AttendTileAttr tile;
  SmallVector<Packed, 0> packed;
};

/// Tabulates the data of predicates for the kernels of one attention, once for each datum (PredicateData.cpp).
class PredicateData {
public:
  template <typename OpTy>
  PredicateData(OpTy op, HostBuilder &host, xft::AttendTileAttr tile)
      : host(host), tile(tile), segmentsQ(op.getSegmentsQ()), segmentsK(op.getSegmentsK()),
        offsets(op.getTableOffsets()), columns(op.getTableColumns()), q(host.buffer(op.getQ())),
        k(host.buffer(op.getK())) {}

  /// Adds two operands for each datum of `tiles` and returns their numbers; returns none if `tiles` is null.
  SmallVector<unsigned> add(AttendOperands &operands, TilesAttr tiles);

private:
  struct Tabulated {
    DatumAttr datum;
    Buffer values, ranges;
  };
  const Tabulated &tabulate(TilesAttr tiles, unsigned number);
  Buffer sourceOf(DatumAttr datum);
  Buffer sortedColumns();

  HostBuilder &host;
  xft::AttendTileAttr tile;
  Value segmentsQ, segmentsK, offsets, columns; ///< clauses, or null
  Buffer q, k;
  std::vector<Tabulated> tabulated;
  std::optional<Buffer> sorted;
};

/// Adds the operands of the clauses of xft.attend and its gradients, for an attention with these captured tensors;
/// `data`: the data of the predicate of `tiles`, if there are tiles.
template <typename OpTy>
GroupNumbers addAttendClauses(AttendOperands &operands, OpTy op, ValueRange captures, PredicateData &data,
                              TilesAttr tiles) {
  GroupNumbers numbers;
  auto optional = [&](Value clause) {
    clause ? numbers.push_back({operands.addClause(clause)}) : numbers.push_back({});
  };
  auto append = [&](ArrayRef<unsigned> list) { numbers.emplace_back(list.begin(), list.end()); };
  optional(op.getLengths());
  optional(op.getQueryLengths());
  append(operands.addClauses(op.getSymbols()));
  append(data.add(operands, tiles));
  append(operands.addClauses(captures));
  optional(op.getDropout() ? op.getSeed() : Value());
  return numbers;
}

/// Returns the weights of an attention, or of its gradient.
template <typename OpTy>
xft::WeightsAttr attendWeights(OpTy op, double scale) {
  MLIRContext *context = op.getContext();
  return xft::WeightsAttr::get(context, FloatAttr::get(Float64Type::get(context), scale), op.getDropoutAttr(),
                               isLinear(op));
}

/// Returns the type of a kernel's operand for `buffer`: the last `staticSizes` sizes are static where they are
/// constants, the inner stride is 1.
MemRefType attendOperandType(HostBuilder &host, const Buffer &buffer, int64_t staticSizes = 1);
/// Returns `buffer`, or a copy of it, with stride 1 in the last dimension.
Buffer withUnitInner(HostBuilder &host, const Buffer &buffer);

//===--- gradients ---===//

/// Returns an accumulator of element type `real` for a gradient: the result's own buffer if that has the type and a
/// unit inner stride, else scratch memory. Filled with zeros if `clear`.
Buffer gradientSums(HostBuilder &host, Type real, Value result, bool clear = true);
/// Appends result = the sum of `parts` in their order; nothing if the only part is the result's memory.
void finishGradient(HostBuilder &host, ArrayRef<Buffer> parts, Value result);
/// Returns the view BxHxNq of m (number 0) or log l (number 1) in a buffer 2xBxHxNq.
Buffer partOfLse(HostBuilder &host, const Buffer &parts, int64_t number);
/// Computes delta(i) = <d_o(i), o(i)> - d_lse(i), BxHxNq; o and d_o have unit inner strides. `inOrder`: sums in the
/// order in which kernels sum <d_o, v> (if the target sums columns in order), so that dP - delta is exactly 0 where o
/// is the value of one key.
Buffer attentionDelta(HostBuilder &host, Type real, const Buffer &o, const Buffer &dO, std::optional<Buffer> dLse,
                      bool inOrder = false);

//===--- the ops ---===//

/// Tile one op each; fail after an error at the op.
LogicalResult tileAttention(AttentionOp op, HostBuilder &host);
LogicalResult tileAttentionVjp(AttentionVjpOp op, HostBuilder &host);

//===--- kernelised attention ---===//

/// Tile kernelised attention and its gradient as scans over the keys (Scan/). Fail after an error at the op.
LogicalResult tileScan(AttentionOp op, KernelSumAttr sum, HostBuilder &host);
LogicalResult tileScanVjp(AttentionVjpOp op, KernelSumAttr sum, HostBuilder &host);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTION_H
