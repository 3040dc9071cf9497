//===- Relation.cpp - A piece at known sizes ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relation.h"
#include "Integers.h"

#include <algorithm>

using namespace xfrt::plan;

/// Sums of products of two sizes stay within 63 bits.
static constexpr int64_t mostKeys = (int64_t(1) << 31) - 1;
/// More phases, or phases of all residues, are not looked at: rows are visited one by one instead.
static constexpr int64_t mostPhases = 1 << 12;
static constexpr int64_t mostPhasesOfAll = 1 << 18;
/// Numbers that sums of one residue's bounds may take.
static constexpr int64_t mostSums = 1 << 16;

static bool fail(std::string &error, const std::string &what, int64_t got) {
  error = "expected " + what + ", got " + std::to_string(got);
  return false;
}

static bool checkMap(const IndexMap &map, int64_t residues, std::string &error) {
  for (int64_t number : {map.residues, map.period, map.width, map.cell})
    if (number < 1 || number > mostKeys)
      return fail(error, "residues, period, width and cell of an index map in [1, 2^31)", number);
  for (int64_t number : {map.offset, map.multiplier, map.shift})
    if (number < 0 || number > mostKeys)
      return fail(error, "offset, multiplier and shift of an index map in [0, 2^31)", number);
  if (map.residues != 1 && map.residues != residues)
    return fail(error, "an index map of 1 or " + std::to_string(residues) + " residues", map.residues);
  if (map.offset + map.width > map.period && map.period != map.width)
    return fail(error, "a window inside the period " + std::to_string(map.period), map.offset + map.width);
  if (map.residues > 1 && multiplySaturated(map.residues, map.cell) != map.period)
    return fail(error, "a period of residues x cell", map.period);
  if (map.residues > 1 && map.offset + map.width > map.cell)
    return fail(error, "a window inside the cell " + std::to_string(map.cell), map.offset + map.width);
  return true;
}

bool Relation::check(std::string &error) const {
  if (sizes.keys < 0 || sizes.keys > mostKeys)
    return fail(error, "between 0 and 2147483647 keys", sizes.keys);
  if (sizes.queries < 0 || sizes.queries > sizes.keys)
    return fail(error, "between 0 and " + std::to_string(sizes.keys) + " queries, the number of keys", sizes.queries);
  if (piece.residues < 1 || piece.residues > (1 << 24))
    return fail(error, "between 1 and 2^24 residues of a piece", piece.residues);
  if (!checkMap(piece.queries, piece.residues, error) || !checkMap(piece.keys, piece.residues, error))
    return false;
  for (size_t b = 0; b < piece.boxes.size(); ++b) {
    const Box &box = piece.boxes[b];
    for (const Interval &side : {box.queries, box.keys})
      if (side.begin < 0 || side.end < side.begin || side.end > sizes.keys)
        return fail(error, "box " + std::to_string(b) + " within the keys", side.begin < 0 ? side.begin : side.end);
    if (b > 0 && box.queries.begin < piece.boxes[b - 1].queries.begin)
      return fail(error, "boxes in the order of their queries", box.queries.begin);
  }
  return true;
}

bool Relation::bindForms(std::span<const int64_t> symbols, std::string &error) {
  std::vector<int64_t> values = {sizes.queries, sizes.keys};
  values.insert(values.end(), symbols.begin(), symbols.end());
  auto bind = [&](const std::vector<Form> &forms, std::vector<Function> &functions) {
    functions.assign(forms.size(), {});
    for (size_t f = 0; f < forms.size(); ++f)
      if (!functions[f].bind(forms[f], values, 4 * (mostKeys + 1), error))
        return false;
    return true;
  };
  return bind(piece.lower, lower) && bind(piece.upper, upper) && bind(piece.rows, conditions);
}

bool Relation::make(const Piece &piece, Sizes sizes, std::span<const int64_t> symbols, std::string &error) {
  this->piece = piece;
  this->sizes = sizes;
  if (!check(error) || !bindForms(symbols, error))
    return false;
  byKeys.resize(piece.boxes.size());
  std::iota(byKeys.begin(), byKeys.end(), 0);
  std::sort(byKeys.begin(), byKeys.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(piece.boxes[a].keys.begin, a) < std::pair(piece.boxes[b].keys.begin, b);
  });
  longestQueries = longestKeys = 0;
  for (const Box &box : piece.boxes) {
    longestQueries = std::max(longestQueries, box.queries.size());
    longestKeys = std::max(longestKeys, box.keys.size());
  }
  findPhases();
  findGroups();
  return true;
}

Interval Relation::numbersOf(int64_t residue) const {
  return {piece.keys.number(residue, 0), piece.keys.number(residue, sizes.keys)};
}

/// A residue belongs to the group of the one before it where the same lines, over the same numbers, are those of both.
void Relation::findGroups() {
  groups.clear();
  std::vector<Lines> lines, last;
  Interval lastRows;
  for (int64_t r = 0; r < piece.residues; ++r) {
    Interval numbers = numbersOf(r);
    Interval rows = {piece.queries.number(r, sizes.keys - sizes.queries), piece.queries.number(r, sizes.keys)};
    makeLines(r, lines);
    bool isAlike = phases > 0 && r > 0 && numbers == groups.back().numbers && rows == lastRows && lines == last &&
                   piece.queries.start(r - 1) <= piece.queries.start(r) &&
                   piece.keys.start(r - 1) <= piece.keys.start(r);
    if (isAlike) {
      groups.back().residues.end = r + 1;
      continue;
    }
    groups.push_back({{r, r + 1}, numbers, findBand(r)});
    sumBounds(r, groups.back().band);
    std::swap(lines, last);
    lastRows = rows;
  }
}

Part Relation::all() const { return {{sizes.keys - sizes.queries, sizes.keys}, {0, sizes.keys}, {0, piece.residues}}; }

bool Relation::isRegular() const {
  return std::all_of(groups.begin(), groups.end(), [](const Group &group) { return group.band.isRegular; });
}

/// Sets `phases` and the slopes.
void Relation::findPhases() {
  phases = 0;
  int64_t most = mostKeys; // of a period in tokens
  int64_t period = piece.queries.period;
  for (const auto *functions : {&lower, &upper, &conditions})
    for (const Function &function : *functions)
      if (period > 0)
        period = function.period(period, most);
  bool isPacked = piece.keys.period != piece.keys.width; // numbers of keys repeat with the period of the key map alone
  for (const auto *functions : {&lower, &upper})
    for (const Function &function : *functions)
      if (period > 0 && isPacked)
        period = multiplySaturated(period, piece.keys.period / std::gcd(piece.keys.period, function.slope(period)));
  if (period == 0 || period > most)
    return;
  int64_t count = period / piece.queries.period * piece.queries.width;
  if (count > mostPhases || multiplySaturated(count, piece.residues) > mostPhasesOfAll)
    return;
  phases = count;
  auto slopes = [&](const std::vector<Function> &functions, std::vector<int64_t> &slopes, bool ofKeys) {
    slopes.clear();
    for (const Function &function : functions) {
      int64_t slope = function.slope(period);
      slopes.push_back(ofKeys && isPacked ? slope / piece.keys.period * piece.keys.width : slope);
    }
  };
  slopes(lower, lowerSlopes, true);
  slopes(upper, upperSlopes, true);
  slopes(conditions, conditionSlopes, false);
}

void Relation::makeLines(int64_t residue, int64_t phase, Lines &lines) const {
  int64_t i = piece.queries.at(residue, phase);
  Interval numbers = numbersOf(residue);
  lines.begins.assign(1, {numbers.begin, 0});
  lines.ends.assign(1, {numbers.end, 0});
  lines.conditions.clear();
  for (size_t f = 0; f < lower.size(); ++f)
    lines.begins.push_back({piece.keys.number(residue, lower[f].at(i)), lowerSlopes[f]});
  for (size_t f = 0; f < upper.size(); ++f)
    lines.ends.push_back({piece.keys.number(residue, upper[f].at(i) + 1), upperSlopes[f]});
  for (size_t f = 0; f < conditions.size(); ++f)
    lines.conditions.push_back({conditions[f].at(i), conditionSlopes[f]});
}

/// Those of every phase.
void Relation::makeLines(int64_t residue, std::vector<Lines> &lines) const {
  lines.resize(phases);
  for (int64_t phase = 0; phase < phases; ++phase)
    makeLines(residue, phase, lines[phase]);
}

/// The t with phase + t phases in [first, last).
static Interval turnsOf(int64_t first, int64_t last, int64_t phase, int64_t phases) {
  return {ceilDivide(first - phase, phases), ceilDivide(last - phase, phases)};
}

Relation::Band Relation::findBand(int64_t residue) const {
  Band band;
  band.first = piece.queries.number(residue, sizes.keys - sizes.queries);
  band.last = piece.queries.number(residue, sizes.keys);
  band.isRegular = false;
  if (phases == 0 || band.first >= band.last) {
    band.isRegular = band.first >= band.last;
    return band;
  }
  int64_t count = 0, first = band.last, last = band.first;
  Lines lines;
  for (int64_t phase = 0; phase < phases; ++phase) {
    makeLines(residue, phase, lines);
    Interval turns = turnsOf(band.first, band.last, phase, phases);
    for (const Line &condition : lines.conditions)
      turns = whereNotNegative(condition, turns);
    turns = whereAbove(lines.begins, lines.ends, turns);
    if (turns.size() == 0)
      continue;
    count += turns.size();
    first = std::min(first, phase + turns.begin * phases);
    last = std::max(last, phase + (turns.end - 1) * phases + 1);
  }
  if (count == 0)
    first = last;
  band.first = first;
  band.last = last;
  band.isRegular = count == last - first && (count == 0 || (isMonotone(residue) && touches(residue, band)));
  return band;
}

void Relation::sumBounds(int64_t residue, Band &band) const {
  if (phases == 0 || !band.isRegular || band.first >= band.last)
    return;
  std::vector<std::vector<Line>> begins, ends;
  Lines lines;
  for (int64_t phase = 0; phase < phases; ++phase) {
    makeLines(residue, phase, lines);
    begins.push_back(lines.begins);
    ends.push_back(lines.ends);
  }
  band.beginOf.make(begins, true);
  band.endOf.make(ends, false);
  band.isSummed = band.begins.make(begins, true, band.first, band.last, mostSums) &&
                  band.ends.make(ends, false, band.first, band.last, mostSums);
}

/// Whether no result of a bound decreases.
bool Relation::isMonotone(int64_t residue) const {
  Lines lines, next;
  makeLines(residue, 0, lines);
  for (int64_t phase = 0; phase < phases; ++phase) {
    makeLines(residue, phase + 1, next); // phase 0 one turn later, in the end
    for (size_t k = 0; k < lines.begins.size(); ++k)
      if (next.begins[k].value < lines.begins[k].value)
        return false;
    for (size_t k = 0; k < lines.ends.size(); ++k)
      if (next.ends[k].value < lines.ends[k].value)
        return false;
    std::swap(lines, next);
  }
  return true;
}

/// Whether what each row of the band sees begins no later than what the row before it sees ends.
bool Relation::touches(int64_t residue, const Band &band) const {
  Lines lines, next;
  makeLines(residue, 0, lines);
  for (int64_t phase = 0; phase < phases; ++phase) {
    makeLines(residue, phase + 1, next);
    Interval turns = turnsOf(band.first, band.last - 1, phase, phases);
    for (const Line &begin : next.begins)
      for (const Line &end : lines.ends)
        if (turns.size() > 0 &&
            whereNotNegative({end.value - begin.value, end.slope - begin.slope}, turns).size() != turns.size())
          return false;
    std::swap(lines, next);
  }
  return true;
}

int64_t Relation::beginOf(const Rows &rows, int64_t number) const {
  const RowBounds &bounds = rows.group->band.beginOf;
  return bounds.empty() ? keysOf(rows.residue, number).begin : bounds.at(number);
}

int64_t Relation::endOf(const Rows &rows, int64_t number) const {
  const RowBounds &bounds = rows.group->band.endOf;
  return bounds.empty() ? keysOf(rows.residue, number).end : bounds.at(number);
}

Interval Relation::keysOf(int64_t residue, int64_t number) const {
  int64_t i = piece.queries.at(residue, number);
  int64_t low = 0, high = sizes.keys - 1;
  for (const Function &function : conditions)
    if (function.at(i) < 0)
      return {0, 0};
  for (const Function &function : lower)
    low = std::max(low, function.at(i));
  for (const Function &function : upper)
    high = std::min(high, function.at(i));
  if (low > high)
    return {0, 0};
  return {piece.keys.number(residue, low), piece.keys.number(residue, high + 1)};
}

//===----------------------------------------------------------------------===//
// Pairs of rows, counted
//===----------------------------------------------------------------------===//

/// So many rows are counted one by one.
static constexpr int64_t shortRun = 4;

int64_t Relation::count(const Rows &rows) const {
  bool isLong = rows.end - rows.begin > shortRun && rows.group->band.isSummed;
  return rows.residues() * (isLong ? countRun(rows) : countRows(rows));
}

int64_t Relation::countRows(const Rows &rows) const {
  int64_t count = 0;
  if (!rows.group->band.beginOf.empty()) {
    for (int64_t a = rows.begin; a < rows.end; ++a)
      count += intersect({beginOf(rows, a), endOf(rows, a)}, {rows.keyBegin, rows.keyEnd}).size();
    return count;
  }
  for (int64_t a = rows.begin; a < rows.end; ++a)
    count += intersect(keysOf(rows.residue, a), {rows.keyBegin, rows.keyEnd}).size();
  return count;
}

/// The sum over rows of min(end, keyEnd) - max(begin, keyBegin), where that is positive.
int64_t Relation::countRun(const Rows &rows) const {
  if (rows.keyBegin == rows.group->numbers.begin && rows.keyEnd == rows.group->numbers.end) { // all keys
    const Band &band = rows.group->band;
    return band.ends.before(rows.end) - band.ends.before(rows.begin) - band.begins.before(rows.end) +
           band.begins.before(rows.begin);
  }
  Rows found = narrow(rows);
  if (found.begin >= found.end)
    return 0;
  int64_t cut = firstAbove(rows, true, rows.keyEnd, found.begin, found.end);
  int64_t start = firstAbove(rows, false, rows.keyBegin, found.begin, found.end);
  const Band &band = rows.group->band;
  return band.ends.before(cut) - band.ends.before(found.begin) + rows.keyEnd * (found.end - cut) -
         (band.begins.before(found.end) - band.begins.before(start)) - rows.keyBegin * (start - found.begin);
}
