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

namespace mlir::xf::pattern {

/// An interval of `variable` for each value of the other one, as inequalities in which `variable` has the coefficient
/// 1 (lower bound), -1 (upper bound) or 0 (condition on the row), and which no division depends on. The box is left
/// out: it is implied.
struct IntervalSet {
  Variable variable;
  Conjunction constraints;

  int64_t coefficient(const LinearForm &form) const { return form[1 + variable]; }
};

/// Bounds of `variable` that hold on all of `set` as far as they can be read off; `set` may be a union.
IntervalSet readInterval(const Set &set, Variable variable);

/// Proves that `interval`, where the coupling reaches, is `set`, and drops the bounds that this needs not.
bool proveInterval(Prover &prover, IntervalSet &interval, const Set &set, const Coupling &coupling,
                   ArrayRef<SampleGrid> grids);

/// Whether every bound is a non-decreasing function of the other variable, over all integers.
bool hasMonotoneBounds(const IntervalSet &interval);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_INTERVAL_H
