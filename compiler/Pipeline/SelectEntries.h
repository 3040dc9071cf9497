//===- SelectEntries.h - The functions to compile ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_SELECTENTRIES_H
#define XF_COMPILER_PIPELINE_SELECTENTRIES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf {

/// Makes all functions except `entries` private, so that symbol-dce removes the unused ones after differentiation.
/// Changes nothing if `entries` is empty. Fails, after an error, if one of the names belongs to no function.
LogicalResult selectEntries(ModuleOp module, ArrayRef<std::string> entries);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_SELECTENTRIES_H
