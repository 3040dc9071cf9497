//===- Samples.cpp - Sets evaluated at chosen points ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pattern/Set/Samples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf::pattern;

static constexpr int64_t maxSampleSize = 1 << 18;
/// The largest number of sampled rows, and also of sampled columns: `numCoordinates` for the first sample size,
/// `numOtherCoordinates` for the others.
static constexpr size_t numCoordinates = 96, numOtherCoordinates = 44;

static void sortUnique(SmallVectorImpl<int64_t> &values) {
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
}

//===----------------------------------------------------------------------===//
// Moduli
//===----------------------------------------------------------------------===//

/// Adds the periods and cells of each division of `set` to `moduli`. The period of nested divisions is a product:
/// floor(floor(x / 4) / 3) repeats after 12 positions.
static void collectPeriods(const Conjunction &set, Moduli &moduli) {
  SmallVector<int64_t, 8> periods;
  for (const Division &division : set.getDivisions()) {
    int64_t denominator = division.denominator;
    moduli.periods.push_back(denominator);
    moduli.cells.push_back(denominator);
    int64_t period = denominator;
    for (unsigned k = 1; k < division.numerator.size(); ++k) {
      int64_t coefficient = division.numerator[k];
      if (!coefficient)
        continue;
      int64_t common = std::gcd(coefficient, denominator);
      if (common > 1 && common < denominator) {
        moduli.cells.push_back(common);
        moduli.periods.push_back(denominator / common);
      }
      if (std::optional<unsigned> inner = set.divisionOf(k); inner && periods[*inner] < maxSampleSize) {
        moduli.periods.push_back(denominator * periods[*inner]);
        moduli.cells.push_back(periods[*inner]);
        period = denominator * periods[*inner];
      }
    }
    periods.push_back(std::min(period, maxSampleSize));
  }
}

Moduli mlir::xf::pattern::moduliOf(const Set &set) {
  Moduli moduli;
  moduli.cells.push_back(1);
  for (const Conjunction &conjunction : set)
    collectPeriods(conjunction, moduli);
  auto isUseless = [](int64_t period) { return period < 2 || period > maxSampleSize; };
  llvm::erase_if(moduli.periods, isUseless);
  llvm::erase_if(moduli.cells, [](int64_t cell) { return cell > maxSampleSize; });
  sortUnique(moduli.periods);
  sortUnique(moduli.cells);
  return moduli;
}

//===----------------------------------------------------------------------===//
// Sizes and points
//===----------------------------------------------------------------------===//

SmallVector<int64_t, 32> SampleSize::origin() const {
  SmallVector<int64_t, 32> values = {0, 0, numQueries, numKeys};
  values.append(symbols.begin(), symbols.end());
  return values;
}

void SampleSize::visitPoints(function_ref<void(unsigned, SmallVectorImpl<int64_t> &)> visit) const {
  SmallVector<int64_t, 32> values = origin();
  size_t numVariables = values.size();
  unsigned number = 0;
  for (int64_t i : queries)
    for (int64_t j : keys) {
      values[0] = i;
      values[1] = j;
      visit(number++, values);
      values.truncate(numVariables);
    }
}

/// Returns the smallest constants in the constraints of a set, at most 8. The bounds of the set may change near them.
static SmallVector<int64_t> constantsOf(const Set &set) {
  SmallVector<int64_t> constants;
  for (const Conjunction &conjunction : set)
    for (const auto *forms : {&conjunction.equalities, &conjunction.inequalities})
      for (const LinearForm &form : *forms)
        if (int64_t constant = std::abs(form.constant()); constant > 2 && constant <= maxSampleSize)
          constants.push_back(constant);
  sortUnique(constants);
  if (constants.size() > 8)
    constants.truncate(8);
  return constants;
}

/// Returns at most `limit` coordinates in [begin, end), ascending. If not all fit, takes the coordinates at the ends
/// first. Next come coordinates near multiples of `periods`, then coordinates whose distance from such a multiple is
/// one of `constants`, and then evenly spaced ones.
static SmallVector<int64_t> chooseCoordinates(int64_t begin, int64_t end, size_t limit, ArrayRef<int64_t> periods,
                                              ArrayRef<int64_t> constants) {
  SmallVector<int64_t> chosen;
  if (end - begin <= int64_t(limit)) {
    for (int64_t x = begin; x < end; ++x)
      chosen.push_back(x);
    return chosen;
  }
  auto choose = [&](int64_t x) {
    if (x >= begin && x < end && chosen.size() < limit && !llvm::is_contained(chosen, x))
      chosen.push_back(x);
  };
  for (int64_t distance = 0; distance < 6; ++distance) {
    choose(distance);
    choose(begin + distance);
    if (distance < 3)
      choose(end - 1 - distance);
  }
  SmallVector<int64_t> origins = {0};
  for (int64_t multiple : {1, 2, 3})
    for (int64_t period : periods)
      origins.push_back(multiple * period);
  for (int64_t origin : origins)
    for (int64_t near : {0, -1, 1})
      choose(origin + near);
  for (int64_t origin : origins)
    for (int64_t constant : constants)
      for (int64_t near : {0, -1, 1, 2}) {
        choose(origin + constant + near);
        choose(origin - constant + near);
      }
  for (int64_t step = 1; chosen.size() < limit && step < int64_t(2 * limit); ++step)
    choose(begin + step * (end - begin) / int64_t(2 * limit));
  llvm::sort(chosen);
  return chosen;
}

Samples::Samples(const Set &pattern) {
  if (pattern.empty())
    return;
  Moduli moduli = moduliOf(pattern);
  SmallVector<int64_t> constants = constantsOf(pattern);
  int64_t period = moduli.periods.empty() ? 1 : moduli.periods.back();
  int64_t constant = constants.empty() ? 0 : constants.back();
  int64_t size = std::min(std::max<int64_t>({numCoordinates, 4 * period, 2 * constant + 32}), maxSampleSize);
  unsigned numSymbols = pattern.front().getNumVariables() - kFirstSymbol;
  // More queries than keys means rows at negative positions.
  int64_t shapes[][3] = {{size, size, size / 3}, {size / 2 - 3, size, 7}, {size, size / 3 + 1, size / 2 + 1}};
  for (auto [number, shape] : llvm::enumerate(shapes)) {
    size_t limit = number == 0 ? numCoordinates : numOtherCoordinates;
    SampleSize &sample = sizes.emplace_back();
    sample.numQueries = shape[0];
    sample.numKeys = shape[1];
    for (unsigned k = 0; k < numSymbols; ++k)
      sample.symbols.push_back(shape[2] + 11 * k);
    int64_t first = sample.numKeys - sample.numQueries;
    sample.queries = chooseCoordinates(first, sample.numKeys, limit, moduli.periods, constants);
    sample.keys = chooseCoordinates(0, sample.numKeys, limit, moduli.periods, constants);
  }
}

std::pair<unsigned, unsigned> mlir::xf::pattern::placesWhere(int64_t coefficient, int64_t rest,
                                                             ArrayRef<int64_t> coordinates) {
  unsigned count = coordinates.size();
  if (coefficient == 0)
    return {0, rest >= 0 ? count : 0};
  auto holds = [&](int64_t x) { return coefficient * x + rest >= 0; };
  auto isBefore = [&](int64_t x) { return holds(x) == (coefficient < 0); };
  unsigned border = llvm::partition_point(coordinates, isBefore) - coordinates.begin();
  return coefficient > 0 ? std::pair(border, count) : std::pair(0u, border);
}

namespace {
/// Finds the points of a row that belong to one conjunction. A constraint without a division of j holds on an interval
/// of the row. The other constraints are evaluated only in the intersection of these intervals.
class RowSampler {
public:
  explicit RowSampler(const Conjunction &set);
  /// Sets bit `first` + n of `members` if the nth of the ascending `keys` belongs to the conjunction. `values` holds
  /// the values of the pattern's variables in this row.
  void mark(SmallVectorImpl<int64_t> &values, ArrayRef<int64_t> keys, unsigned first, llvm::BitVector &members) const;

private:
  std::pair<unsigned, unsigned> candidates(SmallVectorImpl<int64_t> &values, ArrayRef<int64_t> keys) const;
  bool holdsAt(SmallVectorImpl<int64_t> &values) const;

  const Conjunction &set;
  SmallVector<LinearForm> simple, others; // inequalities; an equality becomes two
};
} // namespace

RowSampler::RowSampler(const Conjunction &set) : set(set) {
  SmallVector<bool, 8> dependent;
  auto usesKeyDivision = [&](const LinearForm &form) {
    for (unsigned number = 0; number < dependent.size(); ++number)
      if (dependent[number] && form[1 + set.getNumVariables() + number])
        return true;
    return false;
  };
  for (const Division &division : set.getDivisions())
    dependent.push_back(division.numerator[1 + kKey] != 0 || usesKeyDivision(division.numerator));
  auto add = [&](const LinearForm &form) { (usesKeyDivision(form) ? others : simple).push_back(form); };
  for (const LinearForm &form : set.equalities)
    add(form), add(-form);
  llvm::for_each(set.inequalities, add);
}

std::pair<unsigned, unsigned> RowSampler::candidates(SmallVectorImpl<int64_t> &values, ArrayRef<int64_t> keys) const {
  unsigned begin = 0, end = keys.size();
  values[kKey] = 0;
  set.evaluateDivisions(values);
  for (const LinearForm &form : simple) {
    auto [first, last] = placesWhere(form[1 + kKey], System::evaluate(form, values), keys);
    begin = std::max(begin, first), end = std::min(end, last);
  }
  values.truncate(set.getNumVariables());
  return {begin, end};
}

bool RowSampler::holdsAt(SmallVectorImpl<int64_t> &values) const {
  set.evaluateDivisions(values);
  bool holds = llvm::all_of(others, [&](const LinearForm &form) { return System::evaluate(form, values) >= 0; });
  values.truncate(set.getNumVariables());
  return holds;
}

void RowSampler::mark(SmallVectorImpl<int64_t> &values, ArrayRef<int64_t> keys, unsigned first,
                      llvm::BitVector &members) const {
  auto [begin, end] = candidates(values, keys);
  if (others.empty() && begin < end)
    members.set(first + begin, first + end);
  for (unsigned place = begin; place < end && !others.empty(); ++place) {
    values[kKey] = keys[place];
    if (holdsAt(values))
      members.set(first + place);
  }
}

SmallVector<SampleGrid> Samples::evaluate(const Set &set) const {
  SmallVector<SampleGrid> grids;
  for (const SampleSize &size : sizes) {
    SampleGrid &grid = grids.emplace_back();
    grid.size = &size;
    grid.members.resize(size.queries.size() * size.keys.size());
    SmallVector<int64_t, 32> values = size.origin();
    for (const Conjunction &part : set) {
      RowSampler sampler(part);
      for (auto [row, i] : llvm::enumerate(size.queries)) {
        values[kQuery] = i;
        sampler.mark(values, size.keys, row * size.keys.size(), grid.members);
      }
    }
  }
  return grids;
}

std::optional<int64_t> mlir::xf::pattern::firstKey(const Set &set, const SampleSize &size, int64_t i, int64_t begin,
                                                   int64_t end) {
  constexpr int64_t most = 256; // keys that are evaluated together
  SmallVector<RowSampler, 0> samplers(set.begin(), set.end());
  SmallVector<int64_t, 32> values = size.origin();
  values[kQuery] = i;
  for (int64_t j = begin; j < end; j += most) {
    auto keys = llvm::to_vector(llvm::seq(j, std::min(end, j + most)));
    llvm::BitVector members(keys.size());
    for (const RowSampler &sampler : samplers)
      sampler.mark(values, keys, 0, members);
    if (members.any())
      return j + members.find_first();
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Intervals
//===----------------------------------------------------------------------===//

/// Returns whether the members of each line follow each other without gaps. There are `count` lines, each with `length`
/// sampled points.
template <typename IsMember>
static bool followEachOther(unsigned count, unsigned length, IsMember isMember) {
  for (unsigned line = 0; line < count; ++line) {
    unsigned runs = 0;
    bool wasMember = false;
    for (unsigned n = 0; n < length; ++n) {
      bool is = isMember(line, n);
      runs += is && !wasMember;
      wasMember = is;
    }
    if (runs > 1)
      return false;
  }
  return true;
}

bool mlir::xf::pattern::hasIntervalRows(const SampleGrid &grid) {
  auto isMember = [&](unsigned row, unsigned column) { return grid.contains(row, column); };
  return followEachOther(grid.size->queries.size(), grid.size->keys.size(), isMember);
}

bool mlir::xf::pattern::hasIntervalColumns(const SampleGrid &grid) {
  auto isMember = [&](unsigned column, unsigned row) { return grid.contains(row, column); };
  return followEachOther(grid.size->keys.size(), grid.size->queries.size(), isMember);
}
