//===- Numbers.cpp - Pieces as an object has them -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"

#include <initializer_list>
#include <numeric>

using namespace xfrt;

static constexpr int64_t mostChunks = 64;

//===----------------------------------------------------------------------===//
// Verifying
//===----------------------------------------------------------------------===//

namespace {
/// Verifies the numbers of a plan, one after the other.
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
} // namespace

bool xfrt::holdsPlan(const int64_t *plan, const int64_t *end) {
  return plan && plan <= end && Verifier(plan, end).plan();
}

//===----------------------------------------------------------------------===//
// Evaluating
//===----------------------------------------------------------------------===//

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

int64_t xfrt::evaluateForm(const int64_t *&plan, int64_t x, const Sizes &sizes) {
  int64_t divisions[mostDivisions];
  const int64_t count = *plan++;
  for (int64_t n = 0; n < count; ++n) {
    const int64_t numerator = evaluateRow(plan, x, sizes, divisions);
    divisions[n] = floorDivide(numerator, *plan++);
  }
  return evaluateRow(plan, x, sizes, divisions);
}

KeyRun xfrt::evaluateBounds(const int64_t *plan, int64_t x, const Sizes &sizes, KeyRun within) {
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

const int64_t *PieceNumbers::end() const {
  const Sizes none = {};
  const int64_t *plan = bounds;
  for (int list = 0; list < 3; ++list)
    for (int64_t count = *plan++; count > 0; --count)
      evaluateForm(plan, 0, none);
  return plan;
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

static bool addProduct(int64_t &sum, int64_t a, int64_t b) {
  int64_t product;
  return !__builtin_mul_overflow(a, b, &product) && !__builtin_add_overflow(sum, product, &sum);
}

/// Sets `growth` to the growth of a row when x grows by `step`. `divisions` is the growth of the divisions before the
/// row. Moves `plan` behind the row. Returns false on overflow.
static bool growthOfRow(const int64_t *&plan, int64_t step, const int64_t *divisions, int64_t &growth) {
  growth = 0;
  bool isExact = addProduct(growth, plan[1], step);
  plan += 2;
  plan += *plan + 1; // of sizes, which stay
  for (int64_t count = *plan++; count > 0; --count)
    isExact &= addProduct(growth, *plan++, *divisions++);
  return isExact;
}

bool xfrt::growthOf(const int64_t *&plan, int64_t step, int64_t &growth, int64_t &wanted) {
  int64_t divisions[mostDivisions];
  const int64_t count = *plan++;
  bool isExact = true;
  wanted = 1;
  for (int64_t n = 0; n < count; ++n) {
    isExact &= growthOfRow(plan, step, divisions, growth);
    const int64_t divisor = *plan++;
    if (wanted == 1 && growth % divisor != 0)
      wanted = divisor / std::gcd(growth % divisor, divisor);
    divisions[n] = growth / divisor;
  }
  return growthOfRow(plan, step, divisions, growth) && isExact;
}

int64_t xfrt::periodOf(const PieceNumbers &piece, int64_t unit, int64_t most) {
  for (int64_t windows = 1; windows <= most;) {
    const int64_t step = wrapMultiply(windows, piece.queryMap.period);
    const int64_t *plan = piece.bounds;
    int64_t times = 1; // as many windows
    for (int list = 0; list < 3; ++list)
      for (int64_t count = *plan++; count > 0; --count) {
        int64_t growth, wanted;
        if (!growthOf(plan, step, growth, wanted))
          return 0;
        if (wanted == 1 && list < 2 && growth % unit != 0)
          wanted = unit / std::gcd(growth % unit, unit);
        times = times == 1 ? wanted : times;
      }
    if (times == 1)
      return windows;
    if (times > most)
      return 0;
    windows *= times;
  }
  return 0;
}
