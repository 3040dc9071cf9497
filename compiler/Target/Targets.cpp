//===- Targets.cpp - The registry of targets ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CpuTarget.h"
#include "compiler/Target/NVGPU/NvgpuTarget.h"
#include "compiler/Target/Target.h"

using namespace mlir;
using namespace mlir::xf;

FailureOr<std::optional<CodeImage>> Target::assemble(ModuleOp, StringRef, const Machine &, StringRef) const {
  return std::optional<CodeImage>();
}

ArrayRef<const Target *> xf::allTargets() {
  static const Target *targets[] = {&cpu::getTarget(), &nvgpu::getTarget()};
  return targets;
}

const Target &xf::targetOf(const Machine &machine) {
  auto *found = llvm::find_if(allTargets(), [&](const Target *target) { return target->runs(machine); });
  assert(found != allTargets().end() && "expected a target for every machine");
  return **found;
}

std::unique_ptr<TileModel> xf::createTileModel(const Machine &machine) {
  return targetOf(machine).createTileModel(machine);
}
