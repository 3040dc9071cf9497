//===- NvgpuTarget.cpp - NVIDIA GPUs as a target --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/NvgpuTarget.h"
#include "compiler/Target/NVGPU/Assemble.h"
#include "compiler/Target/NVGPU/CodeGen.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"
#include "compiler/Target/NVGPU/KernelAbi.h"
#include "compiler/Target/NVGPU/Tiling/GpuTileModel.h"
#include "compiler/Target/NVGPU/Tiling/KernelResources.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct NvgpuTarget : Target {
  bool runs(const Machine &machine) const override { return machine.isGpu(); }
  void registerDialects(DialectRegistry &registry) const override { nvgpu::registerCodeGen(registry); }
  std::unique_ptr<TileModel> createTileModel(const Machine &machine) const override {
    return std::make_unique<nvgpu::GpuTileModel>(machine);
  }
  xfrt_device device() const override { return XFRT_CUDA; }
  LogicalResult compileKernels(ModuleOp module, const Machine &machine, TargetCode &code) const override;
  FailureOr<std::optional<CodeImage>> assemble(ModuleOp module, StringRef image, const Machine &machine,
                                               StringRef assembler) const override;
};
} // namespace

/// Describes the kernels of `module` as PTX comments: threads and shared memory of each, which PTX itself does not
/// record, and the resources that its tile was chosen for. For users who launch the kernels themselves.
static std::string describeKernels(ModuleOp module, const llvm::StringMap<nvgpu::KernelResources> &expected) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto kernel : module.getOps<func::FuncOp>()) {
    auto threads = kernel->getAttrOfType<IntegerAttr>(nvgpu::threadsAttrName);
    if (!threads)
      continue; // a function that kernels call
    os << "// " << kernel.getName() << ": " << threads.getInt() << " threads, "
       << kernel->getAttrOfType<IntegerAttr>(nvgpu::sharedBytesAttrName).getInt() << " bytes of shared memory";
    if (auto found = expected.find(kernel.getName()); found != expected.end())
      os << "; " << found->second.text();
    os << "\n";
  }
  return text;
}

/// Moves all functions that are not kernels to a module of their own.
static OwningOpRef<ModuleOp> splitHost(ModuleOp module) {
  OwningOpRef<ModuleOp> host = ModuleOp::create(module.getLoc());
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!xft::isKernel(function)) {
      function->remove();
      host->push_back(function);
    }
  return host;
}

LogicalResult NvgpuTarget::compileKernels(ModuleOp module, const Machine &machine, TargetCode &code) const {
  code.host = splitHost(module);
  llvm::StringMap<nvgpu::KernelResources> expected;
  for (auto kernel : module.getOps<func::FuncOp>())
    if (std::optional<nvgpu::KernelResources> resources = nvgpu::expectedResources(kernel))
      expected[kernel.getName()] = *resources;
  if (failed(nvgpu::expandKernels(module, machine)))
    return failure();
  std::string description = describeKernels(module, expected);
  for (auto kernel : module.getOps<func::FuncOp>())
    if (auto threads = kernel->getAttrOfType<IntegerAttr>(nvgpu::threadsAttrName))
      code.launches[kernel.getName()] = {threads.getInt(),
                                         kernel->getAttrOfType<IntegerAttr>(nvgpu::sharedBytesAttrName).getInt()};
  if (failed(nvgpu::lowerToLLVM(module)))
    return failure();
  FailureOr<std::string> ptx = nvgpu::translateToPtx(module, machine);
  if (failed(ptx))
    return failure();
  code.image = CodeImage{XFRT_PTX, description + *ptx};
  return success();
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
