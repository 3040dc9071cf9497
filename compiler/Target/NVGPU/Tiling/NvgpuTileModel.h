//===- NvgpuTileModel.h - Tiles on NVIDIA's GPUs ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses tiles for NVIDIA GPUs. On sm_90a, attention, its gradient, and products run on warpgroups if they have 16-bit
// floats and their operands allow it. For attention, a second kernel recomputes tiles with non-finite results. All
// other ops have the tiles of any GPU.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_NVGPUTILEMODEL_H
#define XF_COMPILER_TARGET_NVGPU_TILING_NVGPUTILEMODEL_H

#include "compiler/Target/GPU/Tiling/GpuTileModel.h"
#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"

namespace mlir::xf::nvgpu {

class NvgpuTileModel : public GpuTileModel {
public:
  explicit NvgpuTileModel(const NvgpuMachine &machine);

  std::string resourcesOf(func::FuncOp kernel) const override;

  ProductTile productTile(HostBuilder &host, const Product &product) const override;
  int64_t splitK(HostBuilder &host, const Product &product) const override;

  void describeLaunch(Operation *op) const override;

  const GpuMachine &gpu() const override { return machine; }

private:
  const NvgpuMachine machine;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_NVGPUTILEMODEL_H
