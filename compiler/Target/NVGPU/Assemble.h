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

/// The places where findPtxas searches, as text for error messages.
constexpr StringLiteral ptxasPlaces = "at $XF_PTXAS, on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin";

/// Returns the path of ptxas, NVIDIA's assembler, or an empty string if there is none. If the environment variable
/// XF_PTXAS exists, its value is the path. An empty value disables ptxas.
std::string findPtxas();

/// Assembles `ptx`, the PTX of the kernels of `module`, to a cubin for `machine`. `ptxas` is the path of the assembler.
/// Emits an error and fails if the assembler fails. Emits a remark for each kernel that spills registers, uses local
/// memory or has serialized wgmma instructions, because these cost speed.
FailureOr<std::string> assemble(ModuleOp module, StringRef ptx, const Machine &machine, StringRef ptxas);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ASSEMBLE_H
