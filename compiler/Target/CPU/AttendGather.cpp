//===- AttendGather.cpp - Keys and values that a task gathers -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of one residue lie apart in memory: each costs the latency of the last cache, several times what the pairs of a
// short residue take. So a task that has gathered its own asks for the rows of the next residue before it computes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendKernel.h"
#include "compiler/Target/CPU/GatherRows.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static Value keyHead(AttendKernel &k, const View &view) { return k.kb.div(k.h, k.kb.div(k.q.sizes[1], view.sizes[1])); }

/// The rows of k or v at residue r.
static GatheredRows keyRows(AttendKernel &k, const View &view, int64_t columns, Value r) {
  KernelBuilder &kb = k.kb;
  ResidueMap map = ResidueMap::of(kb, cast<PieceAttr>(k.op.getPieces()[0]).getKeys(), r);
  return {kb, map, view.at(kb, {k.b, keyHead(k, view)}), view.element, view.strides[2], columns, map.rank(kb, k.nk)};
}

/// Asks for the rows of q, or of o, at residue r.
static void requestQueries(AttendKernel &k, const View &view, int64_t columns, Value r, bool writes) {
  KernelBuilder &kb = k.kb;
  ResidueMap map = ResidueMap::of(kb, k.op.getQueries(), r);
  Value offset = kb.sub(k.nk, k.nq); // of positions against rows
  Value origin = kb.at(view.element, view.at(kb, {k.b, k.h}), kb.mul(kb.sub(kb.integer(0), offset), view.strides[2]));
  GatheredRows rows{kb, map, origin, view.element, view.strides[2], columns, map.rank(kb, k.nk)};
  rows.request(map.rank(kb, offset), rows.end, writes);
}

static void requestNext(AttendKernel &k, const View &keys, const View &values) {
  KernelBuilder &kb = k.kb;
  Value next = kb.add(k.r, 1);
  kb.ifThen(kb.compare(arith::CmpIPredicate::slt, next, kb.integer(k.op.getResidues())), [&] {
    requestQueries(k, k.q, k.depth, next, /*writes=*/false);
    for (auto [view, columns] : {std::pair{keys, k.depth}, std::pair{values, k.valueDepth}}) {
      GatheredRows rows = keyRows(k, view, columns, next);
      rows.request(kb.integer(0), rows.end);
    }
    Value target = k.op.getSave() && k.op.getAccumulator() ? k.op.getAccumulator() : k.op.getO();
    requestQueries(k, View::of(kb, target), k.valueDepth, next, /*writes=*/true);
  });
}

void cpu::buildGathered(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  View keys = View::of(kb, k.op.getKeys()[0]), values = View::of(kb, k.op.getValues()[0]);
  GatheredRows keyRowsOfTask = keyRows(k, keys, k.depth, k.r);
  kb.loop(kb.integer(0), keyRowsOfTask.end, k.width(),
          [&](Value first) { keyRowsOfTask.buildPanel(k.real, k.at(k.keyPanels, first, k.depth), first, k.width()); });
  GatheredRows valueRowsOfTask = keyRows(k, values, k.valueDepth, k.r);
  valueRowsOfTask.buildRows(k.real, k.valueRows, kb.integer(0), valueRowsOfTask.end, k.valueColumns);
  requestNext(k, keys, values);
}
