//===- Interval.h - Closed bounds of a variable -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads bounds of queries or keys off the constraints of a set, and proves that they describe the set. Skips
// constraints that give no bound (a congruence, a window). If the coupling (Coupling.h) already implies these, the
// proof succeeds without them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_INTERVAL_H
#define XF_COMPILER_PATTERN_INTERVAL_H

#include "compiler/Pattern/Coupling.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::xf::pattern {

/// For each value of one variable of a pair, query or key, an interval of the other variable, `variable`. The
/// inequalities of `constraints` give the bounds of the interval: in a lower bound, `variable` has the coefficient 1,
/// in an upper bound -1, and in a condition on the other variable 0. No division in the inequalities depends on
/// `variable`. The constraints of the box (boxOf) are left out, because they always hold.
struct IntervalSet {
  Variable variable;
  Conjunction constraints;

  int64_t coefficient(const LinearForm &form) const { return form[1 + variable]; }
};

/// The candidate bounds of one variable of a set: all bounds that the constraints of the set show, and the samples at
/// which each of them holds. The set may be a union. Whether the bounds describe the set depends on the coupling.
class IntervalCandidate {
public:
  IntervalCandidate(const Set &set, Variable variable, ArrayRef<SampleGrid> grids);

  /// Returns whether, among the sampled points that a coupling reaches, the bounds hold for exactly the pairs of the
  /// set. `reach` holds the result of sampleReach for each grid.
  bool agrees(ArrayRef<llvm::BitVector> reach) const;

  /// Proves that, among the points that `coupling` reaches, the bounds hold for exactly the pairs of the set. Returns
  /// the bounds that the proof needs, or nullopt if there is no proof.
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

/// Returns whether every lower and upper bound is a non-decreasing function of the other variable, as far as the
/// coefficients of the bounds show.
bool hasMonotoneBounds(const IntervalSet &interval);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_INTERVAL_H
