//===- AttendGather.cpp - Packing of keys and values in a task ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of one residue lie apart in memory: each costs the latency of the last-level cache, several times the time
// that the pairs of a short residue take. So they are prefetched while the task before computes (AttendPrefetch.cpp).
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
  return rowsOf(k, View::of(k.kb, k.op.getKeys()[0]), k.depth, task);
}

GatheredRows cpu::valuesOf(AttendKernel &k, const AttendTaskIndex &task) {
  return rowsOf(k, View::of(k.kb, k.op.getValues()[0]), k.valueDepth, task);
}

void cpu::buildGathered(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  AttendTaskIndex task{k.b, k.h, k.r, Value()};
  GatheredRows keys = keysOf(k, task), values = valuesOf(k, task);
  kb.loop(kb.integer(0), keys.end, k.width(), [&](Value first) {
    Value panel = kb.at(k.product.operand, k.keyPanels, kb.mul(first, k.paddedDepth));
    keys.buildPanel(k.product, panel, first, k.width());
  });
  values.buildRows(k.product, k.valueRows, kb.integer(0), values.end, k.valueColumns);
}
