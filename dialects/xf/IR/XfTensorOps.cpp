//===- XfTensorOps.cpp - Products, norms, shapes: verification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult LinearOp::verify() { return success(); }
LogicalResult MatmulOp::verify() { return success(); }
LogicalResult LayerNormOp::verify() { return success(); }
LogicalResult RmsNormOp::verify() { return success(); }
LogicalResult ReduceOp::verify() { return success(); }
LogicalResult ReshapeOp::verify() { return success(); }
LogicalResult TransposeOp::verify() { return success(); }
LogicalResult SliceOp::verify() { return success(); }
LogicalResult ConcatOp::verify() { return success(); }
LogicalResult BroadcastOp::verify() { return success(); }
LogicalResult SplitHeadsOp::verify() { return success(); }
LogicalResult MergeHeadsOp::verify() { return success(); }
