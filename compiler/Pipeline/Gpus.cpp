//===- Gpus.cpp - GPU architectures of the compiler -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/Gpus.h"
#include "compiler/Target/Target.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

std::string xf::gpuArchitectureFor(int capability) {
  for (const Target *target : allTargets())
    if (StringRef name = target->machineFor(capability); !name.empty())
      return name.str();
  return "";
}

std::string xf::checkGpuArchitecture(const std::string &name) {
  if (llvm::is_contained(gpuNames(), name))
    return "";
  return "expected GPUs of " + llvm::join(gpuNames(), ", ") + ", got '" + name + "'";
}

std::string xf::findAssembler() {
  for (const Target *target : allTargets())
    if (std::string path = target->findAssembler(); !path.empty())
      return path;
  return "";
}
