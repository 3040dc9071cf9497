//===- ExchangeRuns.cpp - Which keys ranks send each other ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExchangeRuns.h"
#include "xfrt/checksum.h"

#include <new>
#include <string.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

void ExchangeRuns::Lists::add(const uint8_t *seen, KeyRun of) {
  forEachMarked(seen, of, [&](KeyRun run) { runs.push_back(run); });
}

void ExchangeRuns::Lists::endMember() {
  int64_t count = 0;
  for (size_t n = ends.empty() ? 0 : size_t(ends[ends.size() - 1]); n < runs.size(); ++n)
    count += runs[n].end - runs[n].begin;
  ends.push_back(int64_t(runs.size()));
  keys.push_back(count);
}

ExchangeRuns::Runs ExchangeRuns::Lists::of(int64_t member) const {
  const int64_t begin = member ? ends[size_t(member) - 1] : 0, end = ends[size_t(member)];
  return {runs.data() + begin, size_t(end - begin), keys[size_t(member)]};
}

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

/// Searches for the runs of keys that member `own` receives from each member and sends to each member, for the sizes
/// and segments of one call. Appends them to the lists of `exchange`.
class ExchangeRuns::Search {
public:
  Search(ExchangeRuns &exchange, const int64_t *plan, int64_t queries, int64_t keys, int32_t members, int32_t own)
      : exchange(exchange), plan(plan), queries(queries), keys(keys), all(keys * members), members(members), own(own),
        chunks(chunksOf(plan)), sizes{{queries * members, all}}, marks(size_t(all)) {}
  ~Search() {
    for (int64_t n = 0; n < pieceCount; ++n)
      pieces()[n].~PieceSeen();
  }

  bool run(const CallSegments &segments);

private:
  PieceSeen *pieces() { return reinterpret_cast<PieceSeen *>(memory.data()); }
  bool makePieces();
  void findList(SegmentMarks *order, const SegmentList &segments);
  void markSeen(KeyRun rows, KeyRun asked, PieceSeen::Zone *zones, SegmentMarks *order, const SegmentList &segments);
  void markBoxes(KeyRun rows, KeyRun asked);
  KeyRun chunkOf(int64_t rows, int32_t member, int64_t turn) const {
    const int64_t length = rows / chunks, begin = length * zigzagChunk(turn, member, members);
    return {begin, begin + length};
  }

  ExchangeRuns &exchange;
  const int64_t *const plan;
  const int64_t queries, keys, all;
  const int32_t members, own;
  const int64_t chunks;
  const Sizes sizes;
  Array<uint8_t> marks;
  struct alignas(PieceSeen) Place {
    char bytes[sizeof(PieceSeen)];
  };
  Array<Place> memory; // of the pieces
  int64_t pieceCount = 0;
  Array<PieceSeen::Zone> zones; // of each own chunk's keys, of each piece
  const int64_t *boxes = nullptr;
};

/// Prepares the pieces of the plan for marking. Returns false if memory could not be allocated.
bool ExchangeRuns::Search::makePieces() {
  const int64_t *at = plan + 1;
  const int64_t count = *at++;
  memory = Array<Place>(size_t(count));
  if (!memory.isComplete())
    return false;
  for (; pieceCount < count; ++pieceCount) {
    const PieceNumbers piece(at);
    new (pieces() + pieceCount) PieceSeen(piece, sizes, marks.data());
    if (!pieces()[pieceCount].find()) {
      ++pieceCount; // to be destroyed
      return false;
    }
    at = piece.end();
  }
  boxes = at;
  for (int64_t turn = 0; turn < chunks; ++turn)
    for (int64_t n = 0; n < count; ++n)
      zones.push_back(pieces()[n].zoneOf(chunkOf(keys, own, turn)));
  return zones.isComplete();
}

void ExchangeRuns::Search::markBoxes(KeyRun rows, KeyRun asked) {
  const int64_t *at = boxes;
  for (int64_t count = *at++; count > 0; --count, at += 4) {
    const KeyRun seen = intersect(asked, {at[2], at[3]});
    if (at[0] < rows.end && rows.begin < at[1] && !seen.isEmpty())
      memset(marks.data() + seen.begin, 1, size_t(seen.end - seen.begin));
  }
}

/// Marks the keys in `asked` that some query in `rows` sees. `zones` has, for each piece, the zone of the keys `asked`;
/// it is null if `asked` are all keys. If `order` is not null, only pairs of equal segments count.
void ExchangeRuns::Search::markSeen(KeyRun rows, KeyRun asked, PieceSeen::Zone *zones, SegmentMarks *order,
                                    const SegmentList &segments) {
  const int64_t firstQuery = sizes.numbers[1] - sizes.numbers[0];
  const KeyRun positions = {firstQuery + rows.begin, firstQuery + rows.end};
  if (order)
    return order->mark(plan + 1, sizes, segments, positions, asked, marks.data());
  for (int64_t n = 0; n < pieceCount; ++n) {
    PieceSeen::Zone unknown = {asked, {0, 0}, {0, 0}};
    pieces()[n].mark(positions, zones ? zones[n] : unknown);
  }
  markBoxes(positions, asked);
}

void ExchangeRuns::Search::findList(SegmentMarks *order, const SegmentList &segments) {
  for (int32_t member = 0; member < members; ++member) {
    for (int64_t turn = 0; turn < chunks; ++turn) {
      const KeyRun rows = chunkOf(queries, member, turn);
      if (member == own)
        markSeen(rows, {0, all}, nullptr, order, segments);
      for (int64_t other = 0; member != own && other < chunks; ++other)
        markSeen(rows, chunkOf(keys, own, other), zones.data() + other * pieceCount, order, segments);
    }
    for (int64_t turn = 0; member != own && turn < chunks; ++turn)
      exchange.sent.add(marks.data(), chunkOf(keys, own, turn));
    exchange.sent.endMember();
    for (int32_t owner = 0; member == own && owner < members; ++owner) {
      for (int64_t turn = 0; owner != own && turn < chunks; ++turn)
        exchange.received.add(marks.data(), chunkOf(keys, owner, turn));
      exchange.received.endMember();
    }
    if (member == own)
      memset(marks.data(), 0, size_t(all));
    for (int64_t turn = 0; member != own && turn < chunks; ++turn) {
      const KeyRun asked = chunkOf(keys, own, turn);
      memset(marks.data() + asked.begin, 0, size_t(asked.end - asked.begin));
    }
  }
}

bool ExchangeRuns::Search::run(const CallSegments &segments) {
  if (!marks.isComplete())
    return false;
  if (!segments.queries) {
    if (!makePieces())
      return false;
    findList(nullptr, {});
    return true;
  }
  SegmentMarks order(all);
  if (!order.isComplete())
    return false;
  const int64_t bytes = segments.isLong ? 8 : 4;
  for (int64_t list = 0; list < segments.lists; ++list)
    findList(&order, {static_cast<const char *>(segments.queries) + list * sizes.numbers[0] * bytes,
                      static_cast<const char *>(segments.keys) + list * all * bytes, segments.isLong});
  return true;
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

bool ExchangeRuns::areKnown(int64_t queries, int64_t keys, int32_t members, const CallSegments &segments) const {
  if (queries != knownQueries || keys != knownKeys || members != knownMembers)
    return false;
  if (!segments.queries)
    return knownSegments.empty();
  const size_t rowBytes = (segments.isLong ? 8 : 4) * size_t(members) * size_t(segments.lists);
  const size_t queryBytes = rowBytes * size_t(queries), keyBytes = rowBytes * size_t(keys);
  return segments.lists == knownLists && segments.isLong == areLong && knownSegments.size() == queryBytes + keyBytes &&
         (queryBytes == 0 || memcmp(knownSegments.data(), segments.queries, queryBytes) == 0) &&
         (keyBytes == 0 || memcmp(knownSegments.data() + queryBytes, segments.keys, keyBytes) == 0);
}

bool ExchangeRuns::remember(int64_t queries, int64_t keys, int32_t members, const CallSegments &segments) {
  knownSegments = Array<char>();
  knownLists = segments.queries ? segments.lists : 1;
  knownMembers = members;
  areLong = segments.isLong;
  knownSeal = 0;
  if (segments.queries) {
    const size_t rowBytes = (segments.isLong ? 8 : 4) * size_t(members) * size_t(segments.lists);
    const size_t queryBytes = rowBytes * size_t(queries), keyBytes = rowBytes * size_t(keys);
    knownSegments = Array<char>(queryBytes + keyBytes);
    if (!knownSegments.isComplete())
      return false;
    if (queryBytes + keyBytes > 0) {
      if (queryBytes > 0)
        memcpy(knownSegments.data(), segments.queries, queryBytes);
      if (keyBytes > 0)
        memcpy(knownSegments.data() + queryBytes, segments.keys, keyBytes);
      const uint64_t sum =
          xfrt_checksum_end(xfrt_checksum_bytes(XFRT_CHECKSUM_START, knownSegments.data(), queryBytes + keyBytes));
      knownSeal = uint32_t(sum ^ sum >> 32);
    }
  }
  knownQueries = queries;
  knownKeys = keys;
  return true;
}

bool ExchangeRuns::find(const int64_t *plan, int64_t queries, int64_t keys, int32_t members, int32_t own,
                        const CallSegments &segments) {
  if (areKnown(queries, keys, members, segments))
    return true;
  knownQueries = knownKeys = -1;
  received.clear();
  sent.clear();
  return Search(*this, plan, queries, keys, members, own).run(segments) && received.isComplete() && sent.isComplete() &&
         remember(queries, keys, members, segments);
}
