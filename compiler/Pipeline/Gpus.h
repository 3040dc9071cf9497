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

/// Returns the newest architecture whose kernels run on a device with this compute capability (90 stands for 9.0), as a
/// name for CompileOptions::gpus. Returns an empty name if there is none.
std::string gpuArchitectureFor(int capability);

/// Returns an error message if `name` is not valid for CompileOptions::gpus. Returns an empty text if it is valid.
std::string checkGpuArchitecture(const std::string &name);

/// Returns the path of NVIDIA's assembler, for CompileOptions::ptxas. Returns an empty path if it is not installed.
std::string findAssembler();

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_GPUS_H
