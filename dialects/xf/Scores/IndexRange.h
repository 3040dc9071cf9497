//===- IndexRange.h - Ranges of the indices that scores read ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interval arithmetic on the integers of a score function, which are computed from the indices of a batch entry, head,
// query and key. A range also tells which of its values certainly occur. A read outside of a tensor is an error only if
// it certainly occurs in a call.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_SCORES_INDEXRANGE_H
#define XF_DIALECTS_XF_SCORES_INDEXRANGE_H

#include <algorithm>
#include <cstdint>
#include <limits>

namespace mlir::xf {

/// The range of an index of a score region over all batch entries, heads, queries and keys.
struct IndexRange {
  /// The numbers on which an index may depend. `leaves` has a bit for each of them.
  enum Leaf : unsigned { ofBatch = 1, ofHead = 2, ofQuery = 4, ofKey = 8, ofPairs = ofQuery | ofKey };

  int64_t low = 0, high = 0;
  bool isKnown = false; ///< all values lie in [low, high]
  bool isTight = false; ///< the index takes the values low and high
  bool isDense = false; ///< the index takes all integers in [low, high]
  unsigned leaves = 0;

  static IndexRange constant(int64_t value) {
    return {value, value, value > std::numeric_limits<int64_t>::min(), true, true, 0};
  }

  /// Returns the range of an index that counts from 0 up to a size (excluded), such as the number of heads. The size is
  /// at most `most`. If `isExact`, it is `most`.
  static IndexRange counting(int64_t most, bool isExact, Leaf leaf) {
    return {0, most - 1, most > 0, isExact, isExact, leaf};
  }

  /// Returns the range of the position of a query on the key axis. Query 0 has the position keys - queries. The number
  /// of keys is at least `fewestKeys`.
  static IndexRange position(const IndexRange &query, const IndexRange &key, int64_t fewestKeys) {
    if (!key.isKnown || !query.isKnown)
      return {.leaves = ofQuery};
    bool isTight = key.isTight && query.isTight;
    return {fewestKeys - query.high - 1, key.high, true, isTight, isTight, ofQuery};
  }

  IndexRange plus(const IndexRange &b) const { return sum(b.low, b.high, b); }
  IndexRange minus(const IndexRange &b) const { return b.isKnown ? sum(-b.high, -b.low, b) : sum(0, 0, b); }

  IndexRange times(const IndexRange &b) const {
    IndexRange product{.isKnown = isKnown && b.isKnown, .leaves = leaves | b.leaves};
    const int64_t left[] = {low, high}, right[] = {b.low, b.high};
    for (int n = 0; n < 4 && product.isKnown; ++n) {
      int64_t corner = 0;
      product.isKnown = !__builtin_mul_overflow(left[n / 2], right[n % 2], &corner);
      product.low = n ? std::min(product.low, corner) : corner;
      product.high = n ? std::max(product.high, corner) : corner;
    }
    product.isTight = isTight && b.isTight && !(leaves & b.leaves);
    product.isDense = product.low == product.high;
    return product;
  }

  /// Returns the range of the quotient by `divisor` > 0, rounded down.
  IndexRange quotient(int64_t divisor) const {
    IndexRange result = *this;
    result.low = floorQuotient(low, divisor);
    result.high = floorQuotient(high, divisor);
    return result;
  }

  /// Returns the range of the remainder of the division by `divisor` > 0, rounded down.
  IndexRange remainder(int64_t divisor) const {
    int64_t period = floorQuotient(low, divisor);
    if (isKnown && period == floorQuotient(high, divisor)) {
      IndexRange result = *this;
      result.low = low - period * divisor;
      result.high = high - period * divisor;
      return result;
    }
    bool hasAll = isKnown && isDense && high - low + 1 >= divisor;
    return {0, divisor - 1, true, hasAll, hasAll, leaves};
  }

  /// Returns the range of the index clamped to [least, most].
  IndexRange clamped(int64_t least, int64_t most) const {
    IndexRange result = *this;
    result.low = std::clamp(low, least, most);
    result.high = std::clamp(high, least, most);
    return result;
  }

  /// Returns false if the index certainly leaves [0, size) in a call. It does if all of its values lie outside. If the
  /// index depends on no query and no key, or if each call `seesAllPairs`, one value outside is enough.
  bool mayFit(int64_t size, bool seesAllPairs) const {
    if (!isKnown)
      return true;
    bool isAttained = isTight && (seesAllPairs || !(leaves & ofPairs));
    return isAttained ? low >= 0 && high < size : low < size && high >= 0;
  }

private:
  static int64_t floorQuotient(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  IndexRange sum(int64_t first, int64_t last, const IndexRange &b) const {
    IndexRange result{.isKnown = isKnown && b.isKnown, .leaves = leaves | b.leaves};
    result.isKnown = result.isKnown && !__builtin_add_overflow(low, first, &result.low) &&
                     !__builtin_add_overflow(high, last, &result.high);
    result.isTight = isTight && b.isTight && !(leaves & b.leaves);
    result.isDense = result.isTight && (isDense || !leaves) && (b.isDense || !b.leaves);
    return result;
  }
};

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_SCORES_INDEXRANGE_H
