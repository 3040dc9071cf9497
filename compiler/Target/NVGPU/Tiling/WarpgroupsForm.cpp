//===- WarpgroupsForm.cpp - Attention by warpgroups -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/Tiling/AttentionVjpWarpgroups.h"
#include "compiler/Tile/Attend/Forms/BlocksForm.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

namespace {
class WarpgroupsForm : public BlocksForm {
public:
  explicit WarpgroupsForm(const NvgpuMachine &machine) : machine(machine) {}

  StringRef name() const override { return "warpgroups"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override;

private:
  std::optional<AttentionChoice> offerSide(const AttentionSite &site) const;
  SmallVector<std::string> tileReasons(const AttentionSite &site, const AttentionChoice &choice) const override;

  const NvgpuMachine &machine;
};
} // namespace

std::optional<AttentionChoice> WarpgroupsForm::offerSide(const AttentionSite &site) const {
  std::optional<WarpgroupTile> found = vjpWarpgroupTileOf(site, machine);
  if (!found)
    return std::nullopt;
  int64_t resident = *site.side == xft::VjpSide::rows ? found->tile.getQueries() : found->tile.getKeys();
  MLIRContext *context = site.op->getContext();
  return AttentionChoice{{xft::WarpgroupTilesAttr::get(context, found->tile, found->groups, /*recheck=*/false),
                          xft::WarpTilesAttr::get(context, recheckVjpTile(*site.side, *found), /*recheck=*/true)},
                         resident / rowsOfWarp};
}

std::optional<AttentionChoice> WarpgroupsForm::offer(const AttentionSite &site) const {
  if (!site.order || (site.resume && site.save))
    return std::nullopt;
  if (site.side)
    return offerSide(site);
  std::optional<WarpgroupTile> found = warpgroupTileOf(site, machine);
  if (!found)
    return std::nullopt;
  auto schedule = [&](bool recheck) -> Attribute {
    return xft::WarpgroupTilesAttr::get(site.op->getContext(), found->tile, found->groups, recheck);
  };
  return AttentionChoice{{schedule(false), schedule(true)}, found->tile.getQueries() / rowsOfWarp};
}

SmallVector<std::string> WarpgroupsForm::tileReasons(const AttentionSite &site, const AttentionChoice &choice) const {
  auto schedule = cast<xft::WarpgroupTilesAttr>(choice.schedule());
  WarpgroupTile tile{xft::tileOf(schedule), schedule.getWarpgroups()};
  PairWork work = PairWork::of(cast<AttentionOp>(site.op), static_cast<bool>(site.order->tiles));
  int64_t consumers = tile.groups.getConsumers(), queries = tile.tile.getQueries(), pieces = site.pieces().size();
  return {
      llvm::formatv("rows: {0} of each of {1} groups of warps, beside one that copies", queries / consumers, consumers),
      llvm::formatv("registers: sums, scores and weights are {0} of a thread's",
                    warpgroupRegisters(tile, site.valueDepth())),
      llvm::formatv("keys: {0} blocks of {1} at once, with which rows of q, o, k and v are {2} of the {3} of shared "
                    "memory of a block",
                    tile.groups.getStages(), tile.tile.getKeys(),
                    bytesText(warpgroupBytes(tile, site.depth(), site.valueDepth(), pieces, work)),
                    bytesText(machine.sharedBytes)),
      llvm::formatv("queries: blocks of {0}", queries)};
}

std::shared_ptr<const AttentionForm> nvgpu::warpgroupsForm(const NvgpuMachine &machine) {
  return std::make_shared<WarpgroupsForm>(machine);
}
