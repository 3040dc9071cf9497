//===- GridBox.cpp - Boxes of a grid around queries -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The piece of line t of a box has these bounds for the keys j of query i, if a line has S columns:
//
//   max(S (i div S) + S t, i + S t + firstShift) <= j <= min(S (i div S) + S t + S - 1, i + S t + lastShift)
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Tiling/GridBox.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The two lower bounds or the two upper bounds of a piece: i + shift, and length (i div length) + line. i is the
/// position of the query.
struct SideBounds {
  int64_t shift, length, line;
};
} // namespace

/// Splits a sum into an expression and a constant.
static std::pair<AffineExpr, int64_t> splitConstant(AffineExpr sum) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(sum);
  if (binary && binary.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return {binary.getLHS(), constant.getValue()};
  return {sum, 0};
}

/// Returns S if `expression` is S (i div S), else 0.
static int64_t lengthOf(AffineExpr expression) {
  auto product = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!product || product.getKind() != AffineExprKind::Mul)
    return 0;
  auto quotient = dyn_cast<AffineBinaryOpExpr>(product.getLHS());
  auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
  if (!factor || !quotient || quotient.getKind() != AffineExprKind::FloorDiv || quotient.getRHS() != factor)
    return 0;
  return isa<AffineDimExpr>(quotient.getLHS()) ? factor.getValue() : 0;
}

/// Returns the bounds of `map` if it has one bound of each of the two forms in SideBounds. Ignores a bound for which
/// `isImplied` is true. Returns nullopt if the map has other bounds.
static std::optional<SideBounds> boundsOf(AffineMap map, function_ref<bool(AffineExpr)> isImplied) {
  std::optional<int64_t> shift, line;
  int64_t length = 0;
  for (AffineExpr result : map ? map.getResults() : ArrayRef<AffineExpr>()) {
    auto [expression, constant] = splitConstant(result);
    if (isa<AffineDimExpr>(expression) && !shift)
      shift = constant;
    else if (int64_t found = lengthOf(expression); found && !line)
      length = found, line = constant;
    else if (!isImplied(result))
      return std::nullopt;
  }
  if (!shift || !line)
    return std::nullopt;
  return SideBounds{*shift, length, *line};
}

std::optional<GridBox> xf::findGridBox(SolutionAttr solution) {
  struct Line {
    int64_t number, firstShift, lastShift;
    PieceAttr piece;
  };
  SmallVector<Line> lines;
  int64_t length = 0;
  for (PieceAttr piece : solution.getPieces()) {
    bool hasConditions = piece.getRows() && piece.getRows().getNumResults();
    if (!piece.getQueries().isIdentity() || !piece.getKeys().isIdentity() || hasConditions)
      return std::nullopt;
    auto isBelow = [](AffineExpr bound) {
      auto constant = dyn_cast<AffineConstantExpr>(bound);
      return constant && constant.getValue() <= 0;
    };
    auto lower = boundsOf(piece.getLower(), isBelow);
    auto upper = boundsOf(piece.getUpper(), [](AffineExpr) { return false; });
    if (!lower || !upper || lower->length != upper->length || (length && length != lower->length))
      return std::nullopt;
    length = lower->length;
    int64_t start = lower->line;
    if (start % length != 0 || upper->line != start + length - 1)
      return std::nullopt;
    lines.push_back({start / length, lower->shift - start, upper->shift - start, piece});
  }
  if (lines.empty() || solution.getTiles())
    return std::nullopt;
  llvm::sort(lines, [](const Line &x, const Line &y) { return x.number < y.number; });
  GridBox box{length, lines[0].number, int64_t(lines.size()), lines[0].firstShift, 0, {}};
  box.shifts = lines[0].lastShift - lines[0].firstShift + 1;
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (line.number != box.firstLine + int64_t(number) || line.firstShift != box.firstShift ||
        line.lastShift != lines[0].lastShift || box.shifts < 1)
      return std::nullopt;
    box.pieces.push_back(line.piece);
  }
  return box;
}

int64_t xf::queryLines(int64_t length, int64_t numQueries, int64_t numKeys) {
  return llvm::divideCeil(numKeys, length) - llvm::divideFloorSigned(numKeys - numQueries, length);
}

LineStrips xf::gradientStrips(AttentionVjpOp op, xft::StencilTileAttr tile, int64_t heads) {
  constexpr int64_t tasks = 16;
  int64_t numQueries = op.getQ().getType().getDimSize(2), numKeys = op.getK().getType().getDimSize(2);
  int64_t end = llvm::divideCeil(numKeys, tile.getLength()), ahead = tile.getFirstLine();
  int64_t first = llvm::divideFloorSigned(numKeys - numQueries, tile.getLength());
  int64_t lines = std::max(end, end - ahead) - std::min(first, -ahead);
  int64_t groups = llvm::divideCeil(lines, tile.getRows()), again = tile.getSeeingLines() / tile.getRows() - 1;
  int64_t wanted = llvm::divideCeil(tasks, heads), strip = std::max<int64_t>({1, 2 * again, groups / wanted});
  return {strip, int64_t(llvm::divideCeil(groups, strip))};
}

double xf::executedPairs(xft::StencilTileAttr tile, int64_t numQueries, int64_t numKeys) {
  int64_t lines = llvm::alignTo(queryLines(tile.getLength(), numQueries, numKeys), tile.getRows());
  return double(lines) * double(llvm::alignTo(tile.getLength(), tile.getLanes()) * tile.getPairs());
}
