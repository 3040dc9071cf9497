//===- GpuTileModel.cpp - Tiles on GPUs -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Tiling/GpuTileModel.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/GPU/Tiling/WarpTiles.h"
#include "compiler/Tile/Contract/Product.h"
#include "dialects/xft/IR/XftRowsTile.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

GpuTileModel::GpuTileModel() {
  attentionForms.push_back(decodeForm(*this));
  attentionForms.push_back(warpsForm(*this));
}

LogicalResult GpuTileModel::checkHeads(Operation *op, RankedTensorType matrix) const {
  // A warp holds 16 rows of o, or of a gradient, in registers, and its code grows with them. Beyond 512 columns they
  // spill; beyond 1024, spilling dominates the run time.
  constexpr int64_t mostColumns = 1024;
  if (matrix.getDimSize(3) <= mostColumns)
    return success();
  return op->emitOpError("expected heads of at most ") << mostColumns << " columns on GPUs, got " << matrix;
}

xft::AttendTileAttr GpuTileModel::attendTile(Type element, int64_t depth, int64_t valueDepth) const {
  return xf::gpu::attendTile(gpu(), element, depth, valueDepth);
}

xft::AttendTileAttr GpuTileModel::attendVjpTile(xft::VjpSide side, Type element, int64_t depth,
                                                int64_t valueDepth) const {
  return xf::gpu::attendVjpTile(gpu(), side, element, depth, valueDepth);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Chooses a thread block of four warps, each with one or two tiles of 16 rows. Sums stay in registers. Terms are
/// streamed through shared memory.
ProductTile GpuTileModel::productTile(HostBuilder &, const Product &product) const {
  ProductSizes sizes = sizesOf(product);
  constexpr int64_t rows = 16, columns = 64, fewRows = 64;
  int64_t block = sizes.rows && *sizes.rows <= fewRows ? fewRows : 2 * fewRows;
  return {rows, columns, block, xft::ContractOp::runTerms};
}

//===----------------------------------------------------------------------===//
// Rows and reductions
//===----------------------------------------------------------------------===//

/// Returns the number of tiles along the innermost dimension of rows. A tile of long rows has one row, which all warps
/// share. A tile of short rows has one row for each warp. If rows are many and very short, a tile has eight rows for
/// each warp, because finding the place of a tile takes a warp as long as reading such a row. In kernels with few rows,
/// shorter rows count as long, because more threads per row keep a GPU busier.
Size GpuTileModel::rowBlocks(HostBuilder &host, ArrayRef<Size> sizes, int64_t, int64_t) const {
  constexpr int64_t manyRows = 2048;
  auto rows = HostBuilder::constant(host.product(sizes.drop_back()));
  Size longest = host.size(rows && *rows < manyRows ? xft::longestLoneRow : xft::longestWarpRow);
  Size warps = host.size(xft::rowWarps), one = host.size(1), isShort = host.floorDiv(longest, sizes.back());
  Size rowsPerTile = host.max(host.min(host.mul(isShort, warps), warps), one);
  Size last = sizes[sizes.size() - 2];
  constexpr int64_t enoughRows = 1 << 15, fewColumns = 256, rowsOfWarp = 8;
  auto columns = HostBuilder::constant(sizes.back());
  if (rows && *rows >= enoughRows && columns && *columns <= fewColumns)
    rowsPerTile = host.size(rowsOfWarp * xft::rowWarps);
  return host.floorDiv(host.add(last, host.sub(rowsPerTile, one)), rowsPerTile);
}

int64_t GpuTileModel::mostTileColumns() const {
  constexpr int64_t most = 4096; // a few registers per thread
  return most;
}

int64_t GpuTileModel::reductionColumns(Type element) const {
  constexpr int64_t warpAccess = 32 * 16; // bytes
  return warpAccess / std::max<int64_t>(2, element.getIntOrFloatBitWidth() / 8);
}

/// Returns the number of slices into which `rows` are split so that there are enough tiles to fill a GPU. Each slice
/// has `tiles` tiles. A slice has at least 64 rows, so a launch with few rows may have fewer tiles.
static Size slicesThatFill(HostBuilder &host, Size rows, Size tiles) {
  constexpr int64_t rowsPerSlice = 64, enoughTiles = 512;
  Size most = host.max(host.floorDiv(rows, rowsPerSlice), host.size(1));
  return host.min(host.max(host.floorDiv(host.size(enoughTiles), tiles), host.size(1)), most);
}

Size GpuTileModel::reductionSlices(HostBuilder &host, Size rows, Size columns, Type element, Size others) const {
  return slicesThatFill(host, rows, host.mul(others, host.ceilDiv(columns, reductionColumns(element))));
}

/// Returns the number of blocks into which the rows of a table are split so that there are enough tiles to fill a GPU.
/// A tile owns the rows of one block, and skips ids that select rows of other blocks.
Size GpuTileModel::tableBlocks(HostBuilder &host, Size rows, Size columnBlocks) const {
  constexpr int64_t enoughTiles = 512;
  Size wanted = host.max(host.floorDiv(host.size(enoughTiles), columnBlocks), host.size(1));
  return host.min(wanted, host.ceilDiv(rows, xft::rowWarps));
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// Returns the tile of a scan. It has all value columns, so one task computes all of them.
xft::AttendTileAttr GpuTileModel::scanTile(Type real, int64_t valueDepth) const {
  return xft::AttendTileAttr::get(real.getContext(), /*rows=*/1, /*registers=*/1, /*lanes=*/1, /*queries=*/32,
                                  /*keys=*/valueDepth);
}

int64_t GpuTileModel::scanScratchBytes(const xft::ScanSizes &sizes) const {
  return scanOverflowBytes(sizes, gpu().sharedBytes);
}
