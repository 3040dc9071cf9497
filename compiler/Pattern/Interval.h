//===- Interval.h - Closed bounds of a variable -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads bounds off the constraints of a set and then proves them; nothing is optimised. Constraints that give no bound
// (a congruence, a window) are skipped: if the coupling has absorbed them, the proof succeeds.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_INTERVAL_H
#define XF_COMPILER_PATTERN_INTERVAL_H

#include "compiler/Pattern/Coupling.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::xf::pattern {

/// An interval of `variable`, a query or a key, for each value of the other of the two. The bounds are inequalities in
/// which `variable` has the coefficient 1 (lower bound), -1 (upper bound) or 0 (condition on the row), and in which no
/// division depends on `variable`. The constraints of the box are left out: they are implied.
struct IntervalSet {
  Variable variable;
  Conjunction constraints;

  int64_t coefficient(const LinearForm &form) const { return form[1 + variable]; }
};

/// The candidate bounds of one variable of a set, which may be a union: all bounds that can be read off its
/// constraints, with the samples at which they hold. The coupling decides which of these bounds describe the set.
class IntervalCandidate {
public:
  IntervalCandidate(const Set &set, Variable variable, ArrayRef<SampleGrid> grids);

  /// Returns whether the bounds hold for exactly the sampled pairs of the set, among the points that a coupling reaches
  /// (the results of sampleReach, by grid).
  bool agrees(ArrayRef<llvm::BitVector> reach) const;

  /// Proves that the bounds describe the set where `coupling` reaches. Returns the bounds that the proof needs, or
  /// nullopt without a proof.
  std::optional<IntervalSet> prove(Prover &prover, const Coupling &coupling, ArrayRef<llvm::BitVector> reach) const;

private:
  using BoundNumbers = llvm::SmallBitVector;
  bool agrees(const BoundNumbers &chosen, ArrayRef<llvm::BitVector> reach) const;
  IntervalSet select(const BoundNumbers &chosen) const;

  const Set &set;
  ArrayRef<SampleGrid> grids;
  IntervalSet interval;
  SmallVector<SmallVector<llvm::BitVector>, 3> satisfied; // the points where a bound holds, by grid, then by bound
  BoundNumbers valid;                                     // the bounds that hold for all sampled pairs of a union
};

/// Whether every bound is a non-decreasing function of the other variable, over all integers.
bool hasMonotoneBounds(const IntervalSet &interval);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_INTERVAL_H
