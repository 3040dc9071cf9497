//===- Breakpoints.cpp - Where a count changes its form -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds breakpoints by geometry. The pairs (i, j) of a piece are the integer points of a polygon. Its sides a i + b j +
// c N + d >= 0 move with N. As long as no three sides meet in a point, the number of pairs is a quasi-polynomial in N
// (Clauss, "Counting solutions to linear and nonlinear constraints through Ehrhart polynomials", 1996). Its period is
// the period of the polygon's corners, which are fractions of N.
//
// A division by a constant gives a side whose d is only known to lie in an interval, because the remainder repeats with
// i, j and N. Borders of residues and of tiles, and values of data, give such sides, too. Three such sides meet in an
// interval of N, not at one N.
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Count/Breakpoints.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

static constexpr int64_t maxCoefficient = int64_t(1) << 16, maxSize = int64_t(1) << 20, maxRepeats = 64;
static constexpr size_t maxSides = 128;

namespace {
/// The value (i x + j y + n N + d) / scale, where x is the query and y the key. Of d, only bounds are known: `low` and
/// `high`.
struct Fraction {
  int64_t i = 0, j = 0, n = 0, scale = 1;
  double low = 0, high = 0;

  static Fraction constant(double low, double high) { return {0, 0, 0, 1, low, high}; }
  bool operator==(const Fraction &other) const {
    return i == other.i && j == other.j && n == other.n && scale == other.scale && low == other.low &&
           high == other.high;
  }
  Fraction times(int64_t factor) const {
    double ends[] = {low * factor, high * factor};
    return {i * factor, j * factor, n * factor, scale, std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
  }
  Fraction plus(const Fraction &other) const {
    int64_t common = std::lcm(scale, other.scale);
    Fraction a = times(common / scale), b = other.times(common / other.scale);
    return {a.i + b.i, a.j + b.j, a.n + b.n, common, a.low + b.low, a.high + b.high};
  }
  bool isLarge() const {
    return llvm::any_of(ArrayRef{i, j, n, scale}, [](int64_t value) { return std::abs(value) > maxCoefficient; });
  }
};

/// The sides of a polygon of pairs. For a union of polygons, the sides of all of them.
class Sides {
public:
  Sides(const OpenSizes &sizes, int64_t rowRepeat, int64_t columnRepeat)
      : sizes(sizes), slack{double(rowRepeat - 1), double(columnRepeat - 1)}, repeat{rowRepeat, columnRepeat} {}

  void addPiece(PieceAttr piece);
  void addTiles(TilesAttr tiles);
  /// Adds to `found` the intervals of N in which three sides may meet. Also makes `found.repeats` a multiple of the
  /// number of periods after which each corner meets tiles and remainders in the same way (repeatsOf). Returns false if
  /// the sides are unknown, or if a number is out of range.
  bool find(int64_t period, Breakpoints &found) const;

private:
  void addBox();
  void addBounds(AffineMap map, int64_t keySign);
  void addSide(Fraction side);
  void addDatum(DatumAttr datum);
  Fraction evaluate(AffineExpr expr, bool isOfKeys);
  Fraction divide(AffineExprKind kind, Fraction dividend, int64_t divisor);
  Fraction position(bool ofKey) const;
  Fraction symbol(unsigned number) const;

  const OpenSizes &sizes;
  double slack[2];            ///< the most by which index maps and tiles round i and j
  int64_t repeat[2];          ///< positions i and j after which maps, tiles and divisions repeat
  SmallVector<Fraction> data; ///< the ranges of values of the predicate's data
  SmallVector<Fraction> sides;
  bool isKnown = true;
};
} // namespace

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

/// Returns the value of symbol `number`: Nq, Nk, p0, .. or a datum.
Fraction Sides::symbol(unsigned number) const {
  if (number < 2) {
    std::optional<int64_t> size = number == 0 ? sizes.numQueries : sizes.numKeys;
    return size ? Fraction::constant(double(*size), double(*size)) : Fraction{0, 0, 1};
  }
  number -= 2;
  if (number < sizes.symbols.size())
    return Fraction::constant(double(sizes.symbols[number]), double(sizes.symbols[number]));
  return number - sizes.symbols.size() < data.size() ? data[number - sizes.symbols.size()] : Fraction{};
}

/// Returns the query i, or the key j if `ofKey`, with an error of up to one period of its index map or of its tiles.
Fraction Sides::position(bool ofKey) const { return Fraction{!ofKey, ofKey, 0, 1, -slack[ofKey], slack[ofKey]}; }

/// Returns the quotient or remainder, as `kind` tells, of `dividend` by `divisor`. If the dividend depends on i (or j),
/// makes repeat[0] (or repeat[1]) a multiple of `divisor`, because the remainder repeats after so many positions.
Fraction Sides::divide(AffineExprKind kind, Fraction dividend, int64_t divisor) {
  if (dividend.i)
    repeat[0] = std::lcm(repeat[0], divisor);
  if (dividend.j)
    repeat[1] = std::lcm(repeat[1], divisor);
  isKnown &= repeat[0] <= maxSize && repeat[1] <= maxSize;
  if (kind == AffineExprKind::Mod)
    return Fraction::constant(0, double(divisor - 1));
  dividend.scale *= divisor;
  (kind == AffineExprKind::FloorDiv ? dividend.low : dividend.high) +=
      double(kind == AffineExprKind::FloorDiv ? -dividend.scale : dividend.scale);
  return dividend;
}

/// Evaluates an expression of a map or constraint. Dimension 0 is j if `isOfKeys`, else i. Dimension 1 is j.
Fraction Sides::evaluate(AffineExpr expr, bool isOfKeys) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Fraction::constant(double(constant.getValue()), double(constant.getValue()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return position(isOfKeys || dim.getPosition() == 1);
  if (auto symbolExpr = dyn_cast<AffineSymbolExpr>(expr))
    return symbol(symbolExpr.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Fraction left = evaluate(binary.getLHS(), isOfKeys), right = evaluate(binary.getRHS(), isOfKeys);
  isKnown &= !left.isLarge() && !right.isLarge();
  if (!isKnown)
    return {};
  if (expr.getKind() == AffineExprKind::Add)
    return left.plus(right);
  int64_t constant = cast<AffineConstantExpr>(binary.getRHS()).getValue();
  isKnown &= std::abs(constant) <= maxCoefficient;
  if (!isKnown)
    return {};
  return expr.getKind() == AffineExprKind::Mul ? left.times(constant) : divide(expr.getKind(), left, constant);
}

void Sides::addSide(Fraction side) {
  int64_t common = std::gcd(std::gcd(side.i, side.j), side.n);
  if (common == 0)
    return; // the same for all N
  side = {side.i / common, side.j / common, side.n / common, 1, side.low / double(common), side.high / double(common)};
  isKnown &= !side.isLarge();
  if (!llvm::is_contained(sides, side))
    sides.push_back(side);
}

/// Adds the sides of the box of rows and keys: Nk - Nq <= i < Nk and 0 <= j < Nk.
void Sides::addBox() {
  Fraction i = position(false), j = position(true), numQueries = symbol(0), numKeys = symbol(1);
  addSide(i.plus(numKeys.times(-1)).plus(numQueries));
  addSide(numKeys.plus(i.times(-1)).plus(Fraction::constant(-1, -1)));
  addSide(j);
  addSide(numKeys.plus(j.times(-1)).plus(Fraction::constant(-1, -1)));
}

/// Adds a side for each result of `map`: j - bound >= 0 if `keySign` is 1, bound - j >= 0 if it is -1, and bound >= 0
/// if it is 0.
void Sides::addBounds(AffineMap map, int64_t keySign) {
  for (AffineExpr result : map ? map.getResults() : ArrayRef<AffineExpr>()) {
    Fraction bound = evaluate(result, false);
    addSide(keySign ? position(true).plus(bound.times(-1)).times(keySign) : bound);
  }
}

void Sides::addPiece(PieceAttr piece) {
  addBox();
  addBounds(piece.getLower(), 1);
  addBounds(piece.getUpper(), -1);
  addBounds(piece.getRows(), 0);
}

/// Adds the range of a datum's values to `data`. Where the datum ends, its value changes, so also adds a side for each
/// limit of its indices.
void Sides::addDatum(DatumAttr datum) {
  auto addIndices = [&](AffineMap map, bool ofKeys, int64_t count) {
    for (AffineExpr result : map ? map.getResults() : ArrayRef<AffineExpr>())
      addSide(evaluate(result, ofKeys).plus(Fraction::constant(-double(count), 1)));
  };
  if (datum.getSource() == DatumSource::k_numbers) {
    ArrayRef<int64_t> numbers = datum.getNumbers().asArrayRef();
    addIndices(datum.getRow(), false, numbers.size());
    addIndices(datum.getColumn(), true, numbers.size());
    int64_t largest = numbers.empty() ? 0 : *llvm::max_element(numbers);
    int64_t least = numbers.empty() ? 0 : *llvm::min_element(numbers);
    data.push_back(Fraction::constant(double(std::min<int64_t>(least, -1)), double(std::max<int64_t>(largest, -1))));
    return;
  }
  isKnown &= datum.isStatic();
  if (!isKnown)
    return;
  int64_t columns = 0;
  for (const APInt &column : datum.getColumns().getValues<APInt>())
    columns = std::max(columns, column.getSExtValue() + 1);
  addIndices(datum.getRow(), false, datum.getRows());
  addIndices(datum.getColumn(), true, columns);
  data.push_back(Fraction::constant(0, 1));
}

void Sides::addTiles(TilesAttr tiles) {
  addBox();
  for (DatumAttr datum : tiles.getData())
    addDatum(datum);
  for (IntegerSet set : tiles.getConjunctions())
    for (AffineExpr constraint : set.getConstraints())
      addSide(evaluate(constraint, false));
}

//===----------------------------------------------------------------------===//
// Corners
//===----------------------------------------------------------------------===//

/// Returns the smallest factor f for which a corner moves by a multiple of `repeat` when N grows by f times `period`.
/// When N grows by 1, the corner moves by numerator / denominator.
static int64_t repeatsOf(int64_t numerator, int64_t denominator, int64_t repeat, int64_t period) {
  if (numerator == 0)
    return 1;
  int64_t common = std::gcd(numerator, denominator), steps = std::abs(denominator / common) * repeat;
  return steps / std::gcd(steps, std::abs(numerator / common) * period);
}

static std::pair<double, double> scaled(const Fraction &side, int64_t factor) {
  double ends[] = {side.low * double(factor), side.high * double(factor)};
  return {std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
}

bool Sides::find(int64_t period, Breakpoints &found) const {
  if (!isKnown || sides.size() > maxSides)
    return false;
  for (auto [second, b] : llvm::enumerate(sides))
    for (const Fraction &a : ArrayRef(sides).take_front(second)) {
      int64_t corner = a.i * b.j - a.j * b.i;
      if (corner == 0)
        continue;
      for (int64_t repeats : {repeatsOf(a.j * b.n - b.j * a.n, corner, repeat[0], period),
                              repeatsOf(a.n * b.i - b.n * a.i, corner, repeat[1], period)}) {
        found.repeats = std::lcm(found.repeats, repeats);
        if (found.repeats > maxRepeats)
          return false;
      }
      // c lies in the corner of a and b where the determinant of the three sides is zero.
      for (const Fraction &c : sides) {
        int64_t minors[] = {b.i * c.j - b.j * c.i, c.i * a.j - c.j * a.i, corner};
        double slope = double(a.n) * minors[0] + double(b.n) * minors[1] + double(c.n) * minors[2];
        if (slope == 0)
          continue;
        double low = 0, high = 0;
        for (auto [side, minor] : llvm::zip(ArrayRef{a, b, c}, minors)) {
          auto [least, most] = scaled(side, minor);
          low += least;
          high += most;
        }
        double ends[] = {-low / slope, -high / slope};
        double begin = std::floor(std::min(ends[0], ends[1])) - 1, end = std::ceil(std::max(ends[0], ends[1])) + 1;
        if (end > double(maxSize))
          return false;
        if (end >= 0)
          found.intervals.emplace_back(int64_t(std::max(begin, 0.)), int64_t(end));
      }
    }
  return true;
}

//===----------------------------------------------------------------------===//
// Solutions
//===----------------------------------------------------------------------===//

static int64_t repeatOf(IndexMapAttr map) { return map.isIdentity() ? 1 : map.getPeriod(); }

static void mergeIntervals(SmallVectorImpl<std::pair<int64_t, int64_t>> &intervals) {
  llvm::sort(intervals);
  SmallVector<std::pair<int64_t, int64_t>> merged;
  for (auto [begin, end] : intervals) {
    if (merged.empty() || begin > merged.back().second + 1)
      merged.emplace_back(begin, end);
    merged.back().second = std::max(merged.back().second, end);
  }
  intervals.assign(merged.begin(), merged.end());
}

std::optional<Breakpoints> mlir::xf::pattern::findBreakpoints(SolutionAttr solution, int64_t period,
                                                              const OpenSizes &sizes, TilePositions tiles) {
  Breakpoints found;
  for (PieceAttr piece : solution.getPieces()) {
    std::pair<int64_t, int64_t> repeat = {repeatOf(piece.getQueries()), repeatOf(piece.getKeys())};
    if (tiles) {
      auto [rows, columns] = tiles(piece);
      repeat = {std::lcm(repeat.first, rows), std::lcm(repeat.second, columns)};
    }
    Sides sides(sizes, repeat.first, repeat.second);
    sides.addPiece(piece);
    if (!sides.find(period, found))
      return std::nullopt;
  }
  if (TilesAttr predicate = solution.getTiles()) {
    Sides sides(sizes, 1, 1);
    sides.addTiles(predicate);
    if (!sides.find(period, found))
      return std::nullopt;
  }
  mergeIntervals(found.intervals);
  return found;
}
