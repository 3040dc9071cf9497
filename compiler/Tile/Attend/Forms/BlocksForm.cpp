//===- BlocksForm.cpp - Attention by blocks of queries and keys -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Forms/BlocksForm.h"
#include "compiler/Tile/Attend/AttentionTiling.h"
#include "compiler/Tile/Attend/ForwardKernels.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

xft::AttendTileAttr BlocksForm::plainTile(const AttentionSite &site) {
  const TileModel &model = site.host.model;
  if (!site.isGradient())
    return model.attendTile(site.element(), site.depth(), site.valueDepth());
  return model.attendVjpTile(site.side.value_or(xft::VjpSide::rows), site.element(), site.depth(), site.valueDepth());
}

AttentionFigures BlocksForm::figures(const AttentionSite &site, const AttentionChoice &choice) const {
  xft::AttendTileAttr tile = xft::tileOf(choice.schedule());
  // All rows of a block of warpgroups compute with the keys that any of them sees.
  bool isWhole = site.side && isa<xft::WarpgroupTilesAttr>(choice.schedule());
  return {isWhole ? tile.getQueries() : tile.getRows(), stepColumns(tile), wholeColumns(tile), tile.getQueries(),
          tile.getKeys()};
}

/// Returns a line for `xfc explain` on a kernel of `side` of a gradient. It names the blocks that the kernel keeps in
/// memory, and the blocks that it streams past them.
static std::string sideReason(xft::VjpSide side, xft::AttendSchedule schedule) {
  xft::AttendTileAttr tile = xft::tileOf(schedule);
  bool isRows = side == xft::VjpSide::rows;
  auto [resident, streamed] =
      isRows ? std::pair(tile.getQueries(), tile.getKeys()) : std::pair(tile.getKeys(), tile.getQueries());
  StringRef stays = isRows ? "queries" : side == xft::VjpSide::keys ? "keys" : "captured tensors: keys";
  StringRef passes = isRows ? "keys" : "queries";
  auto warpgroups = dyn_cast<xft::WarpgroupTilesAttr>(schedule);
  if (!warpgroups)
    return llvm::formatv("{0}: blocks of {1}, {2} of each warp, by which blocks of {3} {4} pass", stays, resident,
                         tile.getRows(), streamed, passes);
  xft::WarpgroupsAttr groups = warpgroups.getWarpgroups();
  return llvm::formatv(
      "{0}: blocks of {1}, {2} of each of {3} groups of warps, by which blocks of {4} {5} pass, {6} at "
      "once, beside warps that copy",
      stays, resident, resident / groups.getConsumers(), groups.getConsumers(), streamed, passes, groups.getStages());
}

SmallVector<std::string> BlocksForm::reasons(const AttentionSite &site, const AttentionChoice &choice) const {
  if (site.side)
    return {sideReason(*site.side, choice.schedule())};
  return tileReasons(site, choice);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

namespace {
/// Where a launch has keys and values: the indices of its operands that hold them.
struct KeyOperands {
  SmallVector<unsigned> keys, values;
  SmallVector<int64_t> buffers; ///< for each piece, its number among `keys` and `values`
};
} // namespace

/// Adds k and v themselves as operands if the kernel reads them in place. Otherwise, adds panels of k and packed rows
/// of v, once for each index map of keys.
static KeyOperands addKeys(AttentionTiling &t, AttendOperands &operands, const QueryOrder &order,
                           xft::AttendSchedule schedule) {
  KeyOperands numbers;
  if (readsInPlace(schedule)) {
    numbers.keys = {operands.add(withUnitInner(t.host, t.k), 1)};
    numbers.values = {operands.add(withUnitInner(t.host, t.v), 1)};
    return numbers;
  }
  SmallVector<IndexMapAttr> maps;
  for (PieceAttr piece : order.pieces) {
    auto found = llvm::find(maps, piece.getKeys());
    numbers.buffers.push_back(found - maps.begin());
    if (found != maps.end())
      continue;
    maps.push_back(piece.getKeys());
    t.packed.addKeys(operands, t.k, piece.getKeys(), numbers.keys);
    t.packed.addRows(operands, t.v, piece.getKeys(), numbers.values);
  }
  return numbers;
}

/// Returns true if the attention has no gradient, but uses the kernel of an attention with one (markGradientKernels).
/// This kernel also stores m and log l of each row, unless their buffers are empty. Returns false if o is rounded: the
/// kernel of an attention with a gradient then also stores the unrounded o.
static bool runsGradientKernel(AttentionTiling &t, xft::AttendSchedule schedule) {
  return t.op->hasAttr(kHasGradientKernelAttrName) && isa<xft::RegisterTilesAttr>(schedule) && t.o.element == t.real;
}

/// Returns an empty buffer [B, H, 0], which stands for a row state that is not kept.
static Buffer withoutRows(HostBuilder &host, const Buffer &o) {
  Buffer rows = o;
  rows.sizes = {o.sizes[0], o.sizes[1], host.size(0)};
  rows.strides = {host.size(0), host.size(0), host.size(1)};
  return rows;
}

/// Returns the largest number of blocks of queries that a residue of a query order has.
static Size blocksOf(AttentionTiling &t, const QueryOrder &order, xft::AttendSchedule schedule) {
  return t.host.ceilDiv(rankCount(t.host, order.queries, t.q.sizes[2]), xft::tileOf(schedule).getQueries());
}

/// Returns the number of tasks of a query order whose residues have `blocks` blocks of queries each.
static Size tilesOf(AttentionTiling &t, const AttentionSite &site, Size blocks) {
  return t.host.product({t.q.sizes[0], t.headsOf(site.group), t.host.size(site.order->residues), blocks});
}

static void launchKernel(AttentionTiling &t, const AttentionSite &site, xft::AttendSchedule schedule,
                         const std::optional<Buffer> &flags) {
  HostBuilder &host = t.host;
  const QueryOrder &order = *site.order;
  AttendOperands operands(host);
  unsigned qNumber = operands.add(t.q, 1), oNumber = operands.add(t.o, 1);
  Size blocks = blocksOf(t, order, schedule);
  unsigned blocksNumber = operands.add(blocks), nkNumber = operands.add(t.k.sizes[2]);
  SmallVector<unsigned, 2> lseNumber = t.addLse(operands, /*isLast=*/!site.save);
  KeyOperands keys = addKeys(t, operands, order, schedule);
  GroupNumbers rowState =
      t.addRowState(operands, lseNumber, /*usesState=*/site.resume || site.save, /*isLast=*/!site.save);
  for (int part = 0; part < 2 && !site.save && runsGradientKernel(t, schedule); ++part)
    rowState[3].push_back(operands.add(withoutRows(host, t.o), 0));
  GroupNumbers clauses = addAttendClauses(operands, t.op, t.captures(), t.data, order.tiles);
  SmallVector<unsigned> flagsNumber;
  if (flags)
    flagsNumber = {operands.add(*flags, 0)};
  bool isWholeResidue = readsInPlace(schedule) && isa<xft::RegisterTilesAttr>(schedule) && order.residues > 1;
  Size tiles = tilesOf(t, site, isWholeResidue ? host.size(1) : blocks);
  operands.launch("attend", tiles, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Attribute> pieces(order.pieces.begin(), order.pieces.end());
    auto buffers = keys.buffers.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(keys.buffers);
    auto orderAttr = xft::QueryOrderAttr::get(b.getContext(), order.queries, order.residues, b.getArrayAttr(pieces),
                                              buffers, withoutLists(order.tiles), site.group.first, site.group.step);
    auto attend = xft::AttendOp::create(b, loc, arguments[qNumber], arguments[oNumber], arguments[blocksNumber],
                                        arguments[nkNumber], pick(arguments, keys.keys), pick(arguments, keys.values),
                                        PickedGroups(arguments, rowState), PickedGroups(arguments, clauses),
                                        flags ? Value(arguments[flagsNumber[0]]) : Value(), orderAttr,
                                        attendWeights(t.op, t.scale), schedule, site.resume, site.save);
    copyScore(isLinear(t.op) ? t.weights : t.op.getScore(), attend.getScore());
    host.model.describeLaunch(attend);
  });
}

void BlocksForm::launch(AttentionTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  std::optional<Buffer> flags;
  if (choice.flagsPerTile) {
    Size tiles = tilesOf(t, site, blocksOf(t, *site.order, choice.schedule()));
    flags = t.host.allocate(t.host.b.getI32Type(), {t.host.mul(tiles, t.host.size(choice.flagsPerTile))});
  }
  for (Attribute schedule : choice.kernels)
    launchKernel(t, site, cast<xft::AttendSchedule>(schedule), flags);
}
