//===- ProductWarpgroups.h - Tiles of products for warpgroups - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_PRODUCTWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_PRODUCTWARPGROUPS_H

#include "compiler/Target/NVGPU/Machine/NvgpuMachine.h"
#include "compiler/Tile/Contract/Product.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// A tile of the result, `block` rows by `columns` columns, and the number of warpgroups that compute it.
struct ProductWarpgroupTile {
  int64_t block, columns;
  xft::WarpgroupsAttr groups;
};

/// The sizes of one product of a batch (rows, columns and terms) and the number of products. Dynamic sizes are nullopt.
struct ProductShape {
  std::optional<int64_t> rows, columns, terms, count;
};

/// Returns the number of bytes of shared memory of a tile: stages of both operands, and 64 columns of sums that the
/// epilogue passes through shared memory.
int64_t productWarpgroupBytes(const ProductWarpgroupTile &tile);
/// Returns the number of registers that a thread needs for its sums.
int64_t productWarpgroupRegisters(const ProductWarpgroupTile &tile);

/// Estimates the cycles of a product with `tile` on `machine`, from the rates of its tensor cores and its memory.
double productWarpgroupCycles(const ProductWarpgroupTile &tile, const NvgpuMachine &machine, const ProductShape &shape);
/// Returns the tile with the lowest estimated cycles for a product. Returns nullopt for GPUs without warpgroups.
std::optional<ProductWarpgroupTile> productWarpgroupTile(MLIRContext *context, const NvgpuMachine &machine,
                                                         const ProductShape &shape);

/// Returns the sizes of a product if warpgroups compute it. Returns nullopt if operands are not 16 bits wide, if TMA
/// cannot copy them, or if there are so few rows or columns that most of a tile is idle.
std::optional<ProductShape> productWarpgroupShape(HostBuilder &host, const NvgpuMachine &machine,
                                                  const Product &product);

//===--- SplitK.cpp ---===//
/// Returns the number of split-K slices with the lowest estimated cycles. Returns 1 if warpgroups do not compute the
/// product.
int64_t splitKSlices(HostBuilder &host, const NvgpuMachine &machine, const Product &product);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_PRODUCTWARPGROUPS_H
