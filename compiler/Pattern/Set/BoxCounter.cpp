//===- BoxCounter.cpp - The pairs of a predicate in a box -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/BoxCounter.h"
#include "compiler/Pattern/Set/Samples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::pattern;

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

static unsigned countVariables(TilesAttr tiles) {
  unsigned symbols = 2;
  for (IntegerSet set : tiles.getConjunctions())
    symbols = std::max(symbols, set.getNumSymbols());
  return 2 + symbols;
}

/// Returns the indices of the divisions that `form` uses, directly or through other divisions.
static SmallVector<unsigned, 4> divisionsOf(const System &system, const LinearForm &form) {
  SmallVector<unsigned, 4> numbers;
  for (unsigned k = 1 + system.getNumVariables(); k < form.size(); ++k)
    if (form[k]) {
      unsigned number = *system.divisionOf(k);
      numbers.push_back(number);
      llvm::append_range(numbers, divisionsOf(system, system.getDivisions()[number].numerator));
    }
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

unsigned BoxCounter::numberOf(AffineExpr expression, bool isEquality) {
  auto isKnown = [&](const Constraint &known) {
    return known.expression == expression && known.isEquality == isEquality;
  };
  if (const Constraint *known = llvm::find_if(constraints, isKnown); known != constraints.end())
    return known - constraints.begin();
  SmallVector<LinearForm, 4> dims = {system.variable(kQuery), system.variable(kKey)}, symbols;
  for (unsigned k = kNumQueries; k < system.getNumVariables(); ++k)
    symbols.push_back(system.variable(k));
  LinearForm form = importSolved(system, expression, dims, symbols);
  bool asksData = false;
  expression.walk([&](AffineExpr part) {
    auto symbol = dyn_cast<AffineSymbolExpr>(part);
    asksData |= symbol && symbol.getPosition() >= predicate.sizes.size();
  });
  constraints.push_back({expression, isEquality, form, divisionsOf(system, form), asksData});
  return constraints.size() - 1;
}

BoxCounter::BoxCounter(const PairPredicate &predicate, int64_t &budget)
    : predicate(predicate), budget(budget), system(countVariables(predicate.tiles)),
      periods(moduliOf(predicate.parts).periods) {
  for (IntegerSet set : predicate.tiles.getConjunctions()) {
    auto &numbers = whole.emplace_back();
    for (auto [constraint, isEquality] : llvm::zip(set.getConstraints(), set.getEqFlags()))
      numbers.push_back(numberOf(constraint, isEquality));
  }
}

bool BoxCounter::asksData(const Open &open) const {
  return llvm::any_of(open, [&](ArrayRef<unsigned> numbers) {
    return llvm::any_of(numbers, [&](unsigned number) { return constraints[number].asksData; });
  });
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

SmallVector<KeyRange> BoxCounter::symbolsOf(KeyRange positions, KeyRange keys, bool withData) const {
  SmallVector<KeyRange> symbols;
  for (int64_t size : predicate.sizes)
    symbols.push_back({size, size});
  for (unsigned number = 0; number < predicate.tiles.getData().size() && withData; ++number)
    symbols.push_back(predicate.rangeOfDatum(number, positions, keys, symbols));
  return symbols;
}

/// Evaluates the constraints `asked` on a box. Returns nullopt if all constraints of some conjunction hold on the whole
/// box. Otherwise returns the undecided constraints of each conjunction that may have a pair in the box.
std::optional<BoxCounter::Open> BoxCounter::decide(KeyRange positions, KeyRange keys, const Open &asked) const {
  enum Answer : char { Unasked, Never, Sometimes, Always };
  SmallVector<Answer, 16> answers(constraints.size(), Unasked);
  SmallVector<KeyRange> symbols = symbolsOf(positions, keys, asksData(asked));
  KeyRange dims[] = {positions, keys};
  auto answer = [&](unsigned number) {
    if (answers[number] != Unasked)
      return answers[number];
    KeyRange x = rangeOf(constraints[number].expression, dims, symbols);
    bool isEquality = constraints[number].isEquality;
    bool isNever = x.upper < 0 || (isEquality && x.lower > 0), isAlways = x.lower >= 0 && (!isEquality || x.upper <= 0);
    return answers[number] = isNever ? Never : isAlways ? Always : Sometimes;
  };
  Open open;
  for (ArrayRef<unsigned> numbers : asked) {
    if (llvm::any_of(numbers, [&](unsigned number) { return answer(number) == Never; }))
      continue;
    auto left = llvm::filter_to_vector<4>(numbers, [&](unsigned number) { return answer(number) == Sometimes; });
    if (left.empty())
      return std::nullopt;
    if (!llvm::is_contained(open, left))
      open.push_back(left);
  }
  return open;
}

/// Returns the values of i, j, Nq, Nk, the run-time symbols and the divisions at the pair (i, j).
SmallVector<int64_t, 16> BoxCounter::valuesAt(int64_t i, int64_t j) const {
  SmallVector<int64_t, 16> values = {i, j};
  values.append(predicate.sizes);
  values.resize(system.getNumVariables(), 0);
  system.evaluateDivisions(values);
  return values;
}

bool BoxCounter::contains(ArrayRef<int64_t> values, const Open &open) const {
  auto holds = [&](unsigned number) {
    int64_t value = System::evaluate(constraints[number].form, values);
    return constraints[number].isEquality ? value == 0 : value >= 0;
  };
  return llvm::any_of(open, [&](ArrayRef<unsigned> numbers) { return llvm::all_of(numbers, holds); });
}

int64_t BoxCounter::countPoints(KeyRange positions, KeyRange keys, const Open &open) const {
  int64_t members = 0;
  bool withData = asksData(open);
  for (int64_t i = positions.lower; i <= positions.upper; ++i)
    for (int64_t j = keys.lower; j <= keys.upper; ++j)
      members += withData ? predicate.contains(i, j) : contains(valuesAt(i, j), open);
  return members;
}

/// Returns the key under which the map `known` keeps the count of a box. The key consists of the box's shape, its
/// undecided constraints, and the values of these and of their division remainders at the first corner. Boxes with
/// equal keys have equally many pairs.
BoxCounter::Key BoxCounter::keyOf(KeyRange positions, KeyRange keys, const Open &open) const {
  SmallVector<int64_t, 16> values = valuesAt(positions.lower, keys.lower);
  Key key = {positions.upper - positions.lower, keys.upper - keys.lower};
  for (ArrayRef<unsigned> numbers : open) {
    key.push_back(-1); // no constraint has this number
    for (unsigned number : numbers) {
      const Constraint &constraint = constraints[number];
      key.push_back(number);
      key.push_back(System::evaluate(constraint.form, values));
      for (unsigned used : constraint.divisions) {
        const Division &division = system.getDivisions()[used];
        key.push_back(llvm::mod(System::evaluate(division.numerator, values), division.denominator));
      }
    }
  }
  return key;
}

/// Returns the first part of a range, about half of it. The part ends at the end of a period of some division, so that
/// many boxes have equal keys.
KeyRange BoxCounter::firstPart(KeyRange range) const {
  int64_t half = (range.upper - range.lower + 1) / 2, end = range.lower + half;
  for (int64_t period : llvm::reverse(periods))
    if (int64_t aligned = period * llvm::divideFloorSigned(end, period); period <= half && aligned > range.lower)
      return {range.lower, aligned - 1};
  return {range.lower, end - 1};
}

std::optional<int64_t> BoxCounter::count(KeyRange positions, KeyRange keys, const Open &asked) {
  constexpr int64_t smallArea = 64; // pairs of a box that are counted one by one
  int64_t rows = positions.upper - positions.lower + 1, columns = keys.upper - keys.lower + 1;
  if (rows <= 0 || columns <= 0)
    return 0;
  if (--budget < 0)
    return std::nullopt;
  std::optional<Open> open = decide(positions, keys, asked);
  if (!open)
    return rows * columns;
  if (open->empty())
    return 0;
  std::optional<Key> key;
  if (!asksData(*open)) {
    key = keyOf(positions, keys, *open);
    if (auto found = known.find(*key); found != known.end())
      return found->second;
  }
  std::optional<int64_t> first, second;
  if (rows * columns <= smallArea) {
    first = countPoints(positions, keys, *open), second = 0;
  } else if (rows > columns) {
    KeyRange part = firstPart(positions);
    first = count(part, keys, *open);
    second = first ? count({part.upper + 1, positions.upper}, keys, *open) : std::nullopt;
  } else {
    KeyRange part = firstPart(keys);
    first = count(positions, part, *open);
    second = first ? count(positions, {part.upper + 1, keys.upper}, *open) : std::nullopt;
  }
  if (!second)
    return std::nullopt;
  if (key)
    known.emplace(*key, *first + *second);
  return *first + *second;
}
