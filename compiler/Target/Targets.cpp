//===- Targets.cpp - The registry of targets ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/F32Products.h"
#include "compiler/Target/CPU/CpuTarget.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/NVGPU/NvgpuTarget.h"
#include "compiler/Target/Target.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

FailureOr<CodeImage> Target::translate(ModuleOp module, const Machine &) const {
  return module.emitError("expected a target whose kernels are loaded as an image");
}

FailureOr<std::optional<CodeImage>> Target::assemble(ModuleOp, StringRef, const Machine &, StringRef) const {
  return std::optional<CodeImage>();
}

ArrayRef<const Target *> xf::allTargets() {
  static const Target *targets[] = {&cpu::getTarget(), &nvgpu::getTarget()};
  return targets;
}

/// Searches the targets whose hasImage() equals `hasImage` for the machine that `options` name. Returns null if none of
/// these targets has it.
static MachineRef findByImage(const MachineOptions &options, bool hasImage) {
  for (const Target *target : allTargets())
    if (target->hasImage() == hasImage)
      if (MachineRef machine = target->findMachine(options))
        return machine;
  return nullptr;
}

MachineRef xf::findCpu(const MachineOptions &options) { return findByImage(options, /*hasImage=*/false); }
std::string xf::cpuError(const MachineOptions &options) {
  StringRef triple = options.targetTriple;
  if (!triple.empty() && !cpu::CpuMachine::isTriple(triple))
    return ("expected a target triple of Linux on x86_64 or aarch64, got '" + triple + "'").str();
  std::string of = triple.empty() ? "of 64 bits" : ("of " + triple).str();
  return "expected the name of a CPU " + of + " that LLVM knows, got '" + options.machine + "'";
}
MachineRef xf::findGpu(const MachineOptions &options) { return findByImage(options, /*hasImage=*/true); }

SmallVector<StringRef> xf::gpuNames() {
  SmallVector<StringRef> names;
  for (const Target *target : allTargets())
    if (target->hasImage())
      llvm::append_range(names, target->machineNames());
  return names;
}

SmallVector<StringRef> xf::defaultGpus() {
  SmallVector<StringRef> names;
  for (const Target *target : allTargets())
    if (target->hasImage())
      llvm::append_range(names, target->defaultMachines());
  return names;
}

MachineRef xf::findMachine(const MachineOptions &options, function_ref<InFlightDiagnostic()> emitError) {
  if (!f32ProductsOf(options.f32Products)) {
    emitError() << "expected one of " << llvm::join(f32ProductsNames(), ", ") << " for f32 products, got '"
                << options.f32Products << "'";
    return nullptr;
  }
  if (!llvm::is_contained({0u, 128u, 256u, 512u}, options.vectorBits)) {
    emitError() << "expected vectors of 128, 256 or 512 bits, got " << options.vectorBits;
    return nullptr;
  }
  for (const Target *target : allTargets())
    if (MachineRef machine = target->findMachine(options))
      return machine;
  emitError() << "expected the name of a CPU of 64 bits that LLVM knows, or of a GPU (" << llvm::join(gpuNames(), ", ")
              << "), got '" << options.machine << "'";
  return nullptr;
}

const Target &xf::targetOf(const Machine &machine) {
  auto *found = llvm::find_if(allTargets(), [&](const Target *target) { return target->runs(machine); });
  assert(found != allTargets().end() && "expected a target for every machine");
  return **found;
}

std::unique_ptr<TileModel> xf::createTileModel(const Machine &machine) {
  return targetOf(machine).createTileModel(machine);
}

std::unique_ptr<TileModel> xf::tileModelOf(const MachineOptions &options,
                                           function_ref<InFlightDiagnostic()> emitError) {
  MachineRef machine = findMachine(options, emitError);
  return machine ? createTileModel(*machine) : nullptr;
}
