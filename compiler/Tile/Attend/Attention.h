//===- Attention.h - What tilings of attention and its gradient share -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTION_H
#define XF_COMPILER_TILE_ATTEND_ATTENTION_H

#include "compiler/Tile/Host/TileOps.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf {

/// Heads first, first + step, .. whose pattern has this solution.
struct HeadsOfSolution {
  int64_t first, step;
  SolutionAttr solution;
};
SmallVector<HeadsOfSolution> headsOfSolutions(Operation *op);

/// Pieces that walk the queries in one order; they share a kernel. Without pieces, rows that see nothing. With tiles,
/// all pairs, of which kernels ask the predicate.
struct QueryOrder {
  IndexMapAttr queries;
  int64_t residues = 1;
  SmallVector<PieceAttr> pieces;
  TilesAttr tiles = {};
};

/// The query orders of a solution in the order of execution, such that the first and the last one visit every row: the
/// first starts the state of all rows, the last one normalises all. Rows that lie apart come first: there it is cheaper
/// to write than to resume.
SmallVector<QueryOrder> queryOrders(SolutionAttr solution);

/// True where the residues of a map together hold every position.
bool coversAll(IndexMapAttr map);

/// The piece that holds all pairs.
PieceAttr everyPair(MLIRContext *context);

/// The most ranks that a residue of `map` has in an interval of `count` positions.
Size rankCount(HostBuilder &host, IndexMapAttr map, Size count);

/// Checks what kernels rely on: static head sizes, a solution, clauses that kernels know. Fails after an error.
LogicalResult requireTileable(AttentionOp op, const TileModel &model);
LogicalResult requireTileable(AttentionVjpOp op, const TileModel &model);

/// The factor of scores: given, or depth^-1/2.
double attentionScale(std::optional<APFloat> given, int64_t depth);

/// Whether nothing is asked of single pairs but by the pattern: no score region, weights by distance, dropout.
template <typename OpTy>
bool hasPlainScores(OpTy op) {
  return op.getScore().empty() && !op.getRelative() && !op.getDropout() && !op->hasAttr(kLinearAttrName);
}

/// Whether weights are no softmax: o = sum w v, and nothing divides.
bool isLinear(Operation *op);
/// The score region of a linear op, w = s, or s e^t[h, j - i + Nk - 1] of the one capture t; as the gradient wants it,
/// with its derivatives.
void buildWeights(Region &region, Location loc, Type real, ValueRange captures, bool withDerivatives);

/// The operands of one launch of an attention kernel, in the order of the kernel's operands.
class AttendOperands {
public:
  explicit AttendOperands(HostBuilder &host) : host(host) {}

  /// Each returns the operand's number.
  unsigned add(const Buffer &buffer, MemRefType type);
  unsigned add(const Buffer &buffer, int64_t staticSizes);
  unsigned add(Size size);
  /// A clause's operand: any strides, of which the inner one is known where it is 1; a static size of 1 says that one
  /// element serves the whole dimension.
  unsigned addClause(Value tensor);
  SmallVector<unsigned> addClauses(ValueRange tensors);

  /// Looks up or builds the kernel and appends the launch.
  void launch(StringRef family, Size tiles, HostBuilder::KernelBody body);

private:
  HostBuilder &host;
  SmallVector<Value> values;
  SmallVector<Type> types;
};

/// Copies a region on scores into a kernel, where captured tensors have any sizes: operands have them, and one kernel
/// serves all.
void copyScore(Region &score, Region &kernel);

/// The kernel's arguments with these numbers.
SmallVector<Value> pick(ArrayRef<BlockArgument> operands, ArrayRef<unsigned> numbers);

/// Keys and values as kernels of one attention read them, packed once for each index map.
class PackedOperands {
public:
  PackedOperands(HostBuilder &host, Type real, xft::AttendTileAttr tile) : host(host), real(real), tile(tile) {}

  /// Appends x[B, H, N, D] as panels [B, H, R, P, D W], and its number to `numbers`.
  void addKeys(AttendOperands &operands, const Buffer &x, IndexMapAttr map, SmallVectorImpl<unsigned> &numbers);
  /// Appends x itself where kernels can read its rows as they are, else [B, H, R, C, D in whole registers].
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

/// The data of predicates as kernels of one attention read them, tabulated once for each (PredicateData.cpp).
class PredicateData {
public:
  template <typename OpTy>
  PredicateData(OpTy op, HostBuilder &host, xft::AttendTileAttr tile)
      : host(host), tile(tile), segmentsQ(op.getSegmentsQ()), segmentsK(op.getSegmentsK()),
        offsets(op.getTableOffsets()), columns(op.getTableColumns()), q(host.buffer(op.getQ())),
        k(host.buffer(op.getK())) {}

  /// Appends two operands for each datum, and their numbers; nothing where there are no tiles.
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

/// The type of a kernel's operand for a buffer: all sizes but the last `staticSizes` dynamic, unit inner stride.
MemRefType attendOperandType(HostBuilder &host, const Buffer &buffer, int64_t staticSizes = 1);
/// `buffer`, or a copy of it, with stride 1 in the last dimension.
Buffer withUnitInner(HostBuilder &host, const Buffer &buffer);

//===--- gradients ---===//

/// A buffer of the type that is computed in, of zeros: the result itself where it can be.
Buffer gradientSums(HostBuilder &host, Type real, Value result, bool clear = true);
/// result = the sum of its parts, in their order.
void finishGradient(HostBuilder &host, ArrayRef<Buffer> parts, Value result);
/// m (0) or log l (1) of rows, BxHxNq, of a buffer that holds both, 2xBxHxNq.
Buffer partOfLse(HostBuilder &host, const Buffer &parts, int64_t number);
/// delta(i) = <d_o(i), o(i)> - d_lse(i), BxHxNq, for o and d_o with unit inner strides. `inOrder`, where
/// the target sums columns in order: in the order in which kernels sum <d_o, v>, so that dP - delta is 0 where o is the
/// value of one key.
Buffer attentionDelta(HostBuilder &host, Type real, const Buffer &o, const Buffer &dO, std::optional<Buffer> dLse,
                      bool inOrder = false);

//===--- kernelised attention ---===//

LogicalResult tileScan(AttentionOp op, KernelSumAttr sum, HostBuilder &host);
LogicalResult tileScanVjp(AttentionVjpOp op, KernelSumAttr sum, HostBuilder &host);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTION_H
