//===- Gpus.h - GPU architectures of the compiler ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about GPUs for users of the pipeline, which must not include headers of a target.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_GPUS_H
#define XF_COMPILER_PIPELINE_GPUS_H

#include <string>

namespace mlir::xf {

/// Returns the newest name for CompileOptions::gpus whose kernels run on a device of this compute capability (90 for
/// 9.0); empty if there is none.
std::string gpuArchitectureFor(int capability);

/// Returns what is wrong with a name for CompileOptions::gpus; empty if it is valid.
std::string checkGpuArchitecture(const std::string &name);

/// Returns the path of NVIDIA's assembler for CompileOptions::ptxas; empty if it is not installed.
std::string findAssembler();

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_GPUS_H
