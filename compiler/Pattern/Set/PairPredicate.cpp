//===- PairPredicate.cpp - The predicate of tiles at given sizes ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/PairPredicate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

KeyRange mlir::xf::pattern::rangeOf(AffineExpr expression, ArrayRef<KeyRange> dims, ArrayRef<KeyRange> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return {constant.getValue(), constant.getValue()};
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  KeyRange x = rangeOf(binary.getLHS(), dims, symbols), y = rangeOf(binary.getRHS(), dims, symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return {x.lower + y.lower, x.upper + y.upper};
  case AffineExprKind::Mul: // by a constant
    return y.lower < 0 ? KeyRange{x.upper * y.lower, x.lower * y.lower}
                       : KeyRange{x.lower * y.lower, x.upper * y.lower};
  case AffineExprKind::FloorDiv:
    return {llvm::divideFloorSigned(x.lower, y.lower), llvm::divideFloorSigned(x.upper, y.lower)};
  case AffineExprKind::CeilDiv:
    return {llvm::divideCeilSigned(x.lower, y.lower), llvm::divideCeilSigned(x.upper, y.lower)};
  default:
    break;
  }
  int64_t divisor = y.lower, quotient = llvm::divideFloorSigned(x.lower, divisor);
  if (quotient != llvm::divideFloorSigned(x.upper, divisor))
    return {0, divisor - 1};
  return {x.lower - quotient * divisor, x.upper - quotient * divisor};
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

static SmallVector<int64_t, 0> elementsOf(DenseIntElementsAttr elements) {
  SmallVector<int64_t, 0> result;
  for (const APInt &element : elements.getValues<APInt>())
    result.push_back(element.getSExtValue());
  return result;
}

ArrayRef<int64_t> PairPredicate::Lists::at(int64_t row) const {
  if (row < 0 || row >= rows)
    return {};
  int64_t begin = offsets[first + row];
  return ArrayRef<int64_t>(columns).slice(begin, offsets[first + row + 1] - begin);
}

/// Returns the values of a datum at `count` positions from `first` on, which are rows if `isRow`, else keys. The value
/// is -1 at positions where the datum has none.
PairPredicate::Values PairPredicate::valuesOf(DatumAttr datum, AffineMap map, int64_t first, int64_t count,
                                              bool isRow) const {
  ArrayRef<int64_t> numbers = datum.getNumbers();
  Values result;
  for (int64_t n = 0; n < count; ++n) {
    SmallVector<KeyRange> symbols;
    for (int64_t size : sizes)
      symbols.push_back({size, size});
    for (auto [number, earlier] : llvm::enumerate(values))
      symbols.push_back(!earlier.empty() && bool(tiles.getData()[number].getRow()) == isRow
                            ? KeyRange{earlier[n], earlier[n]}
                            : KeyRange{0, 0});
    symbols.resize(map.getNumSymbols(), {0, 0});
    int64_t place = rangeOf(map.getResult(0), KeyRange{first + n, first + n}, symbols).lower;
    result.push_back(place >= 0 && place < static_cast<int64_t>(numbers.size()) ? numbers[place] : -1);
  }
  return result;
}

void PairPredicate::readData(int64_t numQueries, int64_t numKeys, int64_t head) {
  for (DatumAttr datum : tiles.getData()) {
    assert(datum.isStatic() && "data that are operands have no values here");
    Values numbers;
    Lists found;
    if (datum.getSource() == DatumSource::k_lists) {
      found = {elementsOf(datum.getOffsets()), elementsOf(datum.getColumns()), 0, datum.getRows()};
      found.first = head % datum.getHeads() * found.rows;
    } else if (datum.getRow()) {
      numbers = valuesOf(datum, datum.getRow(), firstPosition, numQueries, /*isRow=*/true);
    } else {
      numbers = valuesOf(datum, datum.getColumn(), 0, numKeys, /*isRow=*/false);
    }
    values.push_back(std::move(numbers));
    lists.push_back(std::move(found));
  }
}

PairPredicate::PairPredicate(TilesAttr tiles, int64_t numQueries, int64_t numKeys, ArrayRef<int64_t> symbols,
                             int64_t head)
    : tiles(tiles), firstPosition(numKeys - numQueries), sizes{numQueries, numKeys} {
  sizes.append(symbols.begin(), symbols.end());
  if (!tiles.getData().empty())
    sizes.resize(tiles.getSymbol(0), 0);
  for (IntegerSet set : tiles.getConjunctions()) {
    Conjunction &part = parts.emplace_back(2 + set.getNumSymbols());
    SmallVector<LinearForm, 2> dims = {part.variable(kQuery), part.variable(kKey)};
    SmallVector<LinearForm, 4> symbolForms;
    for (unsigned k = 0; k < set.getNumSymbols(); ++k)
      symbolForms.push_back(part.variable(kNumQueries + k));
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      LinearForm form = importSolved(part, constraint, dims, symbolForms);
      if (isEquality)
        part.addEquality(form);
      else
        part.addInequality(form);
    }
  }
  readData(numQueries, numKeys, head);
}

int64_t PairPredicate::valueOf(unsigned number, int64_t i, int64_t j, ArrayRef<int64_t> symbols) const {
  DatumAttr datum = tiles.getData()[number];
  if (!datum.isOfPair())
    return datum.getRow() ? values[number][i - firstPosition] : values[number][j];
  SmallVector<KeyRange> points;
  for (int64_t symbol : symbols)
    points.push_back({symbol, symbol});
  points.resize(std::max(datum.getRow().getNumSymbols(), datum.getColumn().getNumSymbols()), {0, 0});
  int64_t row = rangeOf(datum.getRow().getResult(0), KeyRange{i, i}, points).lower;
  int64_t column = rangeOf(datum.getColumn().getResult(0), KeyRange{j, j}, points).lower;
  return llvm::binary_search(lists[number].at(row), column);
}

bool PairPredicate::contains(int64_t i, int64_t j) const {
  SmallVector<int64_t, 16> symbols(sizes.begin(), sizes.end());
  for (unsigned number = 0; number < tiles.getData().size(); ++number)
    symbols.push_back(valueOf(number, i, j, symbols));
  return llvm::any_of(parts, [&](const Conjunction &part) {
    SmallVector<int64_t, 16> point = {i, j};
    point.append(symbols);
    point.truncate(part.getNumVariables());
    return part.contains(point);
  });
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

static KeyRange rangeOfValues(ArrayRef<int64_t> values) {
  auto [least, most] = std::minmax_element(values.begin(), values.end());
  return {*least, *most};
}

KeyRange PairPredicate::rangeOfDatum(unsigned number, KeyRange positions, KeyRange keys,
                                     ArrayRef<KeyRange> symbols) const {
  DatumAttr datum = tiles.getData()[number];
  auto among = [&](KeyRange range, int64_t origin) {
    return rangeOfValues(ArrayRef(values[number]).slice(range.lower - origin, range.upper - range.lower + 1));
  };
  if (!datum.isOfPair())
    return datum.getRow() ? among(positions, firstPosition) : among(keys, 0);
  SmallVector<KeyRange> known(symbols);
  known.resize(std::max(datum.getRow().getNumSymbols(), datum.getColumn().getNumSymbols()), {0, 0});
  KeyRange rows = rangeOf(datum.getRow().getResult(0), positions, known);
  KeyRange columns = rangeOf(datum.getColumn().getResult(0), keys, known);
  constexpr int64_t most = 256;
  if (rows.upper - rows.lower >= most)
    return {0, 1};
  bool some = false, all = true;
  for (int64_t row = rows.lower; row <= rows.upper; ++row) {
    ArrayRef<int64_t> list = lists[number].at(row);
    int64_t count = llvm::upper_bound(list, columns.upper) - llvm::lower_bound(list, columns.lower);
    some |= count > 0;
    all &= count == columns.upper - columns.lower + 1;
  }
  return {all, some};
}

PairPredicate::Share PairPredicate::decide(KeyRange positions, KeyRange keys) const {
  SmallVector<KeyRange> symbols;
  for (int64_t size : sizes)
    symbols.push_back({size, size});
  for (unsigned number = 0; number < tiles.getData().size(); ++number)
    symbols.push_back(rangeOfDatum(number, positions, keys, symbols));
  KeyRange dims[] = {positions, keys};
  Share share = Share::None;
  for (IntegerSet set : tiles.getConjunctions()) {
    Share one = Share::All;
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags())) {
      KeyRange x = rangeOf(constraint, dims, symbols);
      bool isNever = x.upper < 0 || (isEquality && x.lower > 0);
      bool isAlways = x.lower >= 0 && (!isEquality || x.upper <= 0);
      one = isNever ? Share::None : isAlways ? one : std::min(one, Share::Some);
      if (isNever)
        break;
    }
    share = std::max(share, one);
  }
  return share;
}

/// Halves a box along its longer side and calls `visit` with each half.
template <typename Visit>
static void split(KeyRange positions, KeyRange keys, Visit visit) {
  if (positions.upper - positions.lower > keys.upper - keys.lower) {
    int64_t middle = (positions.lower + positions.upper) >> 1;
    visit({positions.lower, middle}, keys);
    visit({middle + 1, positions.upper}, keys);
  } else {
    int64_t middle = (keys.lower + keys.upper) >> 1;
    visit(positions, {keys.lower, middle});
    visit(positions, {middle + 1, keys.upper});
  }
}

static int64_t areaOf(KeyRange positions, KeyRange keys) {
  return std::max<int64_t>(0, positions.upper - positions.lower + 1) *
         std::max<int64_t>(0, keys.upper - keys.lower + 1);
}

/// A box of at most this many pairs is examined pair by pair instead of being split.
static constexpr int64_t smallArea = 64;

void PairPredicate::visitMembers(KeyRange positions, KeyRange keys, function_ref<bool()> visit) const {
  for (int64_t i = positions.lower; i <= positions.upper; ++i)
    for (int64_t j = keys.lower; j <= keys.upper; ++j)
      if (contains(i, j) && !visit())
        return;
}

std::optional<bool> PairPredicate::hasPair(KeyRange positions, KeyRange keys, int64_t &budget) const {
  int64_t area = areaOf(positions, keys);
  if (area == 0)
    return false;
  if (--budget < 0)
    return std::nullopt;
  Share share = decide(positions, keys);
  if (share != Share::Some)
    return share == Share::All;
  if (area <= smallArea) {
    bool found = false;
    visitMembers(positions, keys, [&] { return found = true, false; });
    return found;
  }
  std::optional<bool> found = false;
  split(positions, keys, [&](KeyRange rows, KeyRange columns) {
    if (found && !*found)
      found = hasPair(rows, columns, budget);
  });
  return found;
}
