//===- AttendRequests.cpp - The rows of the next task ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of the next task are asked for while this one computes, one of each matrix with every tile: all at once, they
// would wait for each other, and the products for them.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Rows of q or of o, from the first one of the task on.
static std::pair<GatheredRows, Value> queriesOf(AttendKernel &k, const View &view, int64_t columns,
                                                const AttendTaskIndex &task) {
  KernelBuilder &kb = k.kb;
  ResidueMap map = ResidueMap::of(kb, k.op.getQueries(), task.r);
  Value offset = kb.sub(k.nk, k.nq); // of positions against rows
  Value position0 = kb.at(view.element, view.at(kb, {task.b, task.h}), kb.mul(kb.sub(k.nq, k.nk), view.strides[2]));
  GatheredRows rows{kb, map, position0, view.element, view.strides[2], columns, map.rank(kb, k.nk)};
  return {rows, kb.add(map.rank(kb, offset), kb.mul(task.block, k.blockRows))};
}

void cpu::buildNextRows(AttendKernel &k, const AttendTaskIndex &next) {
  KernelBuilder &kb = k.kb;
  Value target = k.op.getSave() && k.op.getAccumulator() ? k.op.getAccumulator() : k.op.getO();
  k.nextRows.push_back(queriesOf(k, k.q, k.depth, next));
  k.nextRows.push_back(queriesOf(k, View::of(kb, target), k.valueDepth, next));
  k.nextCount = kb.integer(k.blockRows);
  if (k.op.getGathered()) {
    k.nextRows.push_back({keysOf(k, next), kb.integer(0)});
    k.nextRows.push_back({valuesOf(k, next), kb.integer(0)});
    auto &[queries, first] = k.nextRows.front();
    k.nextCount = kb.max(kb.sub(queries.end, first), k.nextRows.back().first.end);
  }
  kb.store(kb.integer(0), k.requested);
}

void cpu::buildRequest(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  Value done = kb.load(kb.i64(), k.requested);
  kb.ifThen(kb.compare(arith::CmpIPredicate::slt, done, k.nextCount), [&] {
    for (auto &[rows, first] : k.nextRows)
      rows.request(kb.min(kb.add(first, done), kb.add(rows.end, -1)));
    kb.store(kb.add(done, 1), k.requested);
  });
}
