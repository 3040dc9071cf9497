//===- PatternSet.h - Which pairs an attention pattern has ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_ATTENTION_PATTERNSET_H
#define XF_TEST_REFERENCE_ATTENTION_PATTERNSET_H

#include "test/oracle/PatternOracle.h"
#include "test/reference/Tensor.h"
#include <optional>

namespace mlir::xf::reference {

/// The run-time operands that a pattern may ask; null where the op has none.
struct PatternClauses {
  const Tensor *lengths = nullptr, *queryLengths = nullptr, *segmentsQ = nullptr, *segmentsK = nullptr;
  const Tensor *tableOffsets = nullptr, *tableColumns = nullptr;
  SmallVector<const Tensor *> symbols;
};

/// The set of pairs of one attention op: the oracle's, with the op's operands of one batch entry and head at a time.
class PatternSet {
public:
  /// Fails after an error at `op` where the sizes or the table's elements do not fit the pattern. A null pattern is
  /// dense.
  static FailureOr<PatternSet> create(Operation *op, Pattern pattern, PatternClauses clauses, int64_t queries,
                                      int64_t keys);

  /// Whether query row `query` of that batch and head sees `key`.
  bool contains(int64_t batch, int64_t head, int64_t query, int64_t key);

  /// The position of query row 0 on the key axis.
  int64_t firstPosition() const { return keys - queries; }

private:
  PatternSet(Pattern pattern, PatternClauses clauses, int64_t queries, int64_t keys)
      : pattern(pattern), clauses(std::move(clauses)), queries(queries), keys(keys) {}

  xftest::PatternCall callOf(int64_t batch, int64_t head) const;
  std::vector<std::vector<int64_t>> tableOf(int64_t batch, int64_t head) const;

  Pattern pattern;
  PatternClauses clauses;
  int64_t queries, keys;
  std::pair<int64_t, int64_t> current = {-1, -1}; ///< batch entry and head of the oracle
  std::optional<xftest::PatternOracle> oracle;
};

/// Whether j <= i for every pair, seen from the pattern alone; decides defaults of kernelised attention.
bool isCausal(Pattern pattern);

/// Checks the elements of a table clause, if there is one: offsets start and end inside the columns and do not
/// decrease. (Parameters and the presence of clauses are the business of the op's verifier.)
LogicalResult verifyTable(Operation *op, const PatternClauses &clauses);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_ATTENTION_PATTERNSET_H
