//===- RegisterFence.h - A place where registers are free ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_REGISTERFENCE_H
#define XF_COMPILER_TARGET_CPU_MACHINE_REGISTERFENCE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Keeps the code generator from holding values in vector registers across this place. It moves constants out of loops
/// as far as it can: those of a loop over rows would take registers that the product before the loop needs for its
/// sums. Emits no instruction, and does nothing on AArch64.
void freeRegisters(KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_REGISTERFENCE_H
