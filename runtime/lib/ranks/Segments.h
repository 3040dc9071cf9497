//===- Segments.h - Keys of one segment ------------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_SEGMENTS_H
#define XFRT_LIB_RANKS_SEGMENTS_H

#include "../../pieces/Array.h"
#include "../../pieces/Numbers.h"

#include <optional>

namespace xfrt {

/// Segments of all queries and of all keys. A pair of a query and a key counts only if both have the same segment, and
/// it is not negative.
struct SegmentList {
  const void *queries = nullptr, *keys = nullptr; ///< null if all pairs count
  bool isLong = false;                            ///< segments have 64 bits, else 32

  explicit operator bool() const { return queries != nullptr; }
  int64_t ofQuery(int64_t number) const { return at(queries, number); }
  int64_t ofKey(int64_t number) const { return at(keys, number); }

private:
  int64_t at(const void *numbers, int64_t n) const {
    return isLong ? static_cast<const int64_t *>(numbers)[n] : static_cast<const int32_t *>(numbers)[n];
  }
};

/// A key with a segment. `number` is its number in the order of a residue.
struct SegmentKey {
  int64_t segment, number;

  bool operator<(const SegmentKey &other) const {
    return segment != other.segment ? segment < other.segment : number < other.number;
  }
};

/// Marks the keys that queries see. Only pairs of equal segments count. Keys are sorted by segment, so that a query
/// looks only at keys of its own segment.
class SegmentMarks {
public:
  /// Allocates memory for at most `most` keys.
  explicit SegmentMarks(int64_t most) : keys(size_t(most)), changes(size_t(most) + 1) {}
  bool isComplete() const { return keys.isComplete() && changes.isComplete(); }

  /// Marks the keys in `asked` that some query in `queries` sees. `plan` points to the list of pieces of a plan.
  void mark(const int64_t *plan, const Sizes &sizes, const SegmentList &segments, KeyRun queries, KeyRun asked,
            uint8_t *marks);

private:
  void begin(const IndexMap &map, int64_t fromKey, KeyRun asked, const SegmentList &segments, int64_t allKeys);
  /// Adds a query of segment `segment`. It sees those of the keys with `numbers` that have the same segment.
  void add(int64_t segment, KeyRun numbers);
  /// Finds the keys of `segment`. Returns false if there are none.
  bool select(int64_t segment);
  void end(const IndexMap &map, int64_t fromKey, uint8_t *marks);

  Array<SegmentKey> keys;
  Array<int64_t> changes; // of the number of queries that see each of `keys`; 0 between two uses
  size_t count = 0;       // of keys with a segment
  struct Ordered {
    const void *segments;
    IndexMap map;
    int64_t fromKey;
    KeyRun asked;

    bool operator==(const Ordered &other) const = default;
  };
  std::optional<Ordered> ordered; // what `keys` are sorted for
  SegmentKey *selected = nullptr, *selectedEnd = nullptr;
  int64_t known = -1; // the segment of `selected`
  bool any = false;
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_SEGMENTS_H
