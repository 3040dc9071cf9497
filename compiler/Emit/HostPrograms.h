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

/// Moves the host programs and constants of a module, whose kernels are expanded, to `tables`. Adds the functions that
/// prepare a call to `host`, which may be the module itself: then behind its kernels. Fails after an error.
LogicalResult takeHostPrograms(ModuleOp module, ModuleOp host, ModelTables &tables);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_HOSTPROGRAMS_H
