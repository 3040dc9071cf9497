//===- ProductForms.h - Vector instructions of products ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_PRODUCTFORMS_H
#define XF_COMPILER_TARGET_CPU_MACHINE_PRODUCTFORMS_H

#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns the form of products of matrices whose elements have type `stored` in memory: the vector instruction and the
/// layout of its operands. `areAdjacent` is whether the terms of a row of the left operand are adjacent, in memory or
/// as the kernel packs them. Only then does the instruction take several terms.
ProductForm productForm(const CpuMachine &machine, Type stored, bool areAdjacent = true);
/// Returns the form of products that read panels of elements of type `panel`. The panels are packed from matrices of
/// `stored`, and `panel` is `stored` or computeType(stored). Unless `takesSeveral`, panels do not interleave the terms
/// of an instruction.
ProductForm panelForm(const CpuMachine &machine, Type stored, Type panel, bool takesSeveral = true);

/// Returns element `term` (0 or 1) of each pair of `pairs`, a register of bf16, as f32. The bits of a bf16 are the
/// upper half of the bits of its f32.
Value pairElement(KernelBuilder &kb, Value pairs, int64_t term);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_PRODUCTFORMS_H
