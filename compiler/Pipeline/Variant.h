//===- Variant.h - The code for one machine ---------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_VARIANT_H
#define XF_COMPILER_PIPELINE_VARIANT_H

#include "compiler/Emit/ModelTables.h"
#include "compiler/Pipeline/FindMachines.h"

namespace mlir::xf {

/// One variant of the code: its module, machine and tables. Before the stage `tile`, one variant stands for all
/// machines.
struct Variant {
  ModuleOp module;
  const CompileOptions &options;
  MachineRef machine;
  ArrayRef<MachineRef> machines = {}; ///< the machines that the variant stands for; empty: only its own
  ModelTables tables = {};
  OwningOpRef<ModuleOp> copy = nullptr; ///< owns `module`, unless that is the caller's
  OwningOpRef<ModuleOp> host = nullptr; ///< the functions of the host, if kernels are an image
};
using Variants = SmallVector<Variant, 1>;

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_VARIANT_H
