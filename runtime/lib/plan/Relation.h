//===- Relation.h - A piece at known sizes ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers what plans ask of a piece (who sees whom, in which numbers) from its bounds at the ends of runs.
//
// Rows of a residue are regular where three facts hold: every row between the first and the last that see a key sees
// one, bounds do not decrease, and what a row sees begins no later than what the row before it sees ends. Then the keys
// that a run of rows sees are one interval, from the begin of the first row to the end of the last; the rows that see
// something of an interval of keys are one interval too; and both are exact for every part of the piece. The facts are
// proved once for a residue: over one period of the bounds (`phases` rows) each result of a bound is a line, and what
// has to hold between two lines holds everywhere if it does at the ends. Where a fact fails, or a period is too long,
// rows are visited one by one: the answers are the same.
//
// Residues that follow each other, with the same lines over as many numbers, are one group: what is found for one holds
// for all. The ends of a part cut a group into a few runs of residues whose rows have the same numbers, because the
// number of a token does not grow with the residue where starts do not fall.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PLAN_RELATION_H
#define XFRT_LIB_PLAN_RELATION_H

#include "Line.h"
#include "Piece.h"
#include "RunningSum.h"

namespace xfrt::plan {

/// The numbers of queries and keys of one attention; at most 2^31 - 1 keys, and no more queries than keys.
struct Sizes {
  int64_t queries = 0;
  int64_t keys = 0;
};

/// Which pairs of a piece a question is about: queries and keys (positions on the axis of keys) and residues.
struct Part {
  Interval queries;
  Interval keys;
  Interval residues;
};

/// A piece at known sizes.
class Relation {
public:
  /// Returns false, and describes the failure in `error`, where a size or a number of the piece is out of its range.
  bool make(const Piece &piece, Sizes sizes, std::span<const int64_t> symbols, std::string &error);

  /// All pairs.
  Part all() const;
  int64_t residues() const { return piece.residues; }
  /// Whether the ends of runs say everything, so that no query is looked at by itself.
  bool isRegular() const;

  /// The number of pairs of a part.
  int64_t countPairs(const Part &part) const;
  /// Adds the keys of a part that have a pair there, as intervals of tokens in any order.
  void addKeys(const Part &part, std::vector<Interval> &tokens) const;
  /// Adds the queries of a part that have a pair there.
  void addQueries(const Part &part, std::vector<Interval> &tokens) const;
  /// The keys of an interval that have a pair with one of some queries, and the queries that have one with some keys.
  TokenSet findKeys(const TokenSet &queries, Interval keys, Interval residues) const;
  TokenSet findQueries(const TokenSet &keys, Interval queries, Interval residues) const;

private:
  /// The queries of a residue that see a key, as numbers in the order of the query map; `isRegular`: each number in
  /// between sees one, bounds do not decrease, and what neighbours see has no gap.
  struct Band {
    int64_t first = 0;
    int64_t last = 0;
    bool isRegular = true;
    bool isSummed = false; // has the sums of both bounds
    RunningSum begins, ends;
    RowBounds beginOf, endOf; // where it is regular
  };
  /// All bounds of one phase of a residue, as numbers in the order of the key map, and the conditions on its rows,
  /// which are >= 0 where the row counts; t counts periods.
  struct Lines {
    std::vector<Line> begins, ends, conditions;

    bool operator==(const Lines &) const = default;
  };
  /// Residues that are alike.
  struct Group {
    Interval residues;
    Interval numbers; // of the keys 0 .. keys
    Band band;
  };
  /// Some rows of `residue`, and of all before `residueEnd`, as numbers, and the keys that count for them, as numbers
  /// too.
  struct Rows {
    const Group *group;
    int64_t residue, residueEnd;
    int64_t begin, end;
    int64_t keyBegin, keyEnd;

    int64_t residues() const { return residueEnd - residue; }
  };

  /// The residues that may have one of some tokens, as keys or as queries; all that do are among them.
  std::vector<Interval> residuesOf(Interval tokens, bool areKeys) const;
  bool check(std::string &error) const;
  void findGroups();
  Interval numbersOf(int64_t residue) const;
  Rows alike(const Part &part, const Group &group, Interval residues) const;
  bool bindForms(std::span<const int64_t> symbols, std::string &error);
  void findPhases();
  Band findBand(int64_t residue) const;
  bool isMonotone(int64_t residue) const;
  bool touches(int64_t residue, const Band &band) const;
  void makeLines(int64_t residue, int64_t phase, Lines &lines) const;
  void makeLines(int64_t residue, std::vector<Lines> &lines) const;
  /// The keys of a row, as numbers.
  Interval keysOf(int64_t residue, int64_t number) const;
  /// Its begin, and its end, of a row that sees a key.
  int64_t beginOf(const Rows &rows, int64_t number) const;
  int64_t endOf(const Rows &rows, int64_t number) const;
  int64_t countRows(const Rows &rows) const;
  int64_t count(const Rows &rows) const;
  int64_t countRun(const Rows &rows) const;
  void sumBounds(int64_t residue, Band &band) const;
  int64_t firstAbove(const Rows &rows, bool ofEnds, int64_t value, int64_t begin, int64_t end) const;
  /// The rows among `rows` that have a key that counts; of a regular band.
  Rows narrow(const Rows &rows) const;
  template <typename Visit>
  void visitRows(const Part &part, Visit visit) const;
  template <typename Visit>
  void visitResidues(const Part &inside, Interval some, Visit visit) const;
  template <typename Visit>
  void visitParts(const Part &part, Visit visit) const;

  Piece piece;
  Sizes sizes;
  std::vector<Function> lower, upper, conditions;
  std::vector<int64_t> lowerSlopes, upperSlopes, conditionSlopes; // over one period of `phases` numbers
  int64_t phases = 0;           // after how many numbers of a residue all bounds repeat; 0: too many to look at
  std::vector<Group> groups;    // in the order of residues
  std::vector<uint32_t> byKeys; // boxes in the order of their keys
  int64_t longestQueries = 0, longestKeys = 0; // of boxes
};

} // namespace xfrt::plan

#endif // XFRT_LIB_PLAN_RELATION_H
