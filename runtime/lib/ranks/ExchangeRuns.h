//===- ExchangeRuns.h - Which keys ranks send each other ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds which keys the members of a group exchange. The queries and keys of an attention are cut into equal parts, one
// for each member. A part is one chunk, or several chunks in zigzag. A member computes the pairs of its own queries, so
// it needs the keys that these queries see. The plan of the object (xfrt_tables::plans) and the sizes of a call
// determine these keys. So members agree without a message: each finds the keys that it receives from its own queries,
// and the keys that it sends from the queries of the others.
//
// If a run of queries sees one interval of keys, bounds are evaluated only at the ends of the run (pieces/Bands.h),
// otherwise for each query. A call may give each query and each key a segment number. Then only pairs of equal segments
// count. Keys are sorted by segment, so that a query looks only at keys of its own segment, in time N log N altogether.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_RANKS_EXCHANGERUNS_H
#define XFRT_LIB_RANKS_EXCHANGERUNS_H

#include "Segments.h"

#include "../../pieces/Seen.h"
#include "../../pieces/Zigzag.h"

namespace xfrt {

/// Returns the number of chunks of queries, and of keys, that each member has.
inline int64_t chunksOf(const int64_t *plan) { return *plan; }

/// The segments of all queries and keys of a group. There is one list of segments for each batch entry.
struct CallSegments {
  const void *queries = nullptr, *keys = nullptr; ///< null if there are no segments
  int64_t lists = 1;
  bool isLong = false; ///< segments are numbers of 64 bits, else of 32 bits
};

/// The runs of keys that one member of a group sends to the others and receives from them.
class ExchangeRuns {
public:
  /// Finds the runs of member `own` in a group of `members`, each of which has `queries` queries and `keys` keys. Does
  /// nothing if the runs are known for these sizes and segments. Returns false if memory could not be allocated.
  /// Requires holdsPlan, fewer than 2^62 rows, and numbers of queries and keys that chunksOf divides.
  bool find(const int64_t *plan, int64_t queries, int64_t keys, int32_t members, int32_t own,
            const CallSegments &segments = {});
  /// Returns the number of lists of segments, or 1 without segments.
  int64_t lists() const { return knownLists; }
  /// Returns a hash of the segments, which members compare, or 0 without segments.
  uint32_t seal() const { return knownSeal; }
  /// Returns whether the runs are known for these sizes and segments.
  bool areKnown(int64_t queries, int64_t keys, int32_t members, const CallSegments &segments) const;

  /// Runs of keys in ascending order. They are keys that this member receives from another member, or sends to it.
  struct Runs {
    const KeyRun *runs;
    size_t count;
    int64_t keys; ///< the number of keys in all runs

    const KeyRun *begin() const { return runs; }
    const KeyRun *end() const { return runs + count; }
  };
  Runs receivedFrom(int32_t member, int64_t list = 0) const { return received.of(list * knownMembers + member); }
  Runs sentTo(int32_t member, int64_t list = 0) const { return sent.of(list * knownMembers + member); }

private:
  class Search;
  /// The runs of all members, member by member.
  struct Lists {
    Array<KeyRun> runs;
    Array<int64_t> ends, keys; // of each member of each list: where its runs end, and how many keys they have

    /// Appends the runs of those keys in `keys` that are marked in `seen` to the runs of the current member.
    void add(const uint8_t *seen, KeyRun keys);
    void endMember();
    bool isComplete() const { return runs.isComplete() && ends.isComplete() && keys.isComplete(); }
    void clear() { runs.clear(), ends.clear(), keys.clear(); }
    Runs of(int64_t member) const;
  };

  bool remember(int64_t queries, int64_t keys, int32_t members, const CallSegments &segments);

  Lists received, sent;
  int64_t knownQueries = -1, knownKeys = -1, knownLists = 1; // for which these were found
  int32_t knownMembers = 1;
  bool areLong = false;
  uint32_t knownSeal = 0;
  Array<char> knownSegments; // of queries, then of keys
};

} // namespace xfrt

#endif // XFRT_LIB_RANKS_EXCHANGERUNS_H
