//===- Numbers.h - Pieces as an object has them ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the pieces of a solution, which are lists of numbers (xfrt_tables::plans), and evaluates their bounds at known
// sizes. Damaged numbers are harmless: sums and products wrap around, and results are limited to keys that exist.
//
// This folder uses no LLVM, no exceptions and no C++ runtime, because both the compiler and the runtime link it.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_NUMBERS_H
#define XFRT_PIECES_NUMBERS_H

#include <stdint.h>

namespace xfrt {

/// An interval [begin, end) of keys, numbered from the first key of all members. The type is also used for intervals of
/// queries, and of numbers in the order of an index map.
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

/// The largest number of divisions of a form, and of symbols. Symbols are the numbers of queries and of keys, and then
/// the run-time symbols of a call.
inline constexpr int64_t mostDivisions = 32, mostSymbols = 16;

/// The values of the symbols.
struct Sizes {
  int64_t numbers[mostSymbols];
};

/// An index map (#xf.index_map): x(r, a) = period (a div width) + a mod width + offset + cell ((multiplier r + shift)
/// mod residues).
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
  /// Returns x(r, a) for a = `number`, where `from` is the start of residue r.
  int64_t at(int64_t from, int64_t number) const {
    const int64_t window = wrapMultiply(period, floorDivide(number, width));
    return wrapAdd(wrapAdd(window, floorRemainder(number, width)), from);
  }
  /// Returns the least a with x(r, a) >= x, where `from` is the start of residue r.
  int64_t numberOf(int64_t from, int64_t x) const {
    const int64_t z = wrapSubtract(x, from), rest = floorRemainder(z, period);
    return wrapAdd(wrapMultiply(floorDivide(z, period), width), rest < width ? rest : width);
  }
  /// Returns the numbers a whose x(r, a) are in `tokens`, at most `most` of them.
  KeyRun numbersOf(int64_t from, KeyRun tokens, int64_t most) const {
    const int64_t first = numberOf(from, tokens.begin);
    return {first, wrapAdd(first, clamp(wrapSubtract(numberOf(from, tokens.end), first), 0, most))};
  }
};

/// The numbers of one piece. `bounds` are three lists of forms: lower bounds, upper bounds, and conditions.
struct PieceNumbers {
  IndexMap queryMap, keyMap;
  int64_t residues;
  const int64_t *bounds;

  explicit PieceNumbers(const int64_t *plan)
      : queryMap(plan), keyMap(plan + IndexMap::numbers), residues(plan[2 * IndexMap::numbers]),
        bounds(plan + 2 * IndexMap::numbers + 1) {}
  /// Returns the first number behind the piece.
  const int64_t *end() const;
};

/// Evaluates the form at `plan` for position x. Moves `plan` behind the form.
int64_t evaluateForm(const int64_t *&plan, int64_t x, const Sizes &sizes);

/// Returns the keys of `within` that the bounds at `plan` let the query at position x see.
KeyRun evaluateBounds(const int64_t *plan, int64_t x, const Sizes &sizes, KeyRun within);

/// Sets `growth` to the growth of the form at `plan` from x to x + step. If the growth is the same for every x, sets
/// `wanted` to 1. If not, a division leaves a remainder: sets `wanted` to the least factor of `step` with which the
/// first such division leaves none. Moves `plan` behind the form. Returns false on overflow.
bool growthOf(const int64_t *&plan, int64_t step, int64_t &growth, int64_t &wanted);

/// Returns the period of a piece, in windows of the query map. This is the shortest distance over which every form
/// grows by a constant, and every lower and upper bound by a multiple of `unit`. Returns 0 if the period is longer than
/// `most`, or a number is too large.
int64_t periodOf(const PieceNumbers &piece, int64_t unit, int64_t most);

/// Returns whether `plan` is a plan (xfrt_tables::plans) that ends at or before `end`.
bool holdsPlan(const int64_t *plan, const int64_t *end);

} // namespace xfrt

#endif // XFRT_PIECES_NUMBERS_H
