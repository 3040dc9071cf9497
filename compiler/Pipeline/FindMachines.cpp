//===- FindMachines.cpp - The machines of a compilation -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/FindMachines.h"
#include "compiler/Target/Target.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

/// Inserts a machine before all newer machines of the same target.
static void insert(SmallVectorImpl<MachineRef> &machines, const MachineRef &machine) {
  const Target &target = targetOf(*machine);
  auto isOlder = [&](const MachineRef &added, const MachineRef &other) {
    return target.runs(*other) && target.isOlder(*added, *other);
  };
  machines.insert(llvm::upper_bound(machines, machine, isOlder), machine);
}

FailureOr<SmallVector<MachineRef, 1>> xf::findMachines(ModuleOp module, const CompileOptions &options) {
  SmallVector<MachineRef, 1> machines;
  for (StringRef cpu : options.isas.empty() ? ArrayRef(options.cpu) : ArrayRef(options.isas)) {
    MachineOptions named = {cpu.str(), options.vectorBits, "exact", options.targetTriple};
    MachineRef machine = findCpu(named);
    if (!machine)
      return module.emitError(cpuError(named));
    if (!machines.empty() && machine->triple != machines.front()->triple)
      return module.emitError("expected CPUs of one architecture, got ")
             << machines.front()->options.machine << " of " << machines.front()->triple << " and " << cpu << " of "
             << machine->triple;
    insert(machines, machine);
  }
  if (isDeviceCode(options.emit))
    machines.clear();
  for (StringRef gpu : options.gpus) {
    StringRef products = f32ProductsNames()[static_cast<size_t>(options.f32Products)];
    MachineRef machine = findGpu({gpu.str(), /*vectorBits=*/0, products.str()});
    if (!machine)
      return module.emitError("expected one of ") << llvm::join(gpuNames(), ", ") << " for a GPU, got '" << gpu << "'";
    insert(machines, machine);
  }
  return machines;
}
