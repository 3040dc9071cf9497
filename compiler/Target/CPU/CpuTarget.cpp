//===- CpuTarget.cpp - CPUs as a target -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/CpuTarget.h"
#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/CPU/ExpandKernels.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct CpuTarget : Target {
  bool runs(const Machine &machine) const override { return !machine.isGpu(); }
  void registerDialects(DialectRegistry &registry) const override { cpu::registerCodeGen(registry); }
  std::unique_ptr<TileModel> createTileModel(const Machine &machine) const override {
    return std::make_unique<cpu::CpuTileModel>(machine);
  }
  xfrt_device device() const override { return XFRT_CPU; }
  LogicalResult compileKernels(ModuleOp module, const Machine &machine, TargetCode &) const override {
    return success(succeeded(cpu::expandKernels(module, machine)) && succeeded(cpu::lowerToLLVM(module)));
  }
};
} // namespace

const Target &cpu::getTarget() {
  static const CpuTarget target;
  return target;
}
