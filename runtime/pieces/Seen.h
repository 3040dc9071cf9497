//===- Seen.h - Which keys some queries see --------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_PIECES_SEEN_H
#define XFRT_PIECES_SEEN_H

#include "Bands.h"

#include <string.h>

namespace xfrt {

/// Marks the keys that queries see in one piece of a pattern's solution.
class PieceSeen {
public:
  /// `marks` has one byte for each key.
  PieceSeen(const PieceNumbers &piece, const Sizes &sizes, uint8_t *marks) : bands(piece, sizes), marks(marks) {}

  /// Finds the bands. Returns false if memory could not be allocated.
  bool find() { return bands.find(); }
  const Bands &of() const { return bands; }

  /// An interval of keys, and what is known of the queries that see them. Queries outside of `touched` see none of the
  /// keys. Any interval of `least` or more queries inside of `full` sees every key of the zone that belongs to a
  /// residue.
  struct Zone {
    KeyRun keys, touched, full;
    int64_t least = 0;
    bool isKnown = false;
    bool isCovered = false; ///< residues have all of `keys`; false if this is unknown
  };
  Zone zoneOf(KeyRun keys) const;
  /// Marks the keys of `zone` that some of `queries` see.
  void mark(KeyRun queries, Zone &zone);

private:
  void markNumbers(int64_t residue, KeyRun numbers, KeyRun keys);
  void markRows(int64_t residue, KeyRun rows, KeyRun numbers, KeyRun keys);

  Bands bands;
  uint8_t *const marks;
};

/// Calls body(run) with the runs of marked keys in `keys`, in ascending order.
template <typename Body>
void forEachMarked(const uint8_t *marks, KeyRun keys, Body body) {
  for (int64_t key = keys.begin; key < keys.end;) {
    const void *const first = memchr(marks + key, 1, size_t(keys.end - key));
    if (!first)
      return;
    const int64_t begin = static_cast<const uint8_t *>(first) - marks;
    const void *const last = memchr(first, 0, size_t(keys.end - begin));
    key = last ? static_cast<const uint8_t *>(last) - marks : keys.end;
    body(KeyRun{begin, key});
  }
}

} // namespace xfrt

#endif // XFRT_PIECES_SEEN_H
