//===- ShardingModels.h - Which dimensions of ops go together ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SHARDINGMODELS_H
#define XF_COMPILER_PARTITION_SHARDINGMODELS_H

#include "dialects/xf/Sharding/ShardableOpInterface.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::xf {

/// Attaches ShardableOpInterface to every op of the dialect that ranks can compute parts of, but for those that keep
/// rows, which need no model.
void registerShardingModels(DialectRegistry &registry);

/// Returns the letters of an op's dimensions, in a function of these sizes. An op without a model has none: a dimension
/// without a letter is whole.
ShardingLetters lettersOf(Operation *op, const SymbolicSizes &sizes);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SHARDINGMODELS_H
