//===- Gpus.h - GPU architectures of the compiler ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts about GPUs. Users of the pipeline include this header, because they must not include headers of a target.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_GPUS_H
#define XF_COMPILER_PIPELINE_GPUS_H

#include <string>

namespace mlir::xf {

/// Returns the newest architecture whose kernels run on a device with compute capability `capability`, where 90 stands
/// for 9.0. The result is a name for CompileOptions::gpus, or empty if no architecture fits.
std::string gpuArchitectureFor(int capability);

/// Returns an error message if `name` is not valid for CompileOptions::gpus, else an empty text.
std::string checkGpuArchitecture(const std::string &name);

/// Returns the path of NVIDIA's assembler for CompileOptions::ptxas, or an empty path if it is not installed.
std::string findAssembler();

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_GPUS_H
