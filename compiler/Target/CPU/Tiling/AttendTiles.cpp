//===- AttendTiles.cpp - Tiles of attention on CPUs -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/TileForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Target/CPU/Tiling/QueryBlocks.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/Forms/BlocksForm.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;
using cpu::productForm;
using cpu::TileForm;
using cpu::withQueryBlock;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

xft::AttendTileAttr CpuTileModel::attendTile(Type real) const {
  // A tile of accumulators, a row of keys and a broadcast must fit the register file. With 32
  // registers, dense attention runs at the same speed (within 2 %) with all such tiles. 8x2 is best for short
  // intervals: their ends are computed in tiles that may be one register wide, whose 8 accumulators keep two
  // multipliers busy, unlike the 4 of 4x4.
  bool many = machine.registers >= 32;
  int64_t rows = many ? 8 : 6, lanes = machine.lanes(real);
  int64_t registers = std::clamp<int64_t>(productForm(machine, real).columnsThatFit(machine.registers, rows), 1, 2);
  // P of a key block stays in the first-level cache beside a panel: 4-6 KB.
  int64_t keys = 1024 / (real.getIntOrFloatBitWidth() / 8);
  return xft::AttendTileAttr::get(real.getContext(), rows, registers, lanes, /*queries=*/48, keys);
}

xft::AttendTileAttr CpuTileModel::attendTile(Type element, int64_t depth, int64_t valueDepth) const {
  Type real = accumulatorType(element);
  xft::AttendTileAttr tile = withKeyBlock(attendTile(real), depth, valueDepth, real, machine.l2Bytes / 4);
  if (!TileForm::get(machine, element))
    return tile;
  // A matrix unit computes the scores of 16 rows; a register wide, they fit the vector registers.
  return xft::AttendTileAttr::get(element.getContext(), TileForm::rows, /*registers=*/1, tile.getLanes(),
                                  tile.getQueries(), tile.getKeys());
}

/// Chooses a number of keys in a block such that the operands and results of each product of two blocks stay in the
/// second-level cache. A product uses at most a third of all buffers (AttendVjpBuffers), so the buffers may be larger
/// than the cache. With smaller blocks of keys, rows of queries would be loaded and stored too often.
xft::AttendTileAttr CpuTileModel::attendVjpTile(xft::VjpSide, Type element, int64_t depth, int64_t valueDepth) const {
  Type real = accumulatorType(element);
  xft::AttendTileAttr forward = attendTile(real);
  int64_t rows = forward.getRows(), step = std::lcm(forward.getWidth(), rows), lanes = forward.getLanes();
  int64_t columns = llvm::alignTo(depth, lanes), valueColumns = llvm::alignTo(valueDepth, lanes);
  int64_t queries = 96 / rows * rows, bytes = real.getIntOrFloatBitWidth() / 8;
  int64_t perKey = (3 * columns + 2 * valueColumns + 2 * queries) * bytes;
  int64_t fixed = queries * (2 * columns + valueColumns) * bytes;
  int64_t room = machine.l2Bytes * 7 / 4 - fixed;
  int64_t keys = std::clamp<int64_t>(room / perKey / step, 1, llvm::divideCeil(256, step)) * step;
  return xft::AttendTileAttr::get(real.getContext(), rows, forward.getRegisters(), lanes, queries, keys);
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

Type CpuTileModel::operandOf(Type element) const {
  Type operand = productForm(machine, element).operand;
  return operand == accumulatorType(element) ? Type() : operand;
}

std::optional<PackedKeys> CpuTileModel::packedKeys(Type element, Type stored) const {
  return PackedKeys{stored, productForm(machine, element).terms};
}

/// Returns the number of key ranks, in whole panels, that each task of a query order packs for itself. Returns 0 if
/// there are few residues, or if the keys and values of a residue take more than `mostBytes`, a small part of the
/// second-level cache. Then a launch packs keys once, for all blocks of queries.
static int64_t gatheredRanks(const AttentionSite &site, const PackedKeys &form, xft::AttendTileAttr tile,
                             int64_t mostBytes) {
  const QueryOrder &order = *site.order;
  constexpr int64_t manyResidues = 8;
  if (order.residues < manyResidues || order.pieces.empty() || order.tiles)
    return 0;
  IndexMapAttr map = order.pieces[0].getKeys();
  auto isOther = [&](PieceAttr piece) { return piece.getKeys() != map; };
  auto ranks = HostBuilder::constant(rankCount(site.host, map, site.operands[1].sizes[2]));
  if (map.getResidues() != order.residues || llvm::any_of(order.pieces, isOther) || !ranks)
    return 0;
  int64_t whole = llvm::alignTo(std::max<int64_t>(1, *ranks), tile.getWidth());
  int64_t depths = site.depth() + site.valueDepth();
  return whole * depths * (form.element.getIntOrFloatBitWidth() / 8) <= mostBytes ? whole : 0;
}

/// Returns the number of consecutive keys that a ring of panels must hold; 0 if there is no such number. It is the
/// number of keys that a block of queries sees, if the blocks of a head share few keys. Otherwise, with `wholeHeads`,
/// it is the number of keys of a head.
static int64_t ringKeys(const AttentionShape &shape, const QueryOrder &order, xft::AttendTileAttr tile,
                        bool wholeHeads) {
  constexpr int64_t mostBlocks = 10; // an estimate: keys that a task packs come from caches and stay there
  std::optional<int64_t> keys = keysOfRows(order.pieces, shape.queries, shape.keys, tile.getQueries());
  bool isConsecutive = order.queries.isIdentity(); // the queries of a block, whose keys `keys` counts
  if (keys && isConsecutive && *keys <= mostBlocks * tile.getQueries() && 2 * *keys <= shape.keys)
    return *keys + tile.getWidth() - 1; // from anywhere in a panel on
  return wholeHeads ? shape.keys : 0;
}

/// Returns the number of key ranks, in whole panels, of the ring of panels to which tasks pack keys. Each task packs
/// the keys of its block of queries, and leaves its panels to the next task of its thread. Returns 0 if keys and values
/// take more than `mostBytes`; then a launch packs keys once. But if run-time numbers bound the keys that rows see,
/// returns the size of one block of keys in place of 0: a launch would pack all keys, seen or not. Values are read in
/// place. But if an instruction takes the values of several keys, values are packed to the ring, too, and the ring has
/// whole blocks of keys.
static int64_t ringRanks(const AttentionShape &shape, const QueryOrder &order, ArrayRef<Buffer> operands,
                         const PackedKeys &form, xft::AttendTileAttr tile, int64_t mostBytes) {
  const Buffer &k = operands[1], &v = operands[2];
  auto isInPlace = [&](const Buffer &x) {
    return x.element == form.element && HostBuilder::constant(x.strides[3]) == int64_t(1);
  };
  auto isIdentity = [](PieceAttr piece) { return piece.getKeys().isIdentity(); };
  if (order.residues != 1 || order.tiles || order.pieces.empty() || !llvm::all_of(order.pieces, isIdentity))
    return 0;
  bool packsValues = form.terms > 1;
  if (!isInPlace(k) || !isInPlace(v) || (!packsValues && shape.valueDepth % tile.getLanes() != 0))
    return 0;
  bool isKnown = !ShapedType::isDynamic(shape.queries) && !ShapedType::isDynamic(shape.keys);
  int64_t keys = isKnown ? ringKeys(shape, order, tile, /*wholeHeads=*/!packsValues) : 0, width = tile.getWidth();
  int64_t ranks = llvm::PowerOf2Ceil(llvm::divideCeil(keys, width)) * width, depths = shape.depth;
  if (packsValues) {
    ranks = std::max<int64_t>(ranks, tile.getKeys());
    depths += llvm::alignTo(shape.valueDepth, tile.getLanes());
  }
  if (keys > 0 && ranks * depths * (form.element.getIntOrFloatBitWidth() / 8) <= mostBytes)
    return ranks;
  return endAtRunTime(order.pieces) && llvm::isPowerOf2_64(tile.getKeys() / width) ? tile.getKeys() : 0;
}

/// Returns whether the keys that rows see depend on the number of queries.
static bool asksForQueries(const QueryOrder &order) {
  auto asks = [](AffineMap map) { return map && map.isFunctionOfSymbol(0); };
  return llvm::any_of(order.pieces, [&](PieceAttr piece) { return asks(piece.getLower()) || asks(piece.getUpper()); });
}

//===----------------------------------------------------------------------===//
// The form
//===----------------------------------------------------------------------===//

namespace {
class RegisterBlocks : public BlocksForm {
public:
  explicit RegisterBlocks(const CpuTileModel &model) : model(model) {}

  StringRef name() const override { return "blocks"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override;

private:
  int64_t stepColumns(xft::AttendTileAttr tile) const override { return tile.getWidth(); }
  int64_t wholeColumns(xft::AttendTileAttr tile) const override { return tile.getLanes(); }
  SmallVector<std::string> tileReasons(const AttentionSite &site, const AttentionChoice &choice) const override;
  AttentionChoice scheduleOf(xft::AttendTileAttr tile, int64_t gathered, Type element) const {
    return {{xft::RegisterTilesAttr::get(tile.getContext(), tile, gathered, model.operandOf(element))}};
  }

  const CpuTileModel &model;
};
} // namespace

std::optional<AttentionChoice> RegisterBlocks::offer(const AttentionSite &site) const {
  if (!site.order)
    return std::nullopt;
  if (auto vjp = dyn_cast<AttentionVjpOp>(site.op))
    return scheduleOf(plainTile(site), /*gathered=*/0, productElement(vjp));
  auto op = cast<AttentionOp>(site.op);
  const QueryOrder &order = *site.order;
  const cpu::CpuMachine &machine = model.machine;
  AttentionShape shape = AttentionShape::of(site);
  xft::AttendTileAttr tile = withQueryBlock(plainTile(site), shape, accumulatorType(site.element()), machine);
  PackedKeys form = *model.packedKeys(productElement(op), site.element());
  int64_t gathered = gatheredRanks(site, form, tile, machine.l2Bytes / 4);
  if (op.getPart() && asksForQueries(order)) // of all of them, whose number is known at run time
    shape.queries = ShapedType::kDynamic;
  if (!gathered)
    gathered = ringRanks(shape, order, site.operands, form, tile, machine.l2Bytes / 4);
  return scheduleOf(tile, gathered, productElement(op));
}

std::shared_ptr<const AttentionForm> cpu::blocksForm(const CpuTileModel &model) {
  return std::make_shared<RegisterBlocks>(model);
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

static std::string registersReason(xft::AttendTileAttr tile, const cpu::CpuMachine &machine, Type real) {
  int64_t rows = tile.getRows(), registers = tile.getRegisters();
  return llvm::formatv(
      "registers: {0} x {1} accumulators, {1} of keys and 1 of a query are {2} of the {3} with {4} {5}", rows,
      registers, productForm(machine, real).registersOf(rows, registers), machine.registers, tile.getLanes(), real);
}

/// Returns a sentence for a report: the size of a block of keys, and which memory limits it. For a gradient, the
/// operands of the products must stay in the second-level cache. Otherwise, P of a group of rows must stay in the
/// first-level cache, or the keys and values of a block in the second. `most` is the number of keys that the
/// first-level cache allows.
static std::string keysReason(xft::AttendTileAttr tile, const AttentionShape &shape, bool isGradient, int64_t most,
                              const cpu::CpuMachine &machine, Type real) {
  int64_t bytes = real.getIntOrFloatBitWidth() / 8;
  if (!isGradient && tile.getKeys() < most)
    return llvm::formatv("keys: blocks of {0}, whose keys and values are {1} of the {2} of second-level cache",
                         tile.getKeys(), bytesText(tile.getKeys() * (shape.depth + shape.valueDepth) * bytes),
                         bytesText(machine.l2Bytes));
  if (isGradient)
    return llvm::formatv("keys: blocks of {0}, so that what each product of two blocks touches stays in {1} of "
                         "second-level cache",
                         tile.getKeys(), bytesText(machine.l2Bytes));
  return llvm::formatv("keys: blocks of {0}, so that the weights of {1} rows are {2} of the {3} of first-level cache",
                       tile.getKeys(), tile.getRows(), bytesText(tile.getRows() * tile.getKeys() * bytes),
                       bytesText(machine.l1Bytes));
}

/// Returns a sentence for a report with the size of a block of queries. If `isLarge`, adds the reason for a large
/// block.
static std::string queriesReason(xft::AttendTileAttr tile, const AttentionShape &shape, bool isLarge, Type real) {
  std::string reason = llvm::formatv("queries: blocks of {0}, {1} groups of {2} rows that read a block of keys in turn",
                                     tile.getQueries(), tile.getQueries() / tile.getRows(), tile.getRows());
  int64_t bytes = real.getIntOrFloatBitWidth() / 8;
  if (isLarge)
    reason += llvm::formatv("; large, since all keys and values of a head are {0}",
                            bytesText(shape.keys * (shape.depth + shape.valueDepth) * bytes));
  return reason;
}

SmallVector<std::string> RegisterBlocks::tileReasons(const AttentionSite &site, const AttentionChoice &choice) const {
  Type real = accumulatorType(site.element());
  AttentionShape shape = AttentionShape::of(site);
  xft::AttendTileAttr near = model.attendTile(real), tile = xft::tileOf(choice.schedule());
  bool isGradient = site.isGradient(), isLarge = !isGradient && tile.getQueries() > near.getQueries();
  return {registersReason(tile, model.machine, real),
          keysReason(tile, shape, isGradient, near.getKeys(), model.machine, real),
          queriesReason(tile, shape, isLarge, real)};
}
