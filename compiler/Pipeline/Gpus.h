//===- Gpus.h - What GPUs can be compiled for ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For those who see the pipeline alone, and nothing of a target.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_GPUS_H
#define XF_COMPILER_PIPELINE_GPUS_H

#include <string>

namespace mlir::xf {

/// The newest name for CompileOptions::gpus whose kernels a device of this compute capability (90 for 9.0) runs; empty
/// where there is none.
std::string gpuArchitectureFor(int capability);

/// What is wrong with a name for CompileOptions::gpus, empty where nothing is.
std::string checkGpuArchitecture(const std::string &name);

/// For CompileOptions::ptxas: NVIDIA's assembler, where it is installed; empty elsewhere.
std::string findAssembler();

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_GPUS_H
