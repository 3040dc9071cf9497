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

/// A piece, of whose pairs keys are marked.
class PieceSeen {
public:
  /// `marks` has one for each key.
  PieceSeen(const PieceNumbers &piece, const Sizes &sizes, uint8_t *marks) : bands(piece, sizes), marks(marks) {}

  /// Returns false where there is no memory.
  bool find() { return bands.find(); }
  const Bands &of() const { return bands; }

  /// What is known of some keys: queries outside of `touched` see none of them, and those of an interval within `full`,
  /// if there are `least` of them, see all that residues have.
  struct Zone {
    KeyRun keys, touched, full;
    int64_t least = 0;
    bool isKnown = false;
    bool isCovered = false; ///< residues have all of `keys`, as far as is known
  };
  Zone zoneOf(KeyRun keys) const;
  /// Marks the keys of a zone that some queries see.
  void mark(KeyRun queries, Zone &zone);

private:
  void markNumbers(int64_t residue, KeyRun numbers, KeyRun keys);
  void markRows(int64_t residue, KeyRun rows, KeyRun numbers, KeyRun keys);

  Bands bands;
  uint8_t *const marks;
};

/// Calls body(run) with the marked keys among some, as runs in ascending order.
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
