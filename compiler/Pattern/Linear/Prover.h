//===- Prover.h - Emptiness and inclusion within a budget -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_LINEAR_PROVER_H
#define XF_COMPILER_PATTERN_LINEAR_PROVER_H

#include "compiler/Pattern/Linear/System.h"
#include <string>

namespace mlir::xf::pattern {

/// Limits the cost of solving one pattern. Limits are counts and never times, so that a pattern has the same solution
/// on every machine.
struct Budget {
  unsigned emptinessTests = 2500;
  /// The largest number of divisions in a set that is tested for emptiness. A test cannot be interrupted, so its size
  /// is limited.
  unsigned divisions = 14;
  /// The largest least common multiple of the denominators in a set that is tested for emptiness.
  int64_t period = int64_t(1) << 31;
  unsigned conjunctions = 64;
  /// The number of sets that the solver tries to solve as one piece.
  unsigned attempts = 200;
  unsigned pieces = 24;
  unsigned splitDepth = 4;
  unsigned splitWidth = 32;
};

/// Proves facts about sets with MLIR's Presburger library. The answer `true` is a proof. The answer `false` means that
/// the fact is not proved: it does not hold, or the budget is spent. Callers must be correct in both cases.
class Prover {
public:
  explicit Prover(const Budget &budget) : budget(budget), testsLeft(budget.emptinessTests) {}

  bool isEmpty(const Conjunction &set);
  bool isEmpty(const Set &set);
  /// Returns whether `form` >= 0 on all of `set`. The form may use the divisions of `set`.
  bool implies(const Conjunction &set, const LinearForm &form);
  bool isSubset(const Conjunction &set, const Set &of);
  bool isSubset(const Set &set, const Set &of);
  bool areDisjoint(const Conjunction &a, const Conjunction &b);

  /// Returns the pairs of `a` that are not in `b`, as disjoint conjunctions. Leaves out conjunctions that are proved
  /// empty.
  Set subtract(const Conjunction &a, const Conjunction &b);
  Set subtract(const Set &a, const Set &b);
  /// Drops each inequality of `set` that is implied by the others.
  void dropImplied(Conjunction &set);

  const Budget &getBudget() const { return budget; }
  /// Returns the reason why the prover first gave up, such as a spent budget; an empty string if it never did.
  StringRef getRefusal() const { return refusal; }
  bool isSpent() const { return testsLeft == 0; }

private:
  bool refuse(const Twine &reason);
  bool isSubset(const Conjunction &set, ArrayRef<Conjunction> of);

  Budget budget;
  unsigned testsLeft;
  std::string refusal;
};

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_LINEAR_PROVER_H
