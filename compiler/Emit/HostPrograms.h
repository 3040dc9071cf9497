//===- HostPrograms.h - The host programs of a module -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_HOSTPROGRAMS_H
#define XF_COMPILER_EMIT_HOSTPROGRAMS_H

#include "compiler/Emit/ModelTables.h"

namespace mlir::xf {

/// Converts the host programs and constants of `module` to `tables`, and erases them from `module`. The kernels of
/// `module` must have been expanded. For host programs with dynamic sizes, adds functions that compute sizes
/// (SizeFunctions.h) to the module `host`, after its kernels. `host` may be `module` itself. Fails after an error.
LogicalResult takeHostPrograms(ModuleOp module, ModuleOp host, ModelTables &tables);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HOSTPROGRAMS_H
