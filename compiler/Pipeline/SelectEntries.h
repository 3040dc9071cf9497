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

/// Makes functions that are not requested entries private; symbol-dce removes the unused ones after differentiation.
/// Without a name, all are entries. Fails, after an error, where there is no function of a name.
LogicalResult selectEntries(ModuleOp module, ArrayRef<std::string> entries);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_SELECTENTRIES_H
