//===- NvgpuTarget.cpp - NVIDIA GPUs as a target --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/NvgpuTarget.h"
#include "compiler/Target/NVGPU/CodeGen.h"
#include "compiler/Target/NVGPU/Tiling/GpuTileModel.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct NvgpuTarget : Target {
  StringRef name() const override { return "nvgpu"; }
  bool runs(const Machine &machine) const override { return machine.isGpu(); }
  void registerDialects(DialectRegistry &registry) const override { nvgpu::registerCodeGen(registry); }
  std::unique_ptr<TileModel> createTileModel(const Machine &machine) const override {
    return std::make_unique<nvgpu::GpuTileModel>(machine);
  }
};
} // namespace

const Target &nvgpu::getTarget() {
  static const NvgpuTarget target;
  return target;
}
