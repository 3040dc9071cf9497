//===- PlanPieces.cpp - Pieces as plans read them -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/PlanPieces.h"
#include "compiler/Pattern/Set/PairPredicate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;

namespace plan = xfrt::plan;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Adds `factor` times `value` to `sum`. Returns false if the result does not fit.
static bool addTo(int64_t &sum, int64_t value, int64_t factor) {
  int64_t product;
  return !llvm::MulOverflow(value, factor, product) && !llvm::AddOverflow(sum, product, sum);
}

static bool addTo(std::vector<int64_t> &sums, const std::vector<int64_t> &values, int64_t factor) {
  sums.resize(std::max(sums.size(), values.size()));
  for (auto [sum, value] : llvm::zip(sums, values))
    if (!addTo(sum, value, factor))
      return false;
  return true;
}

static bool addTo(plan::Row &sum, const plan::Row &row, int64_t factor) {
  return addTo(sum.constant, row.constant, factor) && addTo(sum.factor, row.factor, factor) &&
         addTo(sum.symbols, row.symbols, factor) && addTo(sum.divisions, row.divisions, factor);
}

namespace {
/// Makes a form of one quasi-affine expression.
class FormBuilder {
public:
  std::optional<plan::Form> build(AffineExpr expr);

private:
  std::optional<plan::Row> rowOf(AffineExpr expr);
  std::optional<plan::Row> rowOf(AffineBinaryOpExpr expr);
  plan::Row divide(plan::Row numerator, int64_t divisor);

  plan::Form form;
};
} // namespace

/// Adds a division to the form, and returns its value as a row.
plan::Row FormBuilder::divide(plan::Row numerator, int64_t divisor) {
  form.divisions.push_back({std::move(numerator), divisor});
  plan::Row quotient;
  quotient.divisions.assign(form.divisions.size(), 0);
  quotient.divisions.back() = 1;
  return quotient;
}

/// The right sides of all operators but + are constants, and divisors are positive: PieceAttr::verify has checked it.
std::optional<plan::Row> FormBuilder::rowOf(AffineBinaryOpExpr expr) {
  std::optional<plan::Row> left = rowOf(expr.getLHS());
  if (!left)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<plan::Row> right = rowOf(expr.getRHS());
    return right && addTo(*left, *right, 1) ? left : std::nullopt;
  }
  int64_t number = cast<AffineConstantExpr>(expr.getRHS()).getValue();
  plan::Row result;
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

std::optional<plan::Row> FormBuilder::rowOf(AffineExpr expr) {
  plan::Row row;
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

std::optional<plan::Form> FormBuilder::build(AffineExpr expr) {
  std::optional<plan::Row> row = rowOf(expr);
  if (!row)
    return std::nullopt;
  form.result = std::move(*row);
  return std::move(form);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

static plan::IndexMap toPlanMap(IndexMapAttr map) {
  int64_t residues = map.getResidues();
  return {residues,
          map.getPeriod(),
          map.getWidth(),
          map.getOffset(),
          map.getCell(),
          llvm::mod(map.getMultiplier(), residues),
          llvm::mod(map.getShift(), residues)};
}

FailureOr<plan::Piece> xf::toPlanPiece(PieceAttr piece, function_ref<InFlightDiagnostic()> emitError) {
  plan::Piece result;
  result.queries = toPlanMap(piece.getQueries());
  result.keys = toPlanMap(piece.getKeys());
  result.residues = piece.getResidues();
  std::pair<AffineMap, std::vector<plan::Form> *> bounds[] = {
      {piece.getLower(), &result.lower}, {piece.getUpper(), &result.upper}, {piece.getRows(), &result.rows}};
  for (auto [map, forms] : bounds)
    for (AffineExpr expr : map ? map.getResults() : ArrayRef<AffineExpr>()) {
      std::optional<plan::Form> form = FormBuilder().build(expr);
      if (!form)
        return emitError() << "expected a bound with coefficients of 63 bits, got " << AffineMapAttr::get(map);
      forms->push_back(std::move(*form));
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

namespace {
/// Finds the boxes of a predicate by halving.
class BoxFinder {
public:
  BoxFinder(const pattern::PairPredicate &predicate, std::vector<plan::Box> &boxes)
      : predicate(predicate), boxes(boxes) {}

  /// Adds the pairs of a box that is not empty. Returns false if it took too many questions.
  bool add(pattern::KeyRange positions, pattern::KeyRange keys);

private:
  const pattern::PairPredicate &predicate;
  std::vector<plan::Box> &boxes;
  int64_t questions = int64_t(1) << 20;
};
} // namespace

bool BoxFinder::add(pattern::KeyRange positions, pattern::KeyRange keys) {
  using Share = pattern::PairPredicate::Share;
  if (--questions < 0)
    return false;
  int64_t rows = positions.upper - positions.lower, columns = keys.upper - keys.lower;
  bool isPair = rows == 0 && columns == 0;
  Share share = isPair ? (predicate.contains(positions.lower, keys.lower) ? Share::All : Share::None)
                       : predicate.decide(positions, keys);
  if (share == Share::None)
    return true;
  if (share == Share::All) {
    boxes.push_back({{positions.lower, positions.upper + 1}, {keys.lower, keys.upper + 1}});
    return true;
  }
  if (rows > columns) {
    int64_t middle = positions.lower + rows / 2;
    return add({positions.lower, middle}, keys) && add({middle + 1, positions.upper}, keys);
  }
  int64_t middle = keys.lower + columns / 2;
  return add(positions, {keys.lower, middle}) && add(positions, {middle + 1, keys.upper});
}

/// Makes one box of neighbours that have the same interval on the side `same` and touch on the side `along`.
static void mergeBoxes(std::vector<plan::Box> &boxes, plan::Interval plan::Box::*same,
                       plan::Interval plan::Box::*along) {
  auto order = [=](const plan::Box &box) { return std::tuple((box.*same).begin, (box.*same).end, (box.*along).begin); };
  llvm::sort(boxes, [&](const plan::Box &a, const plan::Box &b) { return order(a) < order(b); });
  std::vector<plan::Box> merged;
  for (const plan::Box &box : boxes) {
    bool touches =
        !merged.empty() && merged.back().*same == box.*same && (merged.back().*along).end == (box.*along).begin;
    if (touches)
      (merged.back().*along).end = (box.*along).end;
    else
      merged.push_back(box);
  }
  boxes = std::move(merged);
}

std::optional<plan::Piece> xf::toPlanPiece(TilesAttr tiles, const pattern::CallSizes &sizes) {
  if (!tiles.isStatic() || sizes.numQueries > sizes.numKeys)
    return std::nullopt;
  plan::Piece result;
  result.hasBoxes = true;
  if (sizes.numQueries == 0)
    return result;
  pattern::PairPredicate predicate(tiles, sizes.numQueries, sizes.numKeys, sizes.symbols, sizes.head);
  if (!BoxFinder(predicate, result.boxes)
           .add({sizes.numKeys - sizes.numQueries, sizes.numKeys - 1}, {0, sizes.numKeys - 1}))
    return std::nullopt;
  mergeBoxes(result.boxes, &plan::Box::queries, &plan::Box::keys);
  mergeBoxes(result.boxes, &plan::Box::keys, &plan::Box::queries);
  llvm::sort(result.boxes, [](const plan::Box &a, const plan::Box &b) {
    return std::pair(a.queries.begin, a.keys.begin) < std::pair(b.queries.begin, b.keys.begin);
  });
  return result;
}
