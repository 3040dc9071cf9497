//===- StateShare.h - Kernelised attention on a part of the tokens  -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_STATES_STATESHARE_H
#define XF_COMPILER_PARTITION_STATES_STATESHARE_H

#include "compiler/Partition/ShareOps.h"

namespace mlir::xf {

/// Returns whether ranks along `axes` that share the tokens of a kernelised attention of all ranks, or of its gradient,
/// send each other states: sums over keys. `dividesHeads`: they could share heads instead, and do where that is fewer
/// elements. A gradient says the same as its attention.
bool sendsStates(Operation *attention, MeshAttr mesh, ArrayAttr axes, bool dividesHeads);

/// Builds a rank's share of an attention, or of its gradient, for which sendsStates is true. Fails after an error.
FailureOr<SmallVector<Value>> buildWithStates(OpBuilder &b, const OpShare &share);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_STATES_STATESHARE_H
