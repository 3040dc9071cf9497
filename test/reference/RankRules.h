//===- RankRules.h - What ranks send each other ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_REFERENCE_RANKRULES_H
#define XF_TEST_REFERENCE_RANKRULES_H

#include "test/reference/Rules.h"

namespace mlir::xf::reference {

/// Whether the values of an op are those of several ranks.
bool isRankOp(Operation *op);

/// Sets the result of such an op in the frame of each rank. Fails after an error at the op.
LogicalResult evaluateTogether(Operation *op, MutableArrayRef<Frame> ranks);

/// Returns part `part` of `parts` of a tensor along a dimension.
Tensor partOf(const Tensor &tensor, int64_t dim, int64_t part, int64_t parts, int64_t chunks = 1);

} // namespace mlir::xf::reference

#endif // XF_TEST_REFERENCE_RANKRULES_H
