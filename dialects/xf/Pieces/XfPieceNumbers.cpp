//===- XfPieceNumbers.cpp - Pieces as plain numbers -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Pieces/XfPieceNumbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

using Numbers = std::vector<int64_t>;

namespace {
/// A linear form in x, symbols and divisions. Its value is constant + factor x + symbols . (values of symbols) +
/// divisions . (values of divisions).
struct Row {
  int64_t constant = 0, factor = 0;
  Numbers symbols, divisions;
};

/// Converts one quasi-affine expression to numbers.
class FormBuilder {
public:
  /// Appends the numbers that describe `expr` (a form of xfrt_tables::plans) to `numbers`. Returns false if one of them
  /// overflows.
  bool append(AffineExpr expr, Numbers &numbers);

private:
  std::optional<Row> rowOf(AffineExpr expr);
  std::optional<Row> rowOf(AffineBinaryOpExpr expr);
  Row divide(Row numerator, int64_t divisor);

  SmallVector<std::pair<Row, int64_t>> divisions;
};
} // namespace

/// Adds `factor` times `value` to `sum`. Returns false on overflow.
static bool addTo(int64_t &sum, int64_t value, int64_t factor) {
  int64_t product;
  return !llvm::MulOverflow(value, factor, product) && !llvm::AddOverflow(sum, product, sum);
}

static bool addTo(Numbers &sums, const Numbers &values, int64_t factor) {
  sums.resize(std::max(sums.size(), values.size()));
  for (auto [sum, value] : llvm::zip(sums, values))
    if (!addTo(sum, value, factor))
      return false;
  return true;
}

static bool addTo(Row &sum, const Row &row, int64_t factor) {
  return addTo(sum.constant, row.constant, factor) && addTo(sum.factor, row.factor, factor) &&
         addTo(sum.symbols, row.symbols, factor) && addTo(sum.divisions, row.divisions, factor);
}

/// Appends the division of `numerator` by `divisor` to the divisions of the form. Returns the row whose value is the
/// quotient.
Row FormBuilder::divide(Row numerator, int64_t divisor) {
  divisions.push_back({std::move(numerator), divisor});
  Row quotient;
  quotient.divisions.assign(divisions.size(), 0);
  quotient.divisions.back() = 1;
  return quotient;
}

/// Returns the row of a sum, product, quotient or remainder, or nullopt if a number overflows. PieceAttr::verify has
/// checked that the right operands of all operators except + are constants, and that divisors are positive.
std::optional<Row> FormBuilder::rowOf(AffineBinaryOpExpr expr) {
  std::optional<Row> left = rowOf(expr.getLHS());
  if (!left)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<Row> right = rowOf(expr.getRHS());
    return right && addTo(*left, *right, 1) ? left : std::nullopt;
  }
  int64_t number = cast<AffineConstantExpr>(expr.getRHS()).getValue();
  Row result;
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return addTo(result, *left, number) ? std::optional(result) : std::nullopt;
  case AffineExprKind::FloorDiv:
    return divide(std::move(*left), number);
  case AffineExprKind::CeilDiv: // ceil(x / n) = floor((x + n - 1) / n)
    return addTo(left->constant, number - 1, 1) ? std::optional(divide(std::move(*left), number)) : std::nullopt;
  default: // x mod n = x - n floor(x / n)
    result = *left;
    return addTo(result, divide(std::move(*left), number), -number) ? std::optional(result) : std::nullopt;
  }
}

std::optional<Row> FormBuilder::rowOf(AffineExpr expr) {
  Row row;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    row.constant = constant.getValue();
  } else if (isa<AffineDimExpr>(expr)) {
    row.factor = 1;
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    row.symbols.assign(symbol.getPosition() + 1, 0);
    row.symbols.back() = 1;
  } else {
    return rowOf(cast<AffineBinaryOpExpr>(expr));
  }
  return row;
}

static void append(Numbers &numbers, const Row &row) {
  numbers.insert(numbers.end(), {row.constant, row.factor});
  for (const Numbers *factors : {&row.symbols, &row.divisions}) {
    numbers.push_back(int64_t(factors->size()));
    llvm::append_range(numbers, *factors);
  }
}

bool FormBuilder::append(AffineExpr expr, Numbers &numbers) {
  std::optional<Row> result = rowOf(expr);
  if (!result || divisions.size() > size_t(xfrt::mostDivisions))
    return false;
  numbers.push_back(int64_t(divisions.size()));
  for (const auto &[numerator, divisor] : divisions) {
    ::append(numbers, numerator);
    numbers.push_back(divisor);
  }
  ::append(numbers, *result);
  return true;
}

static void append(Numbers &numbers, IndexMapAttr map) {
  int64_t residues = map.getResidues();
  numbers.insert(numbers.end(), {residues, map.getPeriod(), map.getWidth(), map.getOffset(), map.getCell(),
                                 llvm::mod(map.getMultiplier(), residues), llvm::mod(map.getShift(), residues)});
}

std::optional<Numbers> xf::toNumbers(PieceAttr piece, PieceSide side) {
  bool isForward = side == PieceSide::KeysOfQueries;
  Numbers numbers;
  append(numbers, isForward ? piece.getQueries() : piece.getKeys());
  append(numbers, isForward ? piece.getKeys() : piece.getQueries());
  numbers.push_back(piece.getResidues());
  AffineMap forward[] = {piece.getLower(), piece.getUpper(), piece.getRows()};
  AffineMap inverse[] = {piece.getQueryLower(), piece.getQueryUpper(), piece.getColumns()};
  for (AffineMap map : isForward ? forward : inverse) {
    ArrayRef<AffineExpr> bounds = map ? map.getResults() : ArrayRef<AffineExpr>();
    numbers.push_back(int64_t(bounds.size()));
    for (AffineExpr bound : bounds)
      if (!FormBuilder().append(bound, numbers))
        return std::nullopt;
  }
  return numbers;
}

std::optional<SizedPiece> SizedPiece::make(PieceAttr piece, int64_t numQueries, int64_t numKeys,
                                           ArrayRef<int64_t> symbols, PieceSide side) {
  std::optional<Numbers> numbers = toNumbers(piece, side);
  SizedPiece sized;
  if (!numbers || symbols.size() + 2 > std::size(sized.known.numbers))
    return std::nullopt;
  sized.numbers = std::move(*numbers);
  sized.known.numbers[0] = numQueries;
  sized.known.numbers[1] = numKeys;
  llvm::copy(symbols, sized.known.numbers + 2);
  sized.all = {side == PieceSide::KeysOfQueries ? 0 : numKeys - numQueries, numKeys};
  return sized;
}
