//===- Numbers.h - Pieces as an object has them ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pieces of a solution as numbers (xfrt_tables::plans), and their bounds at known sizes. Numbers may be any; sums
// and products wrap around then, and what comes of them is limited to keys that exist.
//
// This folder has no LLVM, no exceptions and no C++ runtime: compiler and runtime both link it.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_NUMBERS_H
#define XFRT_PIECES_NUMBERS_H

#include <stdint.h>

namespace xfrt {

/// The keys begin .. end - 1, numbered from the first one of all members; or queries, or numbers in an order of either.
struct KeyRun {
  int64_t begin, end;

  bool isEmpty() const { return begin >= end; }
  bool operator==(const KeyRun &other) const = default;
};

inline int64_t wrapAdd(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
inline int64_t wrapSubtract(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
inline int64_t wrapMultiply(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }
inline int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); } // b > 0
inline int64_t floorRemainder(int64_t a, int64_t b) { return a % b + (a % b < 0 ? b : 0); }
inline int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }
inline KeyRun intersect(KeyRun a, KeyRun b) {
  return {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

/// The most divisions of a form, and the most symbols: the numbers of queries and of keys, then those of a call.
inline constexpr int64_t mostDivisions = 32, mostSymbols = 16;

/// The values of symbols.
struct Sizes {
  int64_t numbers[mostSymbols];
};

/// #xf.index_map: x(r, a) = period (a div width) + a mod width + offset + cell ((multiplier r + shift) mod residues).
struct IndexMap {
  static constexpr int64_t numbers = 7;
  int64_t residues, period, width, offset, cell, multiplier, shift;

  explicit IndexMap(const int64_t *plan)
      : residues(plan[0]), period(plan[1]), width(plan[2]), offset(plan[3]), cell(plan[4]), multiplier(plan[5]),
        shift(plan[6]) {}
  bool operator==(const IndexMap &other) const = default;
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
  /// The numbers of tokens, at most `most`.
  KeyRun numbersOf(int64_t from, KeyRun tokens, int64_t most) const {
    const int64_t first = numberOf(from, tokens.begin);
    return {first, wrapAdd(first, clamp(wrapSubtract(numberOf(from, tokens.end), first), 0, most))};
  }
};

/// The numbers of one piece. Its bounds are three lists of forms: lower and upper ones, and conditions.
struct PieceNumbers {
  IndexMap queryMap, keyMap;
  int64_t residues;
  const int64_t *bounds;

  explicit PieceNumbers(const int64_t *plan)
      : queryMap(plan), keyMap(plan + IndexMap::numbers), residues(plan[2 * IndexMap::numbers]),
        bounds(plan + 2 * IndexMap::numbers + 1) {}
  /// What follows the piece.
  const int64_t *end() const;
};

/// Evaluates a form at x; `plan` moves behind it.
int64_t evaluateForm(const int64_t *&plan, int64_t x, const Sizes &sizes);

/// Returns the keys that the bounds at `plan` let the query at position x see, among those of `within`.
KeyRun evaluateBounds(const int64_t *plan, int64_t x, const Sizes &sizes, KeyRun within);

/// How much a form grows from x to x + step, which is the same everywhere if all its divisions repeat: `wanted` is then
/// 1, and else how many times as long the step has to be for the first one that does not. False where numbers are too
/// large. `plan` moves behind the form.
bool growthOf(const int64_t *&plan, int64_t step, int64_t &growth, int64_t &wanted);

/// Returns the fewest windows of the query map over which all divisions repeat, and lower and upper bounds grow by
/// multiples of `unit`; 0 where there are more than `most`, or numbers are too large.
int64_t periodOf(const PieceNumbers &piece, int64_t unit, int64_t most);

/// Returns whether `plan` is a plan (xfrt_tables::plans) that ends at or before `end`.
bool holdsPlan(const int64_t *plan, const int64_t *end);

} // namespace xfrt

#endif // XFRT_PIECES_NUMBERS_H
