//===- Interval.h - Closed bounds of a variable -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds are read off the constraints of a set and then proved; nothing is optimised. Constraints that fit nothing
// (a congruence, a window) are skipped: if the coupling has absorbed them, the proof succeeds.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_INTERVAL_H
#define XF_COMPILER_PATTERN_INTERVAL_H

#include "compiler/Pattern/Coupling.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::xf::pattern {

/// An interval of `variable` for each value of the other one, as inequalities in which `variable` has the coefficient
/// 1 (lower bound), -1 (upper bound) or 0 (condition on the row), and which no division depends on. The box is left
/// out: it is implied.
struct IntervalSet {
  Variable variable;
  Conjunction constraints;

  int64_t coefficient(const LinearForm &form) const { return form[1 + variable]; }
};

/// The bounds of one variable of a set, which may be a union, as far as they can be read off, with their values at the
/// samples. Which of them make the set depends on the coupling.
class IntervalCandidate {
public:
  IntervalCandidate(const Set &set, Variable variable, ArrayRef<SampleGrid> grids);

  /// Whether the sampled pairs within the bounds are those of the set, among the points that a coupling reaches
  /// (sampleReach, by grid).
  bool agrees(ArrayRef<llvm::BitVector> reach) const;

  /// Proves that the bounds, where the coupling reaches, are the set; without those that the proof needs not.
  std::optional<IntervalSet> prove(Prover &prover, const Coupling &coupling, ArrayRef<llvm::BitVector> reach) const;

private:
  using BoundNumbers = llvm::SmallBitVector;
  bool agrees(const BoundNumbers &chosen, ArrayRef<llvm::BitVector> reach) const;
  IntervalSet select(const BoundNumbers &chosen) const;

  const Set &set;
  ArrayRef<SampleGrid> grids;
  IntervalSet interval;
  SmallVector<SmallVector<llvm::BitVector>, 3> satisfied; // by grid, then by bound
  BoundNumbers valid;                                     // for all sampled pairs of a union
};

/// Whether every bound is a non-decreasing function of the other variable, over all integers.
bool hasMonotoneBounds(const IntervalSet &interval);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_INTERVAL_H
