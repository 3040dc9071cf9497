//===- AttendVjpPrefetch.cpp - Software prefetch of a gradient ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets up prefetches (PrefetchRows.h). The products that compute scores prefetch the next block of query rows. The
// products that compute the gradients of scores prefetch the next block of keys. The last block of a residue is
// followed by the first one of the next residue.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

/// Returns the residue of the next block, and the index or rank where the block begins. The result is (r, next) if
/// `next` is below `end` or r is the last residue, else (r + 1, start).
static std::pair<Value, Value> nextBlock(AttendVjpKernel &k, Value next, Value end, Value start) {
  KernelBuilder &kb = k.kb;
  Value behind = kb.add(k.r, 1), isLast = kb.compare(slt, kb.integer(k.op.getPiece().getResidues() - 1), behind);
  Value stays = arith::OrIOp::create(kb.b, kb.loc, kb.compare(slt, next, end), isLast);
  return {kb.select(stays, k.r, behind), kb.select(stays, next, start)};
}

void cpu::buildNextRows(AttendVjpKernel &k, Value first, Value end) {
  KernelBuilder &kb = k.kb;
  auto [r, next] = nextBlock(k, kb.add(first, k.tile.getQueries()), end, kb.integer(0));
  RankMap map = k.choices.queries.at(kb, r);
  Value rank = kb.add(map.rank(kb, k.firstPosition()), next);
  k.rowBlock.next.matrices.clear();
  for (auto [view, columns] :
       {std::pair{k.q, k.depth()}, {k.matrices.dOut, k.valueDepth()}, {gradientOfSlice(k), k.depth()}})
    k.rowBlock.next.matrices.push_back({positionsOf(k, map, view, columns, k.b, k.h), rank});
  k.rowBlock.next.count = kb.integer(k.tile.getQueries());
  k.rowBlock.next.start(kb);
}

void cpu::buildNextKeys(AttendVjpKernel &k, Value end) {
  KernelBuilder &kb = k.kb;
  int64_t apart = k.task.haloBegin ? 1 : k.matrices.dQ.size(); // blocks from one of the slice to the next one
  Value start = kb.mul(k.task.slice, k.tile.getKeys()), next = kb.add(k.keyBlock.first, k.tile.getKeys() * apart);
  auto [r, first] = nextBlock(k, next, end, start);
  RankMap map = k.choices.keys.at(kb, r);
  k.keyBlock.next.matrices.clear();
  for (auto [view, columns] : {std::pair{k.matrices.k, k.depth()},
                               {k.matrices.v, k.valueDepth()},
                               {k.matrices.dK, k.depth()},
                               {k.matrices.dV, k.valueDepth()}}) {
    Value matrix = view.at(kb, {k.b, headOf(k, view, k.h)});
    GatheredRows rows{kb, map, matrix, view.element, view.strides[2], columns, map.rank(kb, k.nk)};
    k.keyBlock.next.matrices.push_back({rows, first});
  }
  k.keyBlock.next.count = kb.integer(k.tile.getKeys());
  k.keyBlock.next.start(kb);
}
