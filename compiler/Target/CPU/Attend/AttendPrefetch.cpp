//===- AttendPrefetch.cpp - Software prefetch of the next task ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets up what a task prefetches for the next one: rows of q and o, and keys and values that are packed
// (PrefetchRows.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns the rows of `view` (q or o) that `task` works on. A row has `columns` elements.
static PrefetchRows::Matrix queriesOf(AttendKernel &k, const View &view, int64_t columns, const AttendTaskIndex &task) {
  KernelBuilder &kb = k.kb;
  RankMap map = k.choices.queries.at(kb, task.r);
  return {positionsOf(k, map, view, columns, task.b, task.h),
          kb.add(map.rank(kb, k.firstPosition()), kb.mul(task.block, k.tile.getQueries()))};
}

/// Appends the keys and values that tasks will pack to the ring of panels next. If the ring holds all keys of a head,
/// each block of this head prefetches a part of the next head. Otherwise, the prefetched keys begin a fixed number of
/// keys before the first key in the ring: as many as two blocks have queries. This is early enough if the keys that
/// rows see move with the rows.
static void appendRingRows(AttendKernel &k, const AttendTaskIndex &next, const AttendTaskIndex &nextHead,
                           Value blocks) {
  KernelBuilder &kb = k.kb;
  Value holdsHead = kb.compare(arith::CmpIPredicate::sle, k.nk, kb.integer(k.op.getGathered()));
  Value part = kb.select(holdsHead, kb.div(kb.add(k.nk, kb.add(blocks, -1)), blocks), kb.integer(0));
  Value before = kb.mul(kb.load(kb.i64(), k.buffers.packedRange), k.width());
  Value first = kb.max(kb.sub(before, kb.integer(2 * k.tile.getQueries())), kb.integer(0));
  first = kb.select(holdsHead, kb.mul(kb.sub(kb.add(blocks, -1), nextHead.block), part), first);
  AttendTaskIndex task{kb.select(holdsHead, nextHead.b, next.b), kb.select(holdsHead, nextHead.h, next.h), next.r,
                       Value()};
  k.prefetches.matrices.push_back({keysOf(k, task), first});
  k.prefetches.matrices.push_back({valuesOf(k, task), first});
  k.prefetches.count = kb.max(k.prefetches.count, part);
}

void cpu::buildNextRows(AttendKernel &k, const AttendTaskIndex &next, const AttendTaskIndex &nextHead, Value blocks) {
  KernelBuilder &kb = k.kb;
  Value target = k.op.getSave() && k.op.getAccumulator() ? k.op.getAccumulator() : k.op.getO();
  auto &matrices = k.prefetches.matrices;
  matrices.push_back(queriesOf(k, k.q, k.depth(), next));
  matrices.push_back(queriesOf(k, View::of(kb, target), k.valueDepth(), next));
  k.prefetches.count = kb.integer(k.tile.getQueries());
  if (k.gathersResidue()) {
    matrices.push_back({keysOf(k, next), kb.integer(0)});
    matrices.push_back({valuesOf(k, next), kb.integer(0)});
    k.prefetches.count = kb.max(kb.sub(matrices[0].rows.end, matrices[0].first), matrices[2].rows.end);
  }
  if (k.ringPanels())
    appendRingRows(k, next, nextHead, blocks);
  k.prefetches.start(kb);
}
