//===- AttendGather.cpp - Packing of keys and values in a task ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs the keys and values of a task to scratch memory.
//
// The rows of one residue lie apart in memory. To load one, a task waits for the last-level cache. In a short residue,
// this wait is several times as long as the work on the row's pairs. So the rows are prefetched while the task before
// computes (AttendPrefetch.cpp).
//
// Without residues, tasks pack keys if their rows see few keys, or if heads are short. They pack to a ring of panels:
// panel n of the head is in slot n mod the number of slots. The blocks of queries of a head are computed in order, so a
// task finds most of its panels in the ring. If bounds depend on run-time numbers, a task may see more keys than the
// ring holds. It then packs one key block after the other. Values are read in place, unless an instruction takes the
// values of several keys, which must lie next to each other. Then they are packed, too.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static GatheredRows rowsOf(AttendKernel &k, const View &view, int64_t columns, const AttendTaskIndex &task) {
  KernelBuilder &kb = k.kb;
  ResidueMap map = ResidueMap::of(kb, cast<PieceAttr>(k.op.getPieces()[0]).getKeys(), task.r);
  Value matrix = view.at(kb, {task.b, headOf(k, view, task.h)});
  return {kb, map, matrix, view.element, view.strides[2], columns, map.rank(kb, k.nk)};
}

GatheredRows cpu::keysOf(AttendKernel &k, const AttendTaskIndex &task) {
  return rowsOf(k, View::of(k.kb, k.op.getKeys()[0]), k.depth(), task);
}

GatheredRows cpu::valuesOf(AttendKernel &k, const AttendTaskIndex &task) {
  return rowsOf(k, View::of(k.kb, k.op.getValues()[0]), k.valueDepth(), task);
}

void cpu::buildGathered(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  AttendTaskIndex task{k.b, k.h, k.r, Value()};
  GatheredRows keys = keysOf(k, task), values = valuesOf(k, task);
  kb.loop(kb.integer(0), keys.end, k.width(), [&](Value first) {
    Value panel = kb.at(k.product.packed, k.buffers.keyPanels, kb.mul(first, k.paddedDepth()));
    keys.buildPanel(k.product, panel, first, k.width());
  });
  values.buildRows(k.product, k.buffers.valueRows, kb.integer(0), values.end, k.valueColumns());
}

static Value rangeSlot(AttendKernel &k, int64_t n) { return k.kb.at(k.kb.i64(), k.buffers.packedRange, n); }

void cpu::buildRingStart(AttendKernel &k, Value isEmpty) {
  k.kb.ifThen(isEmpty, [&] {
    for (int64_t n = 0; n < 2; ++n)
      k.kb.store(k.kb.integer(0), rangeSlot(k, n));
  });
}

/// Packs the panels [first, last) to the ring, except panels that it already holds.
static void packPanels(AttendKernel &k, Value first, Value last) {
  KernelBuilder &kb = k.kb;
  Value packedBegin = kb.load(kb.i64(), rangeSlot(k, 0)), packedEnd = kb.load(kb.i64(), rangeSlot(k, 1));
  AttendTaskIndex task{k.b, k.h, k.r, Value()};
  GatheredRows keys = keysOf(k, task);
  std::optional<GatheredRows> values;
  if (k.packsValues())
    values.emplace(valuesOf(k, task));
  auto pack = [&](Value from, Value to) {
    kb.loop(from, to, 1, [&](Value panel) {
      Value slot = kb.rem(panel, kb.integer(k.ringPanels()));
      keys.buildPanel(k.product,
                      kb.at(k.product.packed, k.buffers.keyPanels, kb.mul(slot, k.paddedDepth() * k.width())),
                      kb.mul(panel, k.width()), k.width());
      if (values)
        values->buildRows(k.product,
                          kb.at(k.product.packed, k.buffers.valueRows, kb.mul(slot, k.valueColumns() * k.width())),
                          kb.mul(panel, k.width()), kb.integer(k.width()), k.valueColumns());
    });
  };
  // Two rounds: the panels before those in the ring, and those behind them.
  kb.loop(kb.integer(0), kb.integer(2), 1, [&](Value round) {
    Value isBefore = kb.compare(arith::CmpIPredicate::eq, round, kb.integer(0));
    pack(kb.select(isBefore, first, kb.clamp(packedEnd, first, last)),
         kb.select(isBefore, kb.clamp(packedBegin, first, last), last));
  });
  kb.store(first, rangeSlot(k, 0));
  kb.store(last, rangeSlot(k, 1));
}

void cpu::buildRing(AttendKernel &k, const PieceValues &piece, Value keyBlock) {
  KernelBuilder &kb = k.kb;
  auto panels = [&](Value begin, Value end) {
    Value first = kb.floorDiv(begin, k.width());
    return std::pair(first, kb.max(first, kb.ceilDiv(end, k.width())));
  };
  auto [first, last] = panels(k.seen.first, k.seen.second);
  if (k.op.getGathered() % k.tile.getKeys() == 0) { // else there is room
    auto [blockFirst, blockLast] =
        panels(kb.max(keyBlock, piece.begin), kb.min(kb.add(keyBlock, k.tile.getKeys()), piece.end));
    Value fits = kb.compare(arith::CmpIPredicate::sle, kb.sub(last, first), kb.integer(k.ringPanels()));
    first = kb.select(fits, first, blockFirst);
    last = kb.select(fits, last, blockLast);
  }
  packPanels(k, first, last);
}
