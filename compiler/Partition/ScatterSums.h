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

/// Sets the attribute of `clipScale`, a rank's xf.clip_scale, that scatterSums() reads: for each gradient, the axes
/// over which ranks share it. `gradients` are the shardings of the gradients.
void setGradientAxes(Operation *clipScale, ArrayRef<DimShardings> gradients, MeshAttr mesh);

/// Reduces what ranks sum and send in `share`, a function of one rank:
///
/// - If all users of a sum take slices of it, ranks sum and send only these slices.
/// - A norm of gradients is computed from the sums of squares of each rank's parts, so that it needs no whole gradient.
void scatterSums(func::FuncOp share, MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SCATTERSUMS_H
