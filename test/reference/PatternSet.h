//===- PatternSet.h - Which pairs an attention pattern has ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_PATTERNSET_H
#define XF_TEST_REFERENCE_PATTERNSET_H

#include "dialects/xf/IR/XfPatterns.h"
#include "test/reference/Tensor.h"
#include <map>

namespace mlir::xf::reference {

/// The run-time operands that a pattern may ask; null where the op has none.
struct PatternClauses {
  const Tensor *lengths = nullptr, *queryLengths = nullptr, *segmentsQ = nullptr, *segmentsK = nullptr;
  const Tensor *tableOffsets = nullptr, *tableColumns = nullptr;
  SmallVector<const Tensor *> symbols;
};

/// A pair of a set pattern: i is the query's position on the key axis. Inside `block`, `lift` and `grid` the four sizes
/// and positions are those of blocks, coordinates or tokens.
struct Pair {
  int64_t i, j, nq, nk;
};

/// The set of pairs of one attention op: a predicate per row of the table of patterns (spec section 2).
class PatternSet {
public:
  /// Fails after an error at `op` where the pattern is no set, or lacks a parameter or clause that it needs. A null
  /// pattern is dense.
  static FailureOr<PatternSet> create(Operation *op, Pattern pattern, PatternClauses clauses, int64_t queries,
                                      int64_t keys);

  /// Whether query row `query` of that batch and head sees `key`.
  bool contains(int64_t batch, int64_t head, int64_t query, int64_t key);

  /// The position of query row 0 on the key axis.
  int64_t firstPosition() const { return keys - queries; }

private:
  PatternSet(Pattern pattern, PatternClauses clauses, int64_t queries, int64_t keys)
      : pattern(pattern), clauses(std::move(clauses)), queries(queries), keys(keys) {}

  bool holds(Pattern pattern, Pair pair);
  bool inRandom(RandomPatternAttr pattern, Pair pair);
  bool inBigBird(BigBirdPatternAttr pattern, Pair pair);
  bool inSegments(SegmentsPatternAttr pattern, Pair pair) const;
  bool inTable(TablePatternAttr pattern, Pair pair) const;
  bool inAffine(AffinePatternAttr pattern, Pair pair) const;
  bool inGrid(GridPatternAttr pattern, Pair pair);
  bool inPermute(PermutePatternAttr pattern, Pair pair);
  int64_t symbol(unsigned number) const;

  /// The keys that a row of a random pattern draws, remembered by pattern, batch, head, row and number of keys.
  using Drawn = std::vector<int64_t>;
  template <typename IsAllowed>
  const Drawn &drawn(Attribute pattern, int64_t seed, int64_t count, int64_t row, int64_t keys, IsAllowed isAllowed);

  Pattern pattern;
  PatternClauses clauses;
  int64_t queries, keys;
  int64_t batch = 0, head = 0; ///< of the pair that is being asked for
  std::map<std::tuple<const void *, int64_t, int64_t, int64_t, int64_t>, Drawn> draws;
};

/// Division and remainder towards minus infinity, and division towards infinity.
int64_t floorDiv(int64_t a, int64_t b);
int64_t floorMod(int64_t a, int64_t b);
int64_t ceilDiv(int64_t a, int64_t b);

/// The predicates that ask nothing but their parameters (GridSets.cpp has those of grids).
bool inWindowNd(WindowNdPatternAttr pattern, Pair pair);
bool inSwin(SwinPatternAttr pattern, Pair pair);

/// The coordinates of token `number` in a row-major grid; the first one is not bounded.
SmallVector<int64_t> gridCoordinates(int64_t number, ArrayRef<int64_t> extents);

/// Whether j <= i for every pair, seen from the pattern alone; decides defaults of kernelised attention.
bool isCausal(Pattern pattern);

/// Checks the elements of a table clause, if there is one: offsets start and end inside the columns and do not
/// decrease. (Parameters and the presence of clauses are the business of the op's verifier.)
LogicalResult verifyTable(Operation *op, const PatternClauses &clauses);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_PATTERNSET_H
