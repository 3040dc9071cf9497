//===- WarpsForm.cpp - Attention by tiles of warps ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Tiling/GpuTileModel.h"
#include "compiler/Target/GPU/Tiling/WarpTiles.h"
#include "compiler/Tile/Attend/Forms/BlocksForm.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

namespace {
class WarpsForm : public BlocksForm {
public:
  explicit WarpsForm(const GpuTileModel &model) : model(model) {}

  StringRef name() const override { return "warps"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override {
    if (!site.order)
      return std::nullopt;
    return AttentionChoice{{xft::WarpTilesAttr::get(site.op->getContext(), plainTile(site), /*recheck=*/false)}};
  }

private:
  SmallVector<std::string> tileReasons(const AttentionSite &site, const AttentionChoice &choice) const override;

  const GpuTileModel &model;
};
} // namespace

SmallVector<std::string> WarpsForm::tileReasons(const AttentionSite &site, const AttentionChoice &choice) const {
  xft::AttendTileAttr tile = xft::tileOf(choice.schedule());
  AttendMemory memory = attendMemory(tile, model.gpu(), site.element(), site.depth(), site.valueDepth());
  return {llvm::formatv("rows: {0} of each warp", tile.getRows()),
          llvm::formatv("keys: blocks of {0} in {1} stages, with which queries, keys, values and scores are {2} of the "
                        "{3} of shared memory of a block",
                        tile.getKeys(), memory.stages, bytesText(memory.bytes), bytesText(model.gpu().sharedBytes)),
          llvm::formatv("queries: blocks of {0}, {1} warps that read a block of keys together", tile.getQueries(),
                        tile.getQueries() / tile.getRows())};
}

std::shared_ptr<const AttentionForm> xf::gpu::warpsForm(const GpuTileModel &model) {
  return std::make_shared<WarpsForm>(model);
}
