//===- WarpgroupTile.cpp - Tiles that warpgroups compute ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/WarpgroupTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr int64_t alignedElements = 16 / WarpgroupTile::elementBytes;

bool nvgpu::computesByWarpgroups(const NvgpuMachine &machine, Type element, int64_t depth, int64_t valueDepth) {
  constexpr int64_t mostColumns = 256;
  auto hasColumns = [](int64_t size) { return size % alignedElements == 0 && size <= mostColumns; };
  return machine.hasWarpgroups && element.getIntOrFloatBitWidth() == 8 * WarpgroupTile::elementBytes &&
         hasColumns(depth) && hasColumns(valueDepth);
}

std::optional<WarpgroupTile>
nvgpu::largestWarpgroupTile(MLIRContext *context, int64_t consumers, int64_t mostStreamed,
                            function_ref<xft::AttendTileAttr(int64_t resident, int64_t streamed)> tileOf,
                            function_ref<bool(const WarpgroupTile &tile)> fits) {
  constexpr int64_t stages = 2, leastStreamed = 32;
  auto groups = xft::WarpgroupsAttr::get(context, consumers, stages);
  for (int64_t streamed = mostStreamed; streamed >= leastStreamed; streamed -= WarpgroupTile::stepTerms) {
    WarpgroupTile tile{tileOf(consumers * WarpgroupTile::groupRows, streamed), groups};
    if (fits(tile))
      return tile;
  }
  return std::nullopt;
}

bool nvgpu::hasFewRows(int64_t rows) { return !ShapedType::isDynamic(rows) && rows <= WarpgroupTile::groupRows; }

bool nvgpu::hasAlignedRows(HostBuilder &host, const Buffer &buffer) {
  if (!host.isMultiple(buffer.offset, alignedElements))
    return false;
  for (auto [size, stride] : llvm::drop_end(llvm::zip(buffer.sizes, buffer.strides)))
    if (HostBuilder::constant(size) != 1 &&
        (!host.isMultiple(stride, alignedElements) || HostBuilder::constant(stride) == 0))
      return false;
  return true;
}

ArrayAttr nvgpu::tensorMaps(MLIRContext *context, ArrayRef<xft::RankBoxes> boxes, ArrayRef<int64_t> operands) {
  SmallVector<Attribute> maps;
  for (const xft::RankBoxes &ranks : boxes)
    for (int64_t operand : operands)
      for (xft::TensorMapAttr map : ranks.maps(operand))
        if (!llvm::is_contained(maps, map))
          maps.push_back(map);
  return ArrayAttr::get(context, maps);
}
