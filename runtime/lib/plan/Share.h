//===- Share.h - What a rank computes of a piece ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_SHARE_H
#define XFRT_LIB_PLAN_SHARE_H

#include "Placement.h"
#include "Problem.h"

#include <compare>
#include <map>
#include <tuple>

namespace xfrt::plan {

/// Who computes the pair of a query and a key.
struct Mode {
  enum class Kind : uint8_t {
    /// Ranks form `rows` x (ranks / rows): rank p computes the queries of the ranks in its row, p div columns, with the
    /// keys of the ranks in its column, p mod columns. Of as many rows as ranks, queries stay; of one, keys stay.
    Grid,
    /// The owner of the residue; rank p has the residues [ceil(p R / P), ceil((p + 1) R / P)).
    Residues,
    /// The owner of the head, of all pieces of an attention; rank p has the heads of the same share.
    Heads,
  };

  Kind kind = Kind::Grid;
  int32_t rows = 1;

  auto operator<=>(const Mode &) const = default;
};

/// What a rank computes with of one piece. Every query and every key has a pair there.
struct Share {
  int64_t pairs = 0;
  TokenSet keys;
  TokenSet queries;
  bool isCounted = false; // whether `pairs` is known
};

/// The numbers of `count` things (residues, heads) that rank `rank` has.
Interval shareOf(int64_t count, int32_t rank, int32_t ranks);

/// The heads of keys that some heads see.
Interval keyHeadsOf(const Shape &shape, Interval heads);

/// The queries and keys that ranks compute with where they have a pair: those of a row and of a column of a grid, which
/// are found once for all of its ranks. Relations stay where they are.
class Sides {
public:
  void start(const Placement &placement);
  const Placement &of() const { return placement; }

  const Relation::Runs &queriesOf(const Relation &relation, Mode mode, int32_t rank);
  const Relation::Runs &keysOf(const Relation &relation, Mode mode, int32_t rank);
  Interval residuesOf(const Relation &relation, Mode mode, int32_t rank) const;

private:
  using Place = std::tuple<const Relation *, int32_t, int32_t>; // columns (0: all queries), row or column

  Placement placement;
  std::map<Place, Relation::Runs> queries, keys; // looked up, never walked
};

/// What rank `rank` computes of a piece, without the number of pairs.
Share makeShare(const Relation &relation, Mode mode, Sides &sides, int32_t rank);

/// The keys, or the queries, of an interval that rank `rank` computes with.
TokenSet findNeeds(const Relation &relation, Mode mode, Sides &sides, int32_t rank, bool ofKeys, Interval tokens);

/// The number of pairs of a share.
int64_t countShare(const Relation &relation, Mode mode, Sides &sides, int32_t rank);

/// The number of pairs of each rank; where that is much to count, of the ranks of `sample` alone, others 0.
std::vector<int64_t> countLoads(const Relation &relation, Mode mode, Sides &sides, const std::vector<int32_t> &sample);

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_SHARE_H
