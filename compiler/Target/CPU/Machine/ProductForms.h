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

/// Returns the form of products of matrices of `stored`. Forms of several terms need a left operand whose terms
/// `areAdjacent` in memory, or are packed so.
ProductForm productForm(const CpuMachine &machine, Type stored, bool areAdjacent = true);
/// Returns the form that reads packed panels of type `panel`, of matrices of `stored`.
ProductForm panelForm(const CpuMachine &machine, Type stored, Type panel);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_PRODUCTFORMS_H
