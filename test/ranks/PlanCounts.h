//===- PlanCounts.h - What plans of a program's share cost ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RANKS_PLANCOUNTS_H
#define XF_TEST_RANKS_PLANCOUNTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Counted from the plans that go into an object, as its ranks count them.
struct PlanCounts {
  /// Bytes that the busiest rank sends for all xf.exchange_rows, xf.bring_home and xf.all_gather, over those of
  /// gathering all keys and values, and scattering their gradients.
  double sent = 0;
  /// Pairs of the busiest rank over the mean, forward.
  double balance = 0;
};

/// Counts for a rank's share of a function of static sizes, which shares tokens along all axes of its mesh.
PlanCounts countPlans(func::FuncOp share);

} // namespace mlir::xf

#endif // XF_TEST_RANKS_PLANCOUNTS_H
