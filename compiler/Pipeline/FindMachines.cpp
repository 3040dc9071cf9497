//===- FindMachines.cpp - The machines of a compilation -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/FindMachines.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

FailureOr<SmallVector<NamedMachine, 1>> xf::findMachines(ModuleOp module, const CompileOptions &options) {
  SmallVector<NamedMachine, 1> machines;
  for (StringRef cpu : options.isas.empty() ? ArrayRef(options.cpu) : ArrayRef(options.isas)) {
    FailureOr<Machine> machine = Machine::get(cpu, options.vectorBits);
    if (failed(machine))
      return module.emitError("expected the name of a CPU of 64 bits that LLVM knows, got '") << cpu << "'";
    auto isNarrower = [](const Machine &a, const Machine &b) { return a.vectorBytes < b.vectorBytes; };
    NamedMachine named{*machine, {cpu.str(), options.vectorBits}};
    machines.insert(llvm::upper_bound(machines, named, isNarrower), named);
  }
  if (isDeviceCode(options.emit))
    machines.clear();
  for (StringRef gpu : options.gpus) {
    FailureOr<Machine> machine = Machine::getGpu(gpu);
    if (failed(machine))
      return module.emitError("expected one of ")
             << llvm::join(Machine::gpuArchitectures(), ", ") << " for a GPU, got '" << gpu << "'";
    machine->f32Products = options.f32Products;
    auto isOlder = [](const Machine &a, const Machine &b) { return a.computeCapability < b.computeCapability; };
    NamedMachine named{*machine, {gpu.str(), 0, f32ProductsNames()[static_cast<size_t>(options.f32Products)].str()}};
    machines.insert(llvm::upper_bound(machines, named, isOlder), named); // CPUs have no compute capability
  }
  return machines;
}
