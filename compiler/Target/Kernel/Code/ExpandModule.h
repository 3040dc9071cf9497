//===- ExpandModule.h - All kernels of a module become code --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_EXPANDMODULE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_EXPANDMODULE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Replaces each structured op of the kernels of a module by the code that `expand` builds in its place. `expand` must
/// erase the op. Fails if `expand` fails.
LogicalResult expandModule(ModuleOp module, const KernelMachine &machine,
                           function_ref<LogicalResult(Operation *op, KernelBuilder &kb)> expand);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_EXPANDMODULE_H
