//===- RegisterSums.h - Sums over the lanes of registers -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums the lanes of each of several registers. The sums become the lanes of one register. The code is a transposition
// that adds halves as it goes. It has two steps, so that few registers are needed at once: within groups of 128 bits,
// which x86 interleaves in one instruction, and across groups. The order of additions in each sum is the same in all
// lanes.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_REGISTERSUMS_H
#define XF_COMPILER_TARGET_CPU_DECODE_REGISTERSUMS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Sums lanes of `registers`. Divides each register into groups of as many lanes as there are registers. Element n of a
/// group of the result is the sum of the lanes of the same group in register n.
Value addWithinGroups(KernelBuilder &kb, ArrayRef<Value> registers);

/// Sums groups of lanes of `registers`. Each row has `width` lanes of a register. They are divided into as many groups
/// as there are registers. Group n of a row of the result is the sum, lane by lane, of all groups of the same row in
/// register n.
Value addAcrossGroups(KernelBuilder &kb, ArrayRef<Value> registers, int64_t width);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_REGISTERSUMS_H
