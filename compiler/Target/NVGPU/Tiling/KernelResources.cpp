//===- KernelResources.cpp - What tiles expect kernels to take ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/KernelResources.h"
#include "compiler/Target/NVGPU/Tiling/AttentionVjpWarpgroups.h"
#include "compiler/Target/NVGPU/Tiling/ProductWarpgroups.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

int64_t KernelResources::mostRegisters() const {
  constexpr int64_t all = 240;
  return std::min(heldRegisters + otherRegisters, all);
}

std::string KernelResources::text() const {
  return llvm::formatv("expected {0} bytes, of a thread {1} registers throughout loops and at most {2}", sharedBytes,
                       heldRegisters, mostRegisters());
}

/// Returns D, the number of columns of a matrix [B, H, N, D].
static int64_t columnsOf(Value matrix) { return cast<MemRefType>(matrix.getType()).getDimSize(3); }

static std::optional<KernelResources> resourcesOf(xft::AttendOp op) {
  if (!op.getWarpgroups())
    return std::nullopt;
  WarpgroupTile tile{op.getTile(), op.getWarpgroups()};
  int64_t depth = columnsOf(op.getQ()), valueDepth = columnsOf(op.getO());
  int64_t pieces = op.getPieces().size();
  PairWork work = PairWork::of(op);
  KernelResources resources{warpgroupBytes(tile, depth, valueDepth, pieces, work),
                            warpgroupRegisters(tile, valueDepth)};
  if (work.exists()) // positions, masks, and temporaries of a region, which take what is left
    resources.otherRegisters += work.hasRegion ? 64 : 32;
  return resources;
}

static std::optional<KernelResources> resourcesOf(xft::AttendVjpSide op) {
  if (!op.getWarpgroups())
    return std::nullopt;
  WarpgroupTile tile{op.getTile(), op.getWarpgroups()};
  xft::VjpSide side = op.getSide();
  int64_t depth = columnsOf(op.getQ()), valueDepth = columnsOf(op.getV());
  PairWork work{!op.getDerivative().empty(), op.getTiles().has_value(), op.getDropout().has_value()};
  KernelResources resources{vjpWarpgroupBytes(side, tile, depth, valueDepth, work),
                            vjpWarpgroupRegisters(side, tile, depth, valueDepth)};
  if (work.exists())
    resources.otherRegisters += work.hasRegion ? 64 : 32;
  return resources;
}

static std::optional<KernelResources> resourcesOf(xft::ContractOp op) {
  if (!op.getWarpgroups())
    return std::nullopt;
  ProductWarpgroupTile tile{static_cast<int64_t>(op.getBlock()), static_cast<int64_t>(op.getColumns()),
                            *op.getWarpgroups()};
  return KernelResources{productWarpgroupBytes(tile), productWarpgroupRegisters(tile)};
}

std::optional<KernelResources> nvgpu::expectedResources(func::FuncOp kernel) {
  return llvm::TypeSwitch<Operation *, std::optional<KernelResources>>(&kernel.getBody().front().front())
      .Case<xft::AttendOp, xft::AttendVjpSide, xft::ContractOp>([](auto op) { return resourcesOf(op); })
      .Default([](Operation *) { return std::nullopt; });
}
