//===- NvgpuTarget.cpp - NVIDIA GPUs as a target --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/NvgpuTarget.h"
#include "compiler/Target/Kernel/Code/LowerToLLVM.h"
#include "compiler/Target/NVGPU/Assemble.h"
#include "compiler/Target/NVGPU/CodeGen.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "compiler/Target/NVGPU/KernelAbi.h"
#include "compiler/Target/NVGPU/Tiling/NvgpuTileModel.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct NvgpuTarget : Target {
  MachineRef findMachine(const MachineOptions &options) const override;
  ArrayRef<StringRef> machineNames() const override { return nvgpu::NvgpuMachine::architectures(); }
  ArrayRef<StringRef> defaultMachines() const override { return nvgpu::NvgpuMachine::defaultArchitectures(); }
  StringRef machineFor(int capability) const override { return nvgpu::NvgpuMachine::architectureFor(capability); }
  std::string findAssembler() const override { return nvgpu::findPtxas(); }
  bool runs(const Machine &machine) const override { return isa<nvgpu::NvgpuMachine>(machine); }
  bool isOlder(const Machine &machine, const Machine &other) const override {
    return cast<nvgpu::NvgpuMachine>(machine).computeCapability < cast<nvgpu::NvgpuMachine>(other).computeCapability;
  }
  void registerDialects(DialectRegistry &registry) const override { nvgpu::registerCodeGen(registry); }
  std::unique_ptr<TileModel> createTileModel(const Machine &machine) const override {
    return std::make_unique<nvgpu::NvgpuTileModel>(cast<nvgpu::NvgpuMachine>(machine));
  }
  xfrt_device device() const override { return XFRT_CUDA; }
  bool hasImage() const override { return true; }
  LogicalResult expandKernels(ModuleOp module, const Machine &machine) const override {
    return nvgpu::expandKernels(module, cast<nvgpu::NvgpuMachine>(machine));
  }
  LogicalResult lowerKernelAbi(func::FuncOp kernel) const override { return nvgpu::lowerKernelAbi(kernel); }
  void addLowering(OpPassManager &pm) const override { kernel::addLowering(pm); }
  void markKernels(ModuleOp module) const override { nvgpu::markKernels(module); }
  FailureOr<CodeImage> translate(ModuleOp module, const Machine &machine) const override;
  FailureOr<std::optional<CodeImage>> assemble(ModuleOp module, StringRef image, const Machine &machine,
                                               StringRef assembler) const override;
};
} // namespace

MachineRef NvgpuTarget::findMachine(const MachineOptions &options) const {
  FailureOr<nvgpu::NvgpuMachine> machine = nvgpu::NvgpuMachine::get(options.machine);
  if (failed(machine))
    return nullptr;
  machine->options = options;
  machine->f32Products = *f32ProductsOf(options.f32Products);
  return std::make_shared<nvgpu::NvgpuMachine>(*machine);
}

/// Returns PTX comments that describe the kernels of `module` for users who launch them. PTX itself does not record
/// this: the threads and the shared memory of each kernel, and the resources that the choice of its tile counted on.
static std::string describeKernels(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    auto threads = kernel->getAttrOfType<IntegerAttr>(nvgpu::threadsAttrName);
    if (!threads)
      continue; // a function that kernels call
    os << "// " << kernel.getName() << ": " << threads.getInt() << " threads, "
       << kernel->getAttrOfType<IntegerAttr>(nvgpu::sharedBytesAttrName).getInt() << " bytes of shared memory";
    if (auto expected = kernel->getAttrOfType<StringAttr>(nvgpu::expectedAttrName))
      os << "; " << expected.getValue();
    os << "\n";
  }
  return text;
}

FailureOr<CodeImage> NvgpuTarget::translate(ModuleOp module, const Machine &machine) const {
  FailureOr<std::string> ptx = nvgpu::translateToPtx(module, machine);
  if (failed(ptx))
    return failure();
  return CodeImage{XFRT_PTX, describeKernels(module) + *ptx};
}

FailureOr<std::optional<CodeImage>> NvgpuTarget::assemble(ModuleOp module, StringRef image, const Machine &machine,
                                                          StringRef assembler) const {
  FailureOr<std::string> cubin = nvgpu::assemble(module, image, machine, assembler);
  if (failed(cubin))
    return failure();
  return std::optional(CodeImage{XFRT_CUBIN, std::move(*cubin)});
}

const Target &nvgpu::getTarget() {
  static const NvgpuTarget target;
  return target;
}
