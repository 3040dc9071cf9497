//===- ScoreBounds.cpp - Bounds of the indices that scores read -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic on the integers of a score function, whose leaves are the sizes of the attention.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"

#include <unordered_map>

using namespace xf;
using namespace xf::detail;
using E = ExpressionOp;

namespace {
/// The values of an index over all batch entries, heads, queries and keys.
struct IndexRange {
  int64_t low = 0, high = 0;
  bool isKnown = false; ///< all values lie in [low, high]
  bool isTight = false; ///< low and high are values themselves
  bool isDense = false; ///< so is every integer between them
  unsigned leaves = 0;  ///< bits of batch (1), head (2), query (4) and key (8), on which the index depends
};

class Bounds {
public:
  explicit Bounds(const ScoreSizes &sizes) : sizes(sizes) {}

  /// Finds the bounds of all integers of a score function, operands before their users, and verifies its reads. Uses no
  /// recursion, since the expression may come from a long loop.
  void verify(const Expression &score) {
    std::vector<const Expression *> pending = {&score};
    while (!pending.empty()) {
      const Expression *expression = pending.back();
      size_t before = pending.size();
      for (const ExpressionPtr &operand : expression->operands)
        if (!known.contains(operand.get()))
          pending.push_back(operand.get());
      if (pending.size() > before)
        continue;
      pending.pop_back();
      if (known.contains(expression))
        continue;
      known[expression] = find(*expression);
      if (expression->op == E::load)
        verifyRead(*expression);
    }
  }

private:
  IndexRange find(const Expression &e) const;
  static IndexRange add(const IndexRange &a, const IndexRange &b, int64_t sign);
  static IndexRange multiply(const IndexRange &a, const IndexRange &b);
  static IndexRange divide(const IndexRange &a, const IndexRange &b);
  static IndexRange remainder(const IndexRange &a, const IndexRange &b);
  void verifyRead(const Expression &read) const;

  const ScoreSizes &sizes;
  std::unordered_map<const Expression *, IndexRange> known;
};
} // namespace

static int64_t floorQuotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/// Returns the bounds of an index that counts a dimension from 0.
static IndexRange counting(const Dim &size, unsigned leaf) {
  if (size.is_static())
    return {0, size.value() - 1, size.value() > 0, true, true, leaf};
  if (size.is_named())
    return {0, size.range().max - 1, size.range().max > 0, false, false, leaf};
  return {.leaves = leaf};
}

/// Returns the bounds of the position of a query on the key axis, which begins at keys - queries.
static IndexRange positions(const Dim &queries, const Dim &keys) {
  IndexRange key = counting(keys, 4), query = counting(queries, 4);
  if (!key.isKnown || !query.isKnown)
    return {.leaves = 4};
  bool isTight = key.isTight && query.isTight;
  int64_t fewestKeys = keys.is_static() ? key.high + 1 : keys.range().min;
  return {fewestKeys - query.high - 1, key.high, true, isTight, isTight, 4};
}

IndexRange Bounds::add(const IndexRange &a, const IndexRange &b, int64_t sign) {
  IndexRange sum{.isKnown = a.isKnown && b.isKnown, .leaves = a.leaves | b.leaves};
  int64_t first = sign > 0 ? b.low : -b.high, last = sign > 0 ? b.high : -b.low;
  sum.isKnown = sum.isKnown && !__builtin_add_overflow(a.low, first, &sum.low) &&
                !__builtin_add_overflow(a.high, last, &sum.high);
  sum.isTight = a.isTight && b.isTight && !(a.leaves & b.leaves);
  sum.isDense = sum.isTight && (a.isDense || !a.leaves) && (b.isDense || !b.leaves);
  return sum;
}

IndexRange Bounds::multiply(const IndexRange &a, const IndexRange &b) {
  IndexRange product{.isKnown = a.isKnown && b.isKnown, .leaves = a.leaves | b.leaves};
  const int64_t left[] = {a.low, a.high}, right[] = {b.low, b.high};
  for (int n = 0; n < 4 && product.isKnown; ++n) {
    int64_t corner = 0;
    product.isKnown = !__builtin_mul_overflow(left[n / 2], right[n % 2], &corner);
    product.low = n ? std::min(product.low, corner) : corner;
    product.high = n ? std::max(product.high, corner) : corner;
  }
  product.isTight = a.isTight && b.isTight && !(a.leaves & b.leaves);
  product.isDense = product.low == product.high;
  return product;
}

IndexRange Bounds::divide(const IndexRange &a, const IndexRange &b) {
  IndexRange quotient = a;
  quotient.low = floorQuotient(a.low, b.low);
  quotient.high = floorQuotient(a.high, b.low);
  return quotient;
}

IndexRange Bounds::remainder(const IndexRange &a, const IndexRange &b) {
  int64_t divisor = b.low, period = floorQuotient(a.low, divisor);
  if (a.isKnown && period == floorQuotient(a.high, divisor)) {
    IndexRange result = a;
    result.low = a.low - period * divisor;
    result.high = a.high - period * divisor;
    return result;
  }
  bool hasAll = a.isKnown && a.isDense && a.high - a.low + 1 >= divisor;
  return {0, divisor - 1, true, hasAll, hasAll, a.leaves};
}

IndexRange Bounds::find(const Expression &e) const {
  auto operand = [&](size_t n) -> const IndexRange & { return known.at(e.operands[n].get()); };
  switch (e.op) {
  case E::batch:
    return counting(sizes.batch, 1);
  case E::head:
    return counting(sizes.heads, 2);
  case E::query:
    return positions(sizes.queries, sizes.keys);
  case E::key:
    return counting(sizes.keys, 8);
  case E::integer:
    return {e.integer, e.integer, e.integer > INT64_MIN, true, true};
  case E::add:
    return add(operand(0), operand(1), 1);
  case E::sub:
    return add(operand(0), operand(1), -1);
  case E::mul:
    return multiply(operand(0), operand(1));
  case E::floorDiv:
    return divide(operand(0), operand(1));
  case E::mod:
    return remainder(operand(0), operand(1));
  default:
    return {};
  }
}

void Bounds::verifyRead(const Expression &read) const {
  constexpr unsigned ofPairs = 4 | 8; // the leaves of which a pattern leaves out values
  for (size_t axis = 0; axis < read.operands.size(); ++axis) {
    const IndexRange &index = known.at(read.operands[axis].get());
    const Dim &size = read.tensor.shape()[axis];
    if (!index.isKnown || !size.is_static())
      continue;
    bool isAttained = index.isTight && (sizes.seesAllPairs || !(index.leaves & ofPairs));
    bool fits = isAttained ? index.low >= 0 && index.high < size.value() : index.low < size.value() && index.high >= 0;
    std::string got = std::to_string(index.low);
    if (index.high != index.low)
      got += " to " + std::to_string(index.high);
    expect(fits, read.here, "expected an index in [0, ", size, ") in dimension ", axis, " of a tensor of shape ",
           read.tensor.shape(), ", got ", got);
  }
}

void xf::detail::expectReadsInBounds(const Expression &score, const ScoreSizes &sizes) { Bounds(sizes).verify(score); }
