//===- CpuTarget.cpp - CPUs as a target -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CpuTarget.h"
#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/ExpandKernels.h"
#include "compiler/Target/CPU/KernelAbi.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Target/Kernel/Code/LowerToLLVM.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct CpuTarget : Target {
  MachineRef findMachine(const MachineOptions &options) const override;
  bool runs(const Machine &machine) const override { return isa<cpu::CpuMachine>(machine); }
  bool isOlder(const Machine &machine, const Machine &other) const override {
    return cast<cpu::CpuMachine>(machine).vectorBytes < cast<cpu::CpuMachine>(other).vectorBytes;
  }
  void registerDialects(DialectRegistry &registry) const override { cpu::registerCodeGen(registry); }
  std::unique_ptr<TileModel> createTileModel(const Machine &machine) const override {
    return std::make_unique<cpu::CpuTileModel>(cast<cpu::CpuMachine>(machine));
  }
  xfrt_device device() const override { return XFRT_CPU; }
  LogicalResult expandKernels(ModuleOp module, const Machine &machine) const override {
    return cpu::expandKernels(module, cast<cpu::CpuMachine>(machine));
  }
  LogicalResult lowerKernelAbi(func::FuncOp kernel) const override { return cpu::lowerKernelAbi(kernel); }
  void addLowering(OpPassManager &pm) const override { kernel::addLowering(pm); }
};
} // namespace

MachineRef CpuTarget::findMachine(const MachineOptions &options) const {
  FailureOr<cpu::CpuMachine> machine = cpu::CpuMachine::get(options.machine, options.vectorBits, options.targetTriple);
  if (failed(machine))
    return nullptr;
  machine->options = options;
  return std::make_shared<cpu::CpuMachine>(*machine);
}

const Target &cpu::getTarget() {
  static const CpuTarget target;
  return target;
}
