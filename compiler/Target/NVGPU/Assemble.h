//===- Assemble.h - From PTX to machine code ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ASSEMBLE_H
#define XF_COMPILER_TARGET_NVGPU_ASSEMBLE_H

#include "compiler/Support/Machine.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf::nvgpu {

/// Where findPtxas looks, in words.
constexpr StringLiteral ptxasPlaces = "at $XF_PTXAS, on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin";

/// The path of NVIDIA's assembler; empty where there is none. XF_PTXAS decides where it is set, empty for none.
std::string findPtxas();

/// The machine code of `ptx`, the kernels of `module` for `machine`, or failure after an error. Remarks on kernels say
/// what costs speed: registers that are spilled, local memory, products of warpgroups that wait for each other.
FailureOr<std::string> assemble(ModuleOp module, StringRef ptx, const Machine &machine, StringRef ptxas);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ASSEMBLE_H
