//===- AttendPrefetch.cpp - Software prefetch of the next task ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of the rows that a task prefetches for the next one, see PrefetchRows.h.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns the rows of `view` (q or o) that a task works on.
static PrefetchRows::Matrix queriesOf(AttendKernel &k, const View &view, int64_t columns, const AttendTaskIndex &task) {
  KernelBuilder &kb = k.kb;
  RankMap map = k.queries.at(kb, task.r);
  return {positionsOf(k, map, view, columns, task.b, task.h),
          kb.add(map.rank(kb, kb.sub(k.nk, k.nq)), kb.mul(task.block, k.blockRows))};
}

void cpu::buildNextRows(AttendKernel &k, const AttendTaskIndex &next) {
  KernelBuilder &kb = k.kb;
  Value target = k.op.getSave() && k.op.getAccumulator() ? k.op.getAccumulator() : k.op.getO();
  auto &matrices = k.prefetches.matrices;
  matrices.push_back(queriesOf(k, k.q, k.depth, next));
  matrices.push_back(queriesOf(k, View::of(kb, target), k.valueDepth, next));
  k.prefetches.count = kb.integer(k.blockRows);
  if (k.gathersResidue()) {
    matrices.push_back({keysOf(k, next), kb.integer(0)});
    matrices.push_back({valuesOf(k, next), kb.integer(0)});
    k.prefetches.count = kb.max(kb.sub(matrices[0].rows.end, matrices[0].first), matrices[2].rows.end);
  }
  if (k.ringPanels()) { // the keys before those of the task before, by two blocks as far as bounds follow the rows
    Value before = kb.mul(kb.load(kb.i64(), k.packedRange), k.width());
    Value first = kb.max(kb.sub(before, kb.integer(2 * k.blockRows)), kb.integer(0));
    matrices.push_back({keysOf(k, next), first});
    matrices.push_back({valuesOf(k, next), first});
  }
  k.prefetches.start(kb);
}
