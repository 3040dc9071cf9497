//===- ProductWarpgroups.h - Tiles of products for warpgroups - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_PRODUCTWARPGROUPS_H
#define XF_COMPILER_TARGET_NVGPU_TILING_PRODUCTWARPGROUPS_H

#include "compiler/Support/Machine.h"
#include "compiler/Tile/Contract/Product.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// A block of rows by columns of C, and who computes it.
struct ProductWarpgroupTile {
  int64_t block, columns;
  xft::WarpgroupsAttr groups;
};

/// Sizes of one matrix of the batch, and how many there are; unknown where they are values of the call.
struct ProductShape {
  std::optional<int64_t> rows, columns, terms, count;
};

/// Bytes of shared memory that a tile takes: stages of both operands, and 64 columns of sums on their way to memory.
int64_t productWarpgroupBytes(const ProductWarpgroupTile &tile);
/// Registers of a thread for sums.
int64_t productWarpgroupRegisters(const ProductWarpgroupTile &tile);

/// Cycles that a common model of such a GPU takes for a product, by its rates of multiplication and of memory.
double productWarpgroupCycles(const ProductWarpgroupTile &tile, const Machine &machine, const ProductShape &shape);
/// The tile that a GPU of such a kind computes a product with in the least time; nothing on others.
std::optional<ProductWarpgroupTile> productWarpgroupTile(MLIRContext *context, const Machine &machine,
                                                         const ProductShape &shape);

/// The sizes of a product, in the form that xft.contract takes, that such kernels compute; nothing where they do not:
/// its operands have no 16 bits, boxes cannot copy them, few rows or columns leave most of a tile idle.
std::optional<ProductShape> productWarpgroupShape(HostBuilder &host, const Machine &machine, const Product &product);

//===--- SplitK.cpp ---===//
/// The slices of the terms with which such kernels compute a product in the least time; 1 where they do not compute it.
int64_t splitKSlices(HostBuilder &host, const Machine &machine, const Product &product);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_PRODUCTWARPGROUPS_H
