//===- DecodeTiles.cpp - Decoding on GPUs ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Tiling/DecodeTiles.h"
#include "compiler/Support/SharedMemory.h"
#include "compiler/Target/GPU/Tiling/GpuTileModel.h"
#include "compiler/Tile/Attend/Forms/DecodeForm.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

/// A warp computes `warpRows` rows with some keys of a key block: `warpKeys` keys, or all of them. An atom of the
/// warp's sums has `atomColumns` columns.
static constexpr int64_t warpSize = 32, warpRows = 16, warpKeys = 16, atomColumns = 8;

DecodeWarps DecodeWarps::of(int64_t rows, int64_t keys) {
  constexpr int64_t mostRowTiles = 2; // more rows than theirs give all warps enough to do without groups of keys
  int64_t rowTiles = llvm::PowerOf2Ceil(llvm::divideCeil(rows, warpRows));
  return {rowTiles, rowTiles <= mostRowTiles ? keys / warpKeys : 1};
}

int64_t DecodeWarps::threads() const { return rowTiles * keyGroups * warpSize; }

DecodeMemory DecodeMemory::of(int64_t rows, int64_t keys, Type element, int64_t depth, int64_t valueDepth) {
  DecodeWarps warps = DecodeWarps::of(rows, keys);
  auto rowBytes = [&](int64_t columns) {
    return sharedPitch(llvm::alignTo(columns, warpRows) * element.getIntOrFloatBitWidth() / 8);
  };
  int64_t sumBytes = accumulatorType(element).getIntOrFloatBitWidth() / 8;
  return {warps.rowTiles * warpRows * (rowBytes(depth) + keys * sumBytes),
          keys * (rowBytes(depth) + rowBytes(valueDepth))};
}

int64_t DecodeMemory::stages(const GpuMachine &machine, int64_t blocks) const {
  constexpr int64_t reserved = 1024; // shared memory that the system reserves for each block
  int64_t room = std::min(machine.processorSharedBytes / 2 - reserved, machine.sharedBytes) - fixedBytes;
  return std::clamp<int64_t>(std::min(room / stageBytes, blocks), 2, 4);
}

/// Returns the number of heads of keys in all batch entries, or nullopt if it is not known. `rows` is the number of
/// rows of a head, including the rows of folded heads.
static std::optional<int64_t> headsOf(AttentionOp op, int64_t rows) {
  auto q = op.getQ().getType();
  if (q.isDynamicDim(0) || q.isDynamicDim(1))
    return std::nullopt;
  return q.getDimSize(0) * q.getDimSize(1) * q.getDimSize(2) / rows;
}

/// Returns the number of keys of a slice. A slice has at least so many keys that its sums take little memory compared
/// with its keys and values. If there are many heads, slices are longer, because fewer slices fill a GPU. If heads
/// alone fill the GPU, a head has one slice.
static int64_t sliceOf(const GpuMachine &machine, AttentionOp op, int64_t rows, int64_t keys) {
  constexpr int64_t leastBlocks = 2, mostKeys = 4096, bytesPerSum = 11, tasksPerProcessor = 4, fillingEighths = 15;
  auto q = op.getQ().getType(), k = op.getK().getType(), v = op.getV().getType();
  int64_t keyBytes = (q.getDimSize(3) + v.getDimSize(3)) * q.getElementTypeBitWidth() / 8;
  int64_t sumBytes = rows * (v.getDimSize(3) + 2) * accumulatorType(q.getElementType()).getIntOrFloatBitWidth() / 8;
  int64_t slice = leastBlocks * keys;
  while (slice * keyBytes < sumBytes * bytesPerSum)
    slice *= 2;
  std::optional<int64_t> heads = headsOf(op, rows);
  if (!heads)
    return slice;
  if (8 * *heads >= fillingEighths * machine.processors) // nearly two blocks for each multiprocessor
    return llvm::alignTo(unslicedKeys, keys);
  auto tasks = [&](int64_t slice) -> int64_t { return *heads * llvm::divideCeil(k.getDimSize(2), slice); };
  while (!k.isDynamicDim(2) && 2 * slice <= mostKeys && tasks(2 * slice) >= tasksPerProcessor * machine.processors)
    slice *= 2;
  return slice;
}

namespace {
class GpuDecode : public DecodeForm {
public:
  explicit GpuDecode(const GpuTileModel &model) : model(model) {}

private:
  xft::DecodeTileAttr tile(AttentionOp op, int64_t rows) const override;
  int64_t wholeColumns(xft::DecodeTileAttr tile) const override { return tile.getKeys(); }

  const GpuTileModel &model;
};
} // namespace

xft::DecodeTileAttr GpuDecode::tile(AttentionOp op, int64_t rows) const {
  auto q = op.getQ().getType(), v = op.getV().getType();
  int64_t depth = q.getDimSize(3), valueDepth = v.getDimSize(3);
  // Wider rows of o do not fit the registers of a warp beside what else it holds.
  constexpr int64_t mostColumns = 256, sums = 4;
  bool fills = depth >= atomColumns && valueDepth >= atomColumns && valueDepth <= mostColumns;
  if (!fills)
    return {};
  for (int64_t keys : {3 * warpKeys, warpKeys}) {
    DecodeMemory memory = DecodeMemory::of(rows, keys, q.getElementType(), depth, valueDepth);
    int64_t stages = keys > warpKeys ? 2 : 1;
    if (memory.fixedBytes + stages * memory.stageBytes <= model.gpu().sharedBytes)
      return xft::DecodeTileAttr::get(op.getContext(), sums, atomColumns, keys, sliceOf(model.gpu(), op, rows, keys),
                                      Type());
  }
  return {};
}

std::shared_ptr<const AttentionForm> xf::gpu::decodeForm(const GpuTileModel &model) {
  return std::make_shared<GpuDecode>(model);
}
