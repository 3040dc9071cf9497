//===- Gpus.cpp - GPU architectures of the compiler -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/Gpus.h"
#include "compiler/Support/Machine.h"
#include "compiler/Target/NVGPU/Assemble.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

std::string xf::gpuArchitectureFor(int capability) {
  for (StringRef name : llvm::reverse(Machine::gpuArchitectures())) {
    int wanted = int(Machine::getGpu(name)->computeCapability);
    // Code for "sm_90a" runs on that chip alone.
    if (name.ends_with("a") ? capability == wanted : capability >= wanted)
      return name.str();
  }
  return "";
}

std::string xf::checkGpuArchitecture(const std::string &name) {
  if (llvm::is_contained(Machine::gpuArchitectures(), name))
    return "";
  return "expected GPUs of " + llvm::join(Machine::gpuArchitectures(), ", ") + ", got '" + name + "'";
}

std::string xf::findAssembler() { return nvgpu::findPtxas(); }
