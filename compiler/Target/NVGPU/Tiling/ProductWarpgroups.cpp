//===- ProductWarpgroups.cpp - Tiles of products for warpgroups -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/ProductWarpgroups.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;
using xft::ContractOp;

static constexpr int64_t elementBytes = 2, sumBytes = 4, groupThreads = 128;

//===----------------------------------------------------------------------===//
// Resources and time of tiles
//===----------------------------------------------------------------------===//

int64_t nvgpu::productWarpgroupBytes(const ProductWarpgroupTile &tile) {
  constexpr int64_t boxColumns = 64, barriers = 4 * 8; // of a stage: full and empty mbarriers of both operands
  int64_t stage = (tile.block + tile.columns) * ContractOp::stageTerms * elementBytes + barriers;
  return tile.groups.getStages() * stage + tile.groups.getConsumers() * ContractOp::groupRows * boxColumns * sumBytes;
}

int64_t nvgpu::productWarpgroupRegisters(const ProductWarpgroupTile &tile) {
  return tile.block / tile.groups.getConsumers() * tile.columns / groupThreads;
}

/// Estimates the cycles that one multiprocessor takes for a tile: the larger of the cycles of products and of operands,
/// plus the cycles of sums. Products run at the rate of the tensor cores. Operands arrive at a multiprocessor's share
/// of the L2 bandwidth. Nothing is multiplied while the sums are stored.
static double tileCycles(int64_t block, int64_t columns, int64_t terms) {
  constexpr double productsPerCycle = 2048, operandBytesPerCycle = 31, sumsPerCycle = 16;
  double products = static_cast<double>(block * columns * terms) / productsPerCycle;
  double operands = static_cast<double>((block + columns) * terms * elementBytes) / operandBytesPerCycle;
  return std::max(products, operands) + static_cast<double>(block * columns) / sumsPerCycle;
}

/// Returns the cycles of a tile times the number of waves. In each wave, every multiprocessor computes one tile.
/// Dynamic sizes are assumed to be large.
double nvgpu::productWarpgroupCycles(const ProductWarpgroupTile &tile, const NvgpuMachine &machine,
                                     const ProductShape &shape) {
  constexpr int64_t large = 4096;
  auto [block, columns, groups] = tile;
  int64_t tiles = shape.count.value_or(1) * llvm::divideCeil(shape.rows.value_or(large), block) *
                  llvm::divideCeil(shape.columns.value_or(large), columns);
  return static_cast<double>(llvm::divideCeil(tiles, machine.processors)) *
         tileCycles(block, columns, shape.terms.value_or(large));
}

std::optional<ProductWarpgroupTile> nvgpu::productWarpgroupTile(MLIRContext *context, const NvgpuMachine &machine,
                                                                const ProductShape &shape) {
  constexpr int64_t consumers = 2, rows = consumers * ContractOp::groupRows, mostRowTiles = 2,
                    step = ContractOp::stageTerms;
  constexpr int64_t mostColumns = 256, leastStages = 3, mostStages = 8;
  // Beside sums a thread holds addresses and bounds, in 232 registers.
  constexpr int64_t mostRegisters = 192;
  if (!machine.hasWarpgroups)
    return std::nullopt;
  std::optional<ProductWarpgroupTile> best;
  double least = 0;
  for (int64_t block = mostRowTiles * rows; block > 0; block -= rows)
    for (int64_t columns = mostColumns; columns > 0; columns -= step) {
      auto withStages = [&](int64_t stages) {
        return ProductWarpgroupTile{block, columns, xft::WarpgroupsAttr::get(context, consumers, stages)};
      };
      int64_t stages = mostStages;
      while (stages >= leastStages && productWarpgroupBytes(withStages(stages)) > machine.sharedBytes)
        --stages;
      ProductWarpgroupTile tile = withStages(stages);
      double cycles = productWarpgroupCycles(tile, machine, shape);
      if (stages < leastStages || productWarpgroupRegisters(tile) > mostRegisters || (best && cycles >= least))
        continue;
      least = cycles;
      best = tile;
    }
  return best;
}

//===----------------------------------------------------------------------===//
// Products that warpgroups compute
//===----------------------------------------------------------------------===//

/// Returns whether TMA can copy boxes of a buffer's matrices. At most 5 dimensions may have a stride other than 0. One
/// of the last two dimensions must have unit stride, and the other one must not be broadcast. The offset and all other
/// strides must be multiples of 16 bytes.
static bool hasBoxes(const HostBuilder &host, const Buffer &buffer) {
  constexpr int64_t mostDimensions = 5, boxUnit = 16 / elementBytes;
  auto is = [](Size size, int64_t value) { return HostBuilder::constant(size) == value; };
  int64_t rank = buffer.rank(), last = rank - 1, unit = is(buffer.strides[last], 1) ? last : last - 1;
  int64_t other = unit == last ? last - 1 : last;
  auto repeats = [&](int64_t d) { return is(buffer.strides[d], 0); };
  auto isStep = [&](int64_t d) {
    return d == unit || is(buffer.sizes[d], 1) || host.isMultiple(buffer.strides[d], boxUnit);
  };
  auto dimensions = llvm::seq(rank);
  return is(buffer.strides[unit], 1) && !repeats(other) &&
         rank - llvm::count_if(dimensions, repeats) <= mostDimensions && host.isMultiple(buffer.offset, boxUnit) &&
         llvm::all_of(dimensions, isStep);
}

std::optional<ProductShape> nvgpu::productWarpgroupShape(HostBuilder &host, const NvgpuMachine &machine,
                                                         const Product &product) {
  if (!machine.hasWarpgroups || product.a.element.getIntOrFloatBitWidth() != 16 || !hasBoxes(host, product.a) ||
      !hasBoxes(host, product.b))
    return std::nullopt;
  ArrayRef<Size> sizes = product.outs.front().sizes;
  constexpr int64_t fewRows = 64, fewColumns = 32;
  Size count = host.product(sizes.drop_back(2));
  ProductShape shape{HostBuilder::constant(sizes[sizes.size() - 2]), HostBuilder::constant(sizes.back()),
                     HostBuilder::constant(product.a.sizes.back()), HostBuilder::constant(count)};
  if (shape.rows.value_or(fewRows + 1) <= fewRows || shape.columns.value_or(fewColumns + 1) <= fewColumns)
    return std::nullopt;
  return shape;
}
