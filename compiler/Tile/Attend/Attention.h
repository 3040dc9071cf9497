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

/// The heads `first`, `first + step`, `first + 2 step`, .. of an attention, whose patterns all have the solution
/// `solution`.
struct HeadsOfSolution {
  int64_t first, step;
  SolutionAttr solution;
};
/// Returns the solutions of an attention, or of its gradient, each with the heads that have it. Returns one entry if
/// all heads have one solution, and an empty list if the op has no solution.
SmallVector<HeadsOfSolution> headsOfSolutions(Operation *op);
/// Returns `pieces` as one query order of the heads of `group`. The index maps of the pieces must be the identity.
xft::QueryOrderAttr orderOf(ArrayRef<PieceAttr> pieces, const HeadsOfSolution &group);

/// Pieces of a solution whose index maps of queries are all `queries`. One kernel visits the queries in the order of
/// this map, and computes all of these pieces. Without pieces, the kernel only initialises or normalises rows. With
/// `tiles`, the only piece contains every pair, and the kernel evaluates the predicate of `tiles`.
struct QueryOrder {
  IndexMapAttr queries;
  int64_t residues = 1;
  SmallVector<PieceAttr> pieces;
  TilesAttr tiles = {};
};

/// Returns the query orders of a solution in the order of execution. The first one visits every row and initialises its
/// softmax state. The last one visits every row and normalises it. A launch writes the states of its rows, or resumes
/// states that earlier launches wrote. If rows are scattered, writing is cheaper than resuming, so orders that permute
/// the queries come before the identity.
SmallVector<QueryOrder> queryOrders(SolutionAttr solution);

/// Returns true if the residues of an index map together contain every position.
bool coversAll(IndexMapAttr map);

/// Returns the piece that contains every (query, key) pair.
PieceAttr everyPair(MLIRContext *context);

/// Counts, among `count` consecutive positions, those that belong to each residue of `map`. Returns the largest of
/// these numbers.
Size rankCount(HostBuilder &host, IndexMapAttr map, Size count);

/// Verifies the preconditions of attention kernels: a solution, static head sizes above 0, types that the target
/// supports, and no operands `params`. Fails after an error at the op.
LogicalResult requireTileable(AttentionOp op, const TileModel &model);
LogicalResult requireTileable(AttentionVjpOp op, const TileModel &model);

/// Returns the type in which the operands of an attention's products may be stored. If weights are exact, this is the
/// type of sums, else the type of q.
template <typename OpTy>
Type productElement(OpTy op) {
  Type element = op.getQ().getType().getElementType();
  return op.getExactWeights() ? accumulatorType(element) : element;
}

/// Returns the factor that multiplies <q, k>: `given` if it is set, else 1 / sqrt(depth).
double attentionScale(std::optional<APFloat> given, int64_t depth);

/// Returns true if the softmax is the only work per pair: an attention has no score region, no relative weights, no
/// dropout and no linear (unnormalised) weights.
template <typename OpTy>
bool hasPlainScores(OpTy op) {
  return op.getScore().empty() && !op.getRelative() && !op.getDropout() && !op->hasAttr(kLinearAttrName);
}

/// Returns true if the weights of an attention are not normalised by a softmax: o(i) = sum_j w(i, j) v(j).
bool isLinear(Operation *op);
/// Returns true if the weights of an attention are a softmax of scores: neither linear nor relative.
template <typename OpTy>
bool hasSoftmax(OpTy op) {
  return !isLinear(op) && !op.getRelative();
}
/// Builds the score region of an attention with linear weights. It yields w = s or, with relative weights t, w = s
/// exp(t[h, j - i + Nk - 1]). t is then its only capture. If `withDerivatives`, the region also yields the derivatives
/// of w by s and by t, as the derivative region of a gradient does.
void buildWeights(Region &region, Location loc, Type real, ValueRange captures, bool withDerivatives);

/// The operands of one launch of an attention kernel, in the order of the kernel's operands.
class AttendOperands {
public:
  explicit AttendOperands(HostBuilder &host) : host(host) {}

  /// Appends an operand of the launch and returns its index. The last `staticSizes` sizes of a buffer are static in the
  /// operand's type if they are constants.
  unsigned add(const Buffer &buffer, MemRefType type);
  unsigned add(const Buffer &buffer, int64_t staticSizes);
  unsigned add(Size size);
  /// Appends the tensor of a clause (lengths, symbols, captures, ..) as an operand and returns the operand's index. In
  /// the operand's type, sizes of 1 are static, because the kernel broadcasts the tensor along them. The inner stride
  /// is static, too, and 1. All other sizes and strides are dynamic.
  unsigned addClause(Value tensor);
  SmallVector<unsigned> addClauses(ValueRange tensors);

  /// Appends a launch over `tiles` tiles. `body` builds the body of the launch's kernel. Launches with equal bodies
  /// share one kernel.
  xft::LaunchOp launch(StringRef family, Size tiles, HostBuilder::KernelBody body);

private:
  HostBuilder &host;
  SmallVector<Value> values;
  SmallVector<Type> types;
};

/// Copies a score region into a kernel. Captured tensors get dynamic sizes, so that one kernel serves all sizes.
void copyScore(Region &score, Region &kernel);

/// Returns the arguments of a kernel at the indices `numbers`.
SmallVector<Value> pick(ArrayRef<BlockArgument> operands, ArrayRef<unsigned> numbers);

/// For each group of operands of the op in a kernel, such as each clause of xft.attend, the indices of its operands
/// among the operands of the launch.
using GroupNumbers = SmallVector<SmallVector<unsigned, 2>>;

/// The arguments of a kernel that have the indices in a GroupNumbers, as one ValueRange for each group. Builders of ops
/// with groups of operands take such a list of ranges.
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
  PackedOperands(HostBuilder &host, const PackedKeys &form, xft::AttendTileAttr tile)
      : host(host), form(form), tile(tile) {}

  /// Packs the rows of x [B, H, N, D] into panels of W keys, W being the tile's width. Adds the panels [B, H, R, P, D'
  /// W] to `operands`, and the index of this operand to `numbers`. There are R residues and P panels, and D' is D
  /// rounded up to whole groups of terms.
  void addKeys(AttendOperands &operands, const Buffer &x, IndexMapAttr map, SmallVectorImpl<unsigned> &numbers);
  /// Adds x itself to `operands` if kernels can read its rows in place. Otherwise, adds a packed copy [B, H, R, C, D'].
  /// C is the largest number of rows of a residue, rounded up to whole groups of terms, and D' is D rounded up to whole
  /// registers. Adds the index of the operand to `numbers`.
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
  PackedKeys form;
  xft::AttendTileAttr tile;
  SmallVector<Packed, 0> packed;
};

/// Adds the data of predicates (#xf.datum) to the launches of one attention. Tabulates each datum of queries or keys
/// once, in a launch of its own (PredicateData.cpp).
class PredicateData {
public:
  template <typename OpTy>
  PredicateData(OpTy op, HostBuilder &host, xft::AttendTileAttr tile)
      : host(host), tile(tile), segmentsQ(op.getSegmentsQ()), segmentsK(op.getSegmentsK()),
        offsets(op.getTableOffsets()), columns(op.getTableColumns()), part(op.getPart()), q(host.buffer(op.getQ())),
        k(host.buffer(op.getK())) {}

  /// Adds two operands for each datum of `tiles`: its values and their ranges, or the offsets and columns of its lists.
  /// Returns the indices of the operands. Adds nothing if `tiles` is null.
  SmallVector<unsigned> add(AttendOperands &operands, TilesAttr tiles);

private:
  struct Tabulated {
    DatumAttr datum;
    Buffer values, ranges;
  };
  const Tabulated &tabulate(TilesAttr tiles, unsigned number);
  Buffer sourceOf(DatumAttr datum);
  Buffer listOffsets();
  Buffer offsetsByHead();
  Buffer sortedColumns();

  HostBuilder &host;
  xft::AttendTileAttr tile;
  Value segmentsQ, segmentsK, offsets, columns, part; ///< clauses, or null
  Buffer q, k;
  std::vector<Tabulated> tabulated;
  std::optional<Buffer> begins, sorted;
};

/// Returns `tiles` without the contents of its lists. Kernels have this form of the predicate, because the lists are
/// operands of launches. So attentions with different lists, such as layers of BigBird, share a kernel.
TilesAttr withoutLists(TilesAttr tiles);

/// Adds the operands of the clauses that xft.attend and its gradients share. Returns their indices by clause: lengths,
/// query lengths, symbols, predicate data, captures, seed, part. `tiles` is the predicate of the query order, or null.
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
  optional(op.getPart());
  return numbers;
}

/// Returns the #xft.weights of an attention, or of its gradient.
template <typename OpTy>
xft::WeightsAttr attendWeights(OpTy op, double scale) {
  MLIRContext *context = op.getContext();
  return xft::WeightsAttr::get(context, FloatAttr::get(Float64Type::get(context), scale), op.getDropoutAttr(),
                               isLinear(op));
}

/// Returns the type of a kernel's operand for `buffer`, whose inner stride is 1. Among the last `staticSizes` sizes,
/// constants are static in the type. All other sizes and strides are dynamic.
MemRefType attendOperandType(HostBuilder &host, const Buffer &buffer, int64_t staticSizes = 1);
/// Returns `buffer` itself if the stride of its last dimension is 1, else a copy with that stride.
Buffer withUnitInner(HostBuilder &host, const Buffer &buffer);

//===--- gradients ---===//

/// Returns an accumulator of element type `real` for the gradient `result`, zeroed if `clear`. The accumulator is the
/// buffer of `result` if this buffer has the element type `real` and a unit inner stride. Otherwise it is scratch
/// memory. If one launch writes each element once (`isWrittenOnce`), the buffer of `result` may have another element
/// type, if its rows start and end at multiples of 16 bytes.
Buffer gradientSums(HostBuilder &host, Type real, Value result, bool clear = true, bool isWrittenOnce = false);
/// Appends a launch that adds the buffers `parts` in their order and writes the sum to the gradient `result`. Appends
/// nothing if the only element of `parts` is the buffer of `result`.
void finishGradient(HostBuilder &host, ArrayRef<Buffer> parts, Value result);
/// Returns the view [B, H, Nq] of m (`number` 0) or log l (`number` 1) in the buffer `parts` [2, B, H, Nq].
Buffer partOfLse(HostBuilder &host, const Buffer &parts, int64_t number);
/// Appends launches that compute delta(i) = <d_o(i), o(i)> - d_lse(i), and returns delta [B, H, Nq]. o and d_o must
/// have unit inner strides. If `inOrder` is set, and the target sums columns in order, the launches add terms in the
/// order in which kernels compute dP(i, j) = <d_o(i), v(j)>. Then dP - delta is exactly 0 for a row whose o(i) is the
/// value of a single key.
Buffer attentionDelta(HostBuilder &host, Type real, const Buffer &o, const Buffer &dO, std::optional<Buffer> dLse,
                      bool inOrder = false);

//===--- the ops ---===//

/// Tiles an attention into launches. Fails after an error at the op.
LogicalResult tileAttention(AttentionOp op, HostBuilder &host);
/// Tiles the gradient of an attention into launches. Fails after an error at the op.
LogicalResult tileAttentionVjp(AttentionVjpOp op, HostBuilder &host);

//===--- kernelised attention ---===//

/// Tiles kernelised attention, or its gradient, into scans over the keys (Scan/). Fails after an error at the op.
LogicalResult tileScan(AttentionOp op, KernelSumAttr sum, HostBuilder &host);
LogicalResult tileScanVjp(AttentionVjpOp op, KernelSumAttr sum, HostBuilder &host);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTION_H
