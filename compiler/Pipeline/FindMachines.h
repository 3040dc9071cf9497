//===- FindMachines.h - The machines of a compilation -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_FINDMACHINES_H
#define XF_COMPILER_PIPELINE_FINDMACHINES_H

#include "compiler/Pipeline/CompileOptions.h"
#include "compiler/Support/Machine.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf {

/// Returns the machines to compile for: first the CPUs, then the GPUs. CPUs are ordered by vector length, and CPUs of
/// the same length as in `options`: of all CPUs whose code a processor can run, the runtime takes the last. GPUs are
/// ordered by compute capability. Fails after an error.
FailureOr<SmallVector<MachineRef, 1>> findMachines(ModuleOp module, const CompileOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_FINDMACHINES_H
