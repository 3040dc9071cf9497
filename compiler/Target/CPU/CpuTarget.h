//===- CpuTarget.h - CPUs as a target ------------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_CPUTARGET_H
#define XF_COMPILER_TARGET_CPU_CPUTARGET_H

#include "compiler/Target/Target.h"

namespace mlir::xf::cpu {

/// Returns the CPU target, which has no state.
const Target &getTarget();

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_CPUTARGET_H
