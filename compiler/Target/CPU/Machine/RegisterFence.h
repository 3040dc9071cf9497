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

/// Keeps the code generator from holding values in vector registers across this point. Otherwise it would load
/// constants of a later loop before an earlier product, whose sums need these registers. Emits no instruction. Has no
/// effect on CPUs without AVX2.
void freeRegisters(KernelBuilder &kb);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_REGISTERFENCE_H
