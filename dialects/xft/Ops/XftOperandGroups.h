//===- XftOperandGroups.h - Optional operands by name -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies numbers of operands in groups, before accessors read the groups.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_OPS_XFTOPERANDGROUPS_H
#define XF_DIALECTS_XFT_OPS_XFTOPERANDGROUPS_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// For each kind of operand groups, how many groups an op has. The order is that of the functions below.
inline constexpr size_t attendClauseCount = 7, rowStateCount = 4, vjpGradientCount = 4, scanClauseCount = 8,
                        scanGradientCount = 4;

/// Verify that `op` has the right number of operand groups, and each group a valid number of operands. Fail after an
/// error at `op`.
LogicalResult verifyAttendClauses(Operation *op, OperandRangeRange groups);
LogicalResult verifyRowState(Operation *op, OperandRangeRange groups);
LogicalResult verifyVjpGradients(Operation *op, OperandRangeRange groups);
LogicalResult verifyScanClauses(Operation *op, OperandRangeRange groups);
LogicalResult verifyScanGradients(Operation *op, OperandRangeRange groups);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_OPS_XFTOPERANDGROUPS_H
