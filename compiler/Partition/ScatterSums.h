//===- ScatterSums.h - Sums of which ranks take parts ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SCATTERSUMS_H
#define XF_COMPILER_PARTITION_SCATTERSUMS_H

#include "compiler/Partition/FactorShardings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Remembers the axes over which ranks share the gradients of a share of xf.clip_scale, until scatterSums.
void setGradientAxes(Operation *clipScale, ArrayRef<DimShardings> gradients, MeshAttr mesh);

/// Lets ranks sum no more than they need, in a function of one rank:
///
/// - Where all that is done with a sum is to take parts of it, ranks sum and send these parts alone.
/// - The norm of gradients is the sum of the squares that ranks have, so that it needs no gradient as a whole.
void scatterSums(func::FuncOp share, MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SCATTERSUMS_H
