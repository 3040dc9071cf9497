//===- ExpandAttendVjp.cpp - Gradients of attention become code of warps --===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of one side of `xft.attend_vjp` if each warp works on its own: the loop over tasks, with the steps
// that AttendVjpWarps.h lists.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"
#include "compiler/Target/GPU/Attend/TileOrder.h"
#include "compiler/Target/GPU/AttendVjp/AttendVjpWarps.h"
#include "compiler/Target/GPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static int64_t threadsOf(xft::AttendVjpSide op) {
  bool hasKeys = op.getSide() == xft::VjpSide::keys;
  int64_t rows = hasKeys ? op.getTile().getKeys() : op.getTile().getQueries();
  return rows / WarpProduct::tileRows * ThreadBlock::warpSize;
}

AttendVjpOperands::AttendVjpOperands(xft::AttendVjpSide op, KernelBuilder &kb)
    : k(View::of(kb, op.getK())), v(View::of(kb, op.getV())), dOut(View::of(kb, op.getDO())),
      lse(View::of(kb, op.getLse())), delta(View::of(kb, op.getDelta())),
      sizes{cast<MemRefType>(op.getQ().getType()).getDimSize(3), cast<MemRefType>(op.getV().getType()).getDimSize(3)} {
  ValueRange gradients = op.getGradients();
  if (op.getSide() == xft::VjpSide::rows)
    dQ = View::of(kb, gradients[0]);
  if (op.getSide() == xft::VjpSide::keys) {
    dK = View::of(kb, gradients[0]);
    dV = View::of(kb, gradients[1]);
  }
  if (!op.getDerivative().empty() && op.getSide() == xft::VjpSide::captures)
    for (Value gradient : gradients)
      dCaptures.push_back(View::of(kb, gradient));
}

AttendVjpKernel::AttendVjpKernel(xft::AttendVjpSide op, KernelBuilder &kb, int64_t threads)
    : AttendRows(op->getParentOfType<func::FuncOp>(), AttendTask(kb, op), op.getTile(), threads), op(op),
      operands(op, kb) {
  nk = operands.k.sizes[2];
  readPairs(op, op.getDerivative());
}

AttendVjpWarpKernel::AttendVjpWarpKernel(xft::AttendVjpSide op, KernelBuilder &kb, int64_t threads)
    : AttendVjpKernel(op, kb, threads), buffers(block) {}

void AttendVjpWarpKernel::shareMatrices() {
  auto &[matrices, scores, factors, stages, matrixPlace, valuePlace, numberPlaces] = buffers;
  matrices = {share(resident(), columns()), share(resident(), valueColumns())};
  scores = shareTiles(block.warps(), streamed());
  if (pairs.region)
    factors = shareTiles(block.warps(), streamed());
  matrixPlace = stages.add(matrixBytes(streamed(), columns()));
  valuePlace = stages.add(matrixBytes(streamed(), valueColumns()));
  int64_t realBytes = real.getIntOrFloatBitWidth() / 8;
  if (hasKeys())
    for (int64_t bytes : {int64_t(4), int64_t(4), int64_t(8), realBytes, realBytes, realBytes})
      numberPlaces.push_back(stages.add(streamed() * bytes));
  // Registers of a thread for its part of 16 rows of sums. Beyond this limit, too few are left for the copies of two
  // stages.
  int64_t sumRegisters = (columns() + (hasKeys() ? valueColumns() : 0)) / 2 * realBytes / 4;
  stages.allocate(/*most=*/sumRegisters < 128 ? 2 : 1);
}

VjpStage AttendVjpWarpKernel::stageAt(Value stage) {
  const Stages &stages = buffers.stages;
  VjpStage found{{inStage(stages, stage, buffers.matrixPlace, columns()),
                  inStage(stages, stage, buffers.valuePlace, valueColumns())},
                 {}};
  auto &[lowers, uppers, rows, largest, logSums, deltas] = found.numbers;
  Value *arrays[] = {&lowers, &uppers, &rows, &largest, &logSums, &deltas};
  for (auto [array, place] : llvm::zip(arrays, buffers.numberPlaces)) // no places on the side of rows
    *array = stages.at(stage, place);
  return found;
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

static Value indexOf(KernelBuilder &kb, Value index) {
  return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index);
}

/// Returns the head, the residue and the block of tile `tile` in a grid of `heads` heads. `sharing` adjacent heads
/// stream the same matrices, which have `rows` rows.
static TilePlace tileAt(AttendVjpKernel &k, Value tile, Value heads, Value rows, Value sharing) {
  KernelBuilder &kb = k.kb;
  Value given = k.op.getResidue();
  int64_t rowBytes = (k.depth() + k.valueDepth()) * k.product.element.getIntOrFloatBitWidth() / 8;
  rows = k.block.fromLane(rows, kb.integer(0)); // opaque: sections are computed again, not kept in registers
  TileGrid grid{heads, given ? 1 : k.piece().getResidues(), indexOf(kb, k.op.getBlocks()),
                sectionHeads(kb, rows, rowBytes, sharing)};
  TilePlace place = gpu::placeOf(kb, grid, tile);
  if (given)
    place.residue = indexOf(kb, given);
  return place;
}

void AttendVjpKernel::locateRows(Value tile) {
  int64_t first = op.getFirstHead(), step = op.getHeadStep();
  Value members = divideShort(kb, kb.add(q.sizes[1], step - 1 - first), kb.integer(step));
  Value sharing = divideShort(kb, kb.add(divideShort(kb, q.sizes[1], operands.k.sizes[1]), step - 1), kb.integer(step));
  TilePlace place = tileAt(*this, tile, kb.mul(q.sizes[0], members), nk, sharing);
  Coordinates heads{kb, place.head};
  r = place.residue;
  h = kb.add(kb.mul(heads.next(members), step), first);
  b = heads.rest;
  locateKeyHeads();
  findRows(piece().getQueries(), kb.sub(kb.add(indexOf(kb, op.getBlocks()), -1), place.block));
}

void AttendVjpKernel::locateKeys(Value tile) {
  Value groups = indexOf(kb, op.getGroups()), rows = kb.mul(nq, divideShort(kb, q.sizes[1], groups));
  TilePlace place = tileAt(*this, tile, kb.mul(q.sizes[0], groups), rows, kb.integer(1));
  Coordinates heads{kb, place.head};
  keys.first = kb.mul(place.block, this->tile.getKeys());
  r = place.residue;
  keys.group = heads.next(groups);
  b = heads.rest;
  keys.map = ResidueMap::of(kb, piece().getKeys(), r);
  keys.end = kb.min(keys.map.rank(kb, nk), kb.add(keys.first, this->tile.getKeys()));
}

void AttendVjpKernel::locateKeyHeads() { keys.heads = {headOf(*this, operands.k, h), headOf(*this, operands.v, h)}; }

std::pair<Value, Value> AttendVjpKernel::headsOfGroup() {
  Value heads = divideShort(kb, q.sizes[1], indexOf(kb, op.getGroups())), first = kb.mul(keys.group, heads);
  Value skipped = kb.floorMod(kb.sub(kb.integer(op.getFirstHead()), first), op.getHeadStep());
  return {kb.add(first, skipped), kb.add(first, heads)};
}

/// Builds a loop over the heads that this kernel computes in the task's group (headsOfGroup). Calls `body` in the loop,
/// with `k.h` set to the head.
static void forHeads(AttendVjpKernel &k, function_ref<void()> body) {
  auto [first, last] = k.headsOfGroup();
  Value batch = k.b;
  k.kb.loop(first, last, k.op.getHeadStep(), [&](Value head) {
    k.b = k.block.fromLane(batch, k.kb.integer(0)); // opaque: derived values are recomputed, not kept in registers
    k.h = head;
    body();
  });
  k.b = batch;
}

/// Adds the contributions of the pairs of head `k.h` to the gradients of captured elements. Visits `blocks` blocks of
/// rows of each residue.
static void buildCapturesHead(AttendVjpWarpKernel &k, Value blocks) {
  KernelBuilder &kb = k.kb;
  k.locateKeyHeads();
  kb.loop(kb.integer(0), kb.integer(k.piece().getResidues()), 1, [&](Value residue) {
    k.r = residue;
    kb.loop(kb.integer(0), blocks, 1, [&](Value number) {
      k.findRows(k.piece().getQueries(), number);
      kb.ifThen(kb.compare(slt, kb.integer(0), k.rows.count), [&] {
        LaneNumbers lane = startRows(k);
        addKeyBlocks(k, lane, {}, kb.constant(kb.b.getBoolAttr(false)));
      });
    });
  });
}

/// Computes a tile of the side of captures: the gradients from all pairs of a batch entry and a group of heads.
static void buildCapturesTile(AttendVjpWarpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  Coordinates coordinates{kb, tile};
  k.keys.group = coordinates.next(indexOf(kb, k.op.getGroups()));
  k.b = coordinates.rest;
  forHeads(k, [&] { buildCapturesHead(k, indexOf(kb, k.op.getBlocks())); });
}

/// Computes tile `tile` on the side of rows or of keys. The resident block of the tile must not be empty. A recheck
/// kernel computes the tile only if it is flagged. Tiles with an empty resident block are never flagged.
static void buildTask(AttendVjpWarpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  auto body = [&] { k.hasKeys() ? forHeads(k, [&] { buildKeysHead(k); }) : buildRowsTask(k); };
  if (!k.op.getFlags())
    return body();
  kb.ifThen(isNonFinite(k, k.op.getFlags(), tile, k.block.warps()), body);
}

static void buildTile(AttendVjpWarpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  if (k.op.getSide() == xft::VjpSide::captures)
    return buildCapturesTile(k, tile);
  if (k.hasKeys()) {
    k.locateKeys(tile);
    return kb.ifThen(kb.compare(slt, k.keys.first, k.keys.end), [&] { buildTask(k, tile); });
  }
  k.locateRows(tile);
  kb.ifThen(kb.compare(slt, kb.integer(0), k.rows.count), [&] { buildTask(k, tile); });
}

LogicalResult xf::gpu::expandAttendVjp(xft::AttendVjpSide op, KernelBuilder &kb) {
  if (!op.getDerivative().empty() && failed(checkLaneRegion(op.getDerivative().front())))
    return failure();
  AttendVjpWarpKernel k(op, kb, threadsOf(op));
  k.shareMatrices();
  auto buildTiles = [&] { k.block.forTiles([&](Value tile) { buildTile(k, tile); }); };
  auto isFlagged = [&](Value tile) { return isNonFinite(k, op.getFlags(), tile, k.block.warps()); };
  if (op.getFlags()) // most often none: all flags of the block's tiles are read at once
    kb.ifThen(k.block.anyTile(isFlagged), buildTiles);
  else
    buildTiles();
  k.block.finish();
  op.erase();
  return success();
}
