//===- ExpandAttend.cpp - Attention kernels become vector code ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of an `xft.attend` kernel: tasks, pieces, key blocks and groups of rows. AttendKernel.h lists the parts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

AttendChoices::AttendChoices(const SharedOps &shared, KernelBuilder &kb)
    : shared(shared), queries(shared.indexMap(kb, [&](size_t member) { return shared.orderOf(member).getQueries(); })),
      firstHead(shared.integer(kb, [&](size_t member) { return shared.firstHeadOf(member); })) {}

AttendKernel::AttendKernel(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb)
    : AttendBlock(kb, op), op(op), choices(shared, kb), o(View::of(kb, op.getO())),
      buffers{Scratch::ofKernel(kb, op), op} {
  setSchedule(cast<xft::RegisterTilesAttr>(op.getSchedule()), q.element);
  if (!op.getKeys().empty() && product.terms == 1)
    product = product.withPacked(cast<MemRefType>(op.getKeys()[0].getType()).getElementType());
  if (!op.getScore().empty()) // which each register has a copy of
    endRegisters = 1;
  nk = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getNk());
  setPart(op.getPart());
  rows.indices = buffers.rowOf;
  prefetches.done = buffers.requested;
  readPairs();
}

void AttendKernel::readPairs() {
  Value sizes[] = {q.sizes[0], q.sizes[1], queryCount(), nk};
  if (op.getTiles())
    pairs.predicate = TilePredicate(kb, *op.getTiles(), op.getData(), sizes);
  auto keyMaps = llvm::map_to_vector(op.getPieces(), [](Attribute piece) { return cast<PieceAttr>(piece).getKeys(); });
  if (!op.getScore().empty())
    pairs.score = BlockScores(kb, op.getScore(), op.getCaptures(), keyOrder(keyMaps), sizes);
  if (op.getDropout())
    pairs.dropout = DropoutMask(kb, op.getSeed(), *op.getDropout(), keyOrder(keyMaps));
}

/// Returns whether the score region or dropout reads the keys of a block from memory, because they may not be
/// consecutive.
static bool needsKeys(const AttendKernel &k) {
  return (k.pairs.score && k.pairs.score.getKeyOrder() != KeyOrder::Consecutive) ||
         (k.pairs.dropout && k.pairs.dropout.getKeyOrder() != KeyOrder::Consecutive);
}

/// Computes P and o += P V for the group of rows that begins at `row` and one key block, in which each row sees one
/// interval of columns. `hasFinite` is whether all values of the key block are finite (i1). If `hasFinite` is null, the
/// sums are tested for NaN instead.
static void buildIntervals(AttendKernel &k, const PieceValues &piece, Value row, Value keyBlock, ColumnRange range,
                           Value hasFinite) {
  KernelBuilder &kb = k.kb;
  Value hides = buildScores(k, piece, row, keyBlock, range);
  if (k.pairs.dropout)
    hides = kb.constant(kb.b.getBoolAttr(true));
  if (hides) { // then no column is common to all rows
    hides = kb.select(hasFinite, kb.constant(kb.b.getBoolAttr(false)), hides);
    range.commonBegin = kb.select(hides, range.end, range.commonBegin);
    range.commonEnd = kb.select(hides, range.end, range.commonEnd);
  }
  range.begin = k.firstTerm(range.begin);
  range.end = k.lastTerm(range.end);
  if (!hasFinite) {
    auto all = [&](ValueRange before, ValueSums, ValueSums whole) { return whole(before, range.begin, range.end); };
    auto again = [&](ValueRange before, ValueSums careful, ValueSums) {
      return careful(before, range.begin, range.end);
    };
    return buildValues(k, piece, row, keyBlock, all, again);
  }
  range.commonBegin = kb.select(hasFinite, range.begin, k.lastTerm(range.commonBegin));
  range.commonEnd = kb.select(hasFinite, range.end, k.firstTerm(range.commonEnd));
  if (k.product.terms > 1)
    range.commonEnd = kb.max(range.commonBegin, range.commonEnd);
  buildValues(k, piece, row, keyBlock, [&](ValueRange before, ValueSums careful, ValueSums whole) {
    SmallVector<Value> sums = careful(before, range.begin, range.commonBegin);
    sums = whole(sums, range.commonBegin, range.commonEnd);
    return careful(sums, range.commonEnd, range.end);
  });
}

/// Computes what one key block of one piece contributes to the results of all rows of the task. With a predicate,
/// `seen` is the interval of columns outside of which no row sees a key.
static void buildKeyBlock(AttendKernel &k, const PieceValues &piece, Value keyBlock,
                          std::optional<std::pair<Value, Value>> seen = std::nullopt) {
  KernelBuilder &kb = k.kb;
  if (needsKeys(k))
    buildKeys(kb, piece.map, keyBlock, k.tile.getKeys(), k.buffers.keyOf);
  Value hasFinite; // decided here if any pair may be masked, else only for the ends of an interval
  if (k.pairs.score || k.pairs.dropout) {
    Value begin = kb.max(kb.sub(piece.begin, keyBlock), kb.integer(0));
    Value end = kb.min(kb.sub(piece.end, keyBlock), kb.integer(k.tile.getKeys()));
    if (seen) {
      begin = kb.max(begin, seen->first);
      end = kb.min(end, seen->second);
    }
    hasFinite = buildHasFiniteValues(k, piece, keyBlock, {{begin, end}});
  }
  kb.loop(kb.integer(0), k.rows.padded, k.tile.getRows(), [&](Value row) {
    ColumnRange range = buildColumnRange(k, piece.groupBounds, row, keyBlock);
    if (seen)
      range = limitRange(kb, range, *seen);
    kb.ifThen(kb.compare(arith::CmpIPredicate::slt, range.begin, range.end), [&] {
      if (k.pairs.dropout)
        k.pairs.dropout.build(k, piece.map, row, keyBlock, range.begin, range.end, k.buffers.keyOf, k.buffers.kept);
      if (k.pairs.predicate)
        buildTiles(k, piece, row, keyBlock, range, hasFinite);
      else
        buildIntervals(k, piece, row, keyBlock, range, hasFinite);
      k.prefetches.buildUpTo(kb, kb.add(row, k.tile.getRows()));
    });
  });
}

/// Returns the index of task `tile` of the grid (b, h, r, block). The block varies fastest, from the last block down.
static AttendTaskIndex buildIndex(AttendKernel &k, Value tile, Value blocks) {
  KernelBuilder &kb = k.kb;
  Value residues = kb.integer(k.op.getResidues());
  int64_t step = k.op.getHeadStep();
  Value members = kb.div(kb.sub(kb.add(k.q.sizes[1], step - 1), k.choices.firstHead), kb.integer(step));
  Value block = kb.sub(kb.add(blocks, -1), kb.rem(tile, blocks));
  tile = kb.div(tile, blocks);
  Value r = kb.rem(tile, residues);
  tile = kb.div(tile, residues);
  Value h = kb.add(kb.mul(kb.rem(tile, members), step), k.choices.firstHead);
  return {kb.div(tile, members), h, r, block};
}

/// Computes the results of a block of query rows: the softmax and o over all pieces.
static void buildQueryBlock(AttendKernel &k, Value block) {
  KernelBuilder &kb = k.kb;
  buildRows(k, block, [&] {
    buildStart(k);
    buildPieceTable(k);
    kb.loop(kb.integer(0), kb.integer(k.op.getPieces().size()), 1, [&](Value number) {
      PieceValues piece = readPiece(k, number);
      Value first = kb.mul(kb.div(piece.begin, kb.integer(k.tile.getKeys())), k.tile.getKeys());
      kb.loop(first, piece.end, k.tile.getKeys(), [&](Value keyBlock) {
        if (k.ringPanels())
          buildRing(k, piece, keyBlock);
        if (!k.pairs.predicate)
          return buildKeyBlock(k, piece, keyBlock);
        auto seen = buildSeenColumns(k, k.pairs.predicate, keyBlock);
        kb.ifThen(kb.compare(arith::CmpIPredicate::slt, seen.first, seen.second),
                  [&] { buildKeyBlock(k, piece, keyBlock, seen); });
      });
    });
    buildFinish(k);
  });
}

LogicalResult cpu::expandAttend(xft::AttendOp op, const SharedOps &shared, KernelBuilder &kb) {
  if (!isa<xft::RegisterTilesAttr>(op.getSchedule()))
    return op.emitError("expected register tiles on CPUs, got ") << op.getSchedule();
  if (!op.getScore().empty() && failed(checkLaneRegion(op.getScore().front())))
    return failure();
  AttendKernel k(op, shared, kb);
  if (failed(k.requireProducts(op, op.getSchedule())))
    return failure();
  Value blocks = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getBlocks());
  Value first = k.kernel().getArgument(0), end = k.kernel().getArgument(1);
  Value walked = k.gathersResidue() ? kb.integer(1) : blocks; // blocks in the grid; a gathered task loops over its own
  kb.loop(first, end, 1, [&](Value tile) {
    AttendTaskIndex task = buildIndex(k, tile, walked);
    std::tie(k.b, k.h, k.r) = std::tie(task.b, task.h, task.r);
    if (k.ringPanels()) { // each head starts with its last block
      Value isLast = kb.compare(arith::CmpIPredicate::eq, task.block, kb.add(walked, -1));
      Value isFirst = kb.compare(arith::CmpIPredicate::eq, tile, first);
      buildRingStart(k, arith::OrIOp::create(kb.b, kb.loc, isFirst, isLast));
    }
    auto later = [&](Value tiles) { return buildIndex(k, kb.min(kb.add(tile, tiles), kb.add(end, -1)), walked); };
    buildNextRows(k, later(kb.integer(1)), later(walked), walked);
    if (k.pairs.predicate)
      k.pairs.predicate.startTask(k);
    if (!k.gathersResidue())
      return buildQueryBlock(k, task.block);
    buildGathered(k);
    kb.loop(kb.integer(0), blocks, 1, [&](Value block) { buildQueryBlock(k, block); });
  });
  op.erase();
  return success();
}
