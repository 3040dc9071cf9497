//===- Needs.cpp - Which keys ranks send each other -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of a plan that an object has may be any; sums and products wrap around then, and what comes of them is
// limited to keys that exist.
//
//===----------------------------------------------------------------------===//

#include "Needs.h"

#include <string.h>

using namespace xfrt;

static constexpr int64_t mostDivisions = 32, mostChunks = 64;

static int64_t wrapAdd(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
static int64_t wrapSubtract(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
static int64_t wrapMultiply(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); } // b > 0
static int64_t floorRemainder(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }
static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

//===----------------------------------------------------------------------===//
// Index maps
//===----------------------------------------------------------------------===//

namespace {
/// #xf.index_map: x(r, a) = period (a div width) + a mod width + offset + cell ((multiplier r + shift) mod residues).
struct IndexMap {
  static constexpr int64_t numbers = 7;
  int64_t residues, period, width, offset, cell, multiplier, shift;

  explicit IndexMap(const int64_t *plan)
      : residues(plan[0]), period(plan[1]), width(plan[2]), offset(plan[3]), cell(plan[4]), multiplier(plan[5]),
        shift(plan[6]) {}
  bool isValid() const { return residues > 0 && width > 0 && width <= period; }

  int64_t start(int64_t residue) const {
    const int64_t number = floorRemainder(wrapAdd(wrapMultiply(multiplier, residue), shift), residues);
    return wrapAdd(offset, wrapMultiply(cell, number));
  }
  /// x(r, a), if the residue has this start.
  int64_t at(int64_t from, int64_t number) const {
    const int64_t window = wrapMultiply(period, floorDivide(number, width));
    return wrapAdd(wrapAdd(window, floorRemainder(number, width)), from);
  }
  /// The least a with x(r, a) >= x.
  int64_t numberOf(int64_t from, int64_t x) const {
    const int64_t z = wrapSubtract(x, from), rest = floorRemainder(z, period);
    return wrapAdd(wrapMultiply(floorDivide(z, period), width), rest < width ? rest : width);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading plans
//===----------------------------------------------------------------------===//

namespace {
/// Verifies the numbers of a plan one after the other.
class Verifier {
public:
  Verifier(const int64_t *plan, const int64_t *end) : at(plan), end(end) {}

  bool plan() {
    int64_t chunks;
    return count(chunks, mostChunks) && chunks > 0 && list(&Verifier::piece) && list(&Verifier::box);
  }

private:
  bool take(int64_t count) {
    if (count < 0 || count > end - at)
      return false;
    at += count;
    return true;
  }
  bool count(int64_t &number, int64_t most) {
    number = at < end ? *at : -1;
    return number >= 0 && number <= most && take(1);
  }
  bool list(bool (Verifier::*element)(), int64_t most = INT32_MAX) {
    int64_t number;
    if (!count(number, most))
      return false;
    for (int64_t n = 0; n < number; ++n)
      if (!(this->*element)())
        return false;
    return true;
  }
  bool box() { return take(4); }
  bool map() { return take(IndexMap::numbers) && IndexMap(at - IndexMap::numbers).isValid(); }
  bool piece() {
    int64_t residues;
    return map() && map() && count(residues, INT32_MAX) && residues > 0 && list(&Verifier::form) &&
           list(&Verifier::form) && list(&Verifier::form);
  }
  bool form() {
    divisions = 0;
    return list(&Verifier::division, mostDivisions) && row();
  }
  bool division() {
    if (!row() || !take(1) || at[-1] <= 0)
      return false;
    ++divisions;
    return true;
  }
  bool row() {
    int64_t sizes, terms;
    return take(2) && count(sizes, 2) && take(sizes) && count(terms, divisions) && take(terms);
  }

  const int64_t *at, *end;
  int64_t divisions = 0;
};

/// The numbers of queries and of keys.
struct Sizes {
  int64_t numbers[2];
};
} // namespace

bool xfrt::holdsPlan(const int64_t *plan, const int64_t *end) {
  return plan && plan <= end && Verifier(plan, end).plan();
}

static int64_t evaluateRow(const int64_t *&plan, int64_t x, const Sizes &sizes, const int64_t *divisions) {
  int64_t sum = wrapAdd(plan[0], wrapMultiply(plan[1], x));
  plan += 2;
  for (const int64_t *factors : {sizes.numbers, divisions}) {
    const int64_t count = *plan++;
    for (int64_t n = 0; n < count; ++n)
      sum = wrapAdd(sum, wrapMultiply(*plan++, factors[n]));
  }
  return sum;
}

/// Evaluates a form at x; `plan` moves behind it.
static int64_t evaluateForm(const int64_t *&plan, int64_t x, const Sizes &sizes) {
  int64_t divisions[mostDivisions];
  const int64_t count = *plan++;
  for (int64_t n = 0; n < count; ++n) {
    const int64_t numerator = evaluateRow(plan, x, sizes, divisions);
    divisions[n] = floorDivide(numerator, *plan++);
  }
  return evaluateRow(plan, x, sizes, divisions);
}

/// Returns the keys that the bounds at `plan` let the query at position x see, among those of `within`; `plan` moves
/// behind the bounds.
static KeyRun evaluateBounds(const int64_t *&plan, int64_t x, const Sizes &sizes, KeyRun within) {
  for (int64_t count = *plan++; count > 0; --count) {
    const int64_t lower = evaluateForm(plan, x, sizes);
    within.begin = lower > within.begin ? lower : within.begin;
  }
  for (int64_t count = *plan++; count > 0; --count) {
    const int64_t upper = evaluateForm(plan, x, sizes);
    within.end = upper < within.end ? upper + 1 : within.end;
  }
  for (int64_t count = *plan++; count > 0; --count)
    if (evaluateForm(plan, x, sizes) < 0)
      within.end = within.begin;
  return within;
}

static const int64_t *behindBounds(const int64_t *plan) {
  const Sizes none = {{0, 0}};
  evaluateBounds(plan, 0, none, {0, 0});
  return plan;
}

//===----------------------------------------------------------------------===//
// What queries see
//===----------------------------------------------------------------------===//

namespace {
/// Marks the keys that some queries see.
struct Seen {
  Sizes sizes;
  uint8_t *marks;       // of each key
  int64_t *changes;     // one more than there are keys; zeros outside of markPiece
  KeyRun queries, keys; // positions of the queries, and the keys that are asked for

  const int64_t *markPiece(const int64_t *plan);
  const int64_t *markBoxes(const int64_t *plan);
};
} // namespace

/// Marks what a piece lets the queries see. Returns what follows the piece. Of each residue, what queries see are
/// intervals of numbers in the order of the key map; they are counted where they begin and end.
const int64_t *Seen::markPiece(const int64_t *plan) {
  const IndexMap queryMap(plan), keyMap(plan + IndexMap::numbers);
  plan += 2 * IndexMap::numbers;
  const int64_t residues = *plan++, most = sizes.numbers[1];
  for (int64_t residue = 0; residue < residues; ++residue) {
    const int64_t fromQuery = queryMap.start(residue), fromKey = keyMap.start(residue);
    const int64_t first = keyMap.numberOf(fromKey, keys.begin);
    const int64_t count = clamp(wrapSubtract(keyMap.numberOf(fromKey, keys.end), first), 0, most);
    const int64_t row = queryMap.numberOf(fromQuery, queries.begin);
    const int64_t rows =
        clamp(wrapSubtract(queryMap.numberOf(fromQuery, queries.end), row), 0, queries.end - queries.begin);
    bool any = false;
    for (int64_t n = 0; n < rows; ++n) {
      const int64_t *bounds = plan;
      const KeyRun run = evaluateBounds(bounds, queryMap.at(fromQuery, wrapAdd(row, n)), sizes, keys);
      const int64_t begin = clamp(wrapSubtract(keyMap.numberOf(fromKey, run.begin), first), 0, count);
      const int64_t behind = clamp(wrapSubtract(keyMap.numberOf(fromKey, run.end), first), 0, count);
      if (run.begin >= run.end || begin >= behind)
        continue;
      any = true;
      ++changes[begin];
      --changes[behind];
    }
    if (!any)
      continue;
    int64_t depth = 0;
    for (int64_t n = 0; n <= count; ++n) {
      depth += changes[n];
      changes[n] = 0;
      const int64_t key = keyMap.at(fromKey, wrapAdd(first, n));
      if (depth > 0 && key >= keys.begin && key < keys.end)
        marks[key] = 1;
    }
  }
  return behindBounds(plan);
}

const int64_t *Seen::markBoxes(const int64_t *plan) {
  for (int64_t count = *plan++; count > 0; --count, plan += 4) {
    const bool meets = plan[0] < queries.end && queries.begin < plan[1];
    for (int64_t key = clamp(plan[2], keys.begin, keys.end); meets && key < keys.end && key < plan[3]; ++key)
      marks[key] = 1;
  }
  return plan;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

void Needs::Lists::add(const uint8_t *seen, KeyRun of) {
  for (int64_t key = of.begin; key < of.end; ++key) {
    const int64_t first = key;
    while (key < of.end && seen[key])
      ++key;
    if (key > first)
      runs.push_back({first, key});
  }
}

void Needs::Lists::endMember() {
  int64_t count = 0;
  for (size_t n = ends.empty() ? 0 : size_t(ends[ends.size() - 1]); n < runs.size(); ++n)
    count += runs[n].end - runs[n].begin;
  ends.push_back(int64_t(runs.size()));
  keys.push_back(count);
}

Needs::Runs Needs::Lists::of(int32_t member) const {
  const int64_t begin = member ? ends[size_t(member) - 1] : 0, end = ends[size_t(member)];
  return {runs.data() + begin, size_t(end - begin), keys[size_t(member)]};
}

bool Needs::find(const int64_t *plan, int64_t queries, int64_t keys, int32_t members, int32_t own) {
  if (queries == knownQueries && keys == knownKeys)
    return true;
  knownQueries = knownKeys = -1;
  received.clear();
  sent.clear();
  const int64_t all = keys * members;
  Array<uint8_t> marks{size_t(all)};
  Array<int64_t> changes(size_t(all) + 1);
  if (!marks.isComplete() || !changes.isComplete())
    return false;
  const int64_t chunks = chunksOf(plan), firstQuery = all - queries * members;
  auto chunkOf = [=](int64_t rows, int32_t member, int64_t turn) -> KeyRun {
    const int64_t length = rows / chunks, begin = length * dealtChunk(turn, member, members);
    return {begin, begin + length};
  };
  auto markSeen = [&](KeyRun rows, KeyRun asked) {
    Seen seen{{{queries * members, all}},
              marks.data(),
              changes.data(),
              {firstQuery + rows.begin, firstQuery + rows.end},
              asked};
    const int64_t *at = plan + 1;
    for (int64_t pieces = *at++; pieces > 0; --pieces)
      at = seen.markPiece(at);
    seen.markBoxes(at);
  };
  for (int32_t member = 0; member < members; ++member) {
    for (int64_t turn = 0; turn < chunks; ++turn) {
      const KeyRun rows = chunkOf(queries, member, turn);
      if (member == own)
        markSeen(rows, {0, all});
      for (int64_t other = 0; member != own && other < chunks; ++other)
        markSeen(rows, chunkOf(keys, own, other));
    }
    for (int64_t turn = 0; member != own && turn < chunks; ++turn)
      sent.add(marks.data(), chunkOf(keys, own, turn));
    sent.endMember();
    for (int32_t owner = 0; member == own && owner < members; ++owner) {
      for (int64_t turn = 0; owner != own && turn < chunks; ++turn)
        received.add(marks.data(), chunkOf(keys, owner, turn));
      received.endMember();
    }
    if (member == own)
      memset(marks.data(), 0, size_t(all));
    for (int64_t turn = 0; member != own && turn < chunks; ++turn) {
      const KeyRun asked = chunkOf(keys, own, turn);
      memset(marks.data() + asked.begin, 0, size_t(asked.end - asked.begin));
    }
  }
  if (!received.isComplete() || !sent.isComplete())
    return false;
  knownQueries = queries;
  knownKeys = keys;
  return true;
}
