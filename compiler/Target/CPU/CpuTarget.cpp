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

using namespace mlir;
using namespace mlir::xf;

namespace {
struct CpuTarget : Target {
  std::optional<Machine> findMachine(const MachineOptions &options) const override {
    FailureOr<Machine> machine = Machine::get(options.machine, options.vectorBits);
    return succeeded(machine) ? std::optional(*machine) : std::nullopt;
  }
  bool runs(const Machine &machine) const override { return !machine.isGpu(); }
  void registerDialects(DialectRegistry &registry) const override { cpu::registerCodeGen(registry); }
  std::unique_ptr<TileModel> createTileModel(const Machine &machine) const override {
    return std::make_unique<cpu::CpuTileModel>(machine);
  }
  xfrt_device device() const override { return XFRT_CPU; }
  LogicalResult expandKernels(ModuleOp module, const Machine &machine) const override {
    return cpu::expandKernels(module, machine);
  }
  LogicalResult lowerKernelAbi(func::FuncOp kernel) const override { return cpu::lowerKernelAbi(kernel); }
  void addLowering(OpPassManager &pm) const override { cpu::addLowering(pm); }
};
} // namespace

const Target &cpu::getTarget() {
  static const CpuTarget target;
  return target;
}
