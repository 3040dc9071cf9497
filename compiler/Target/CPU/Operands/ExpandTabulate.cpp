//===- ExpandTabulate.cpp - Tables and sorted lists -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands `xft.tabulate` (a tile of the grid is a group of rows or keys) and `xft.sort_lists` (a tile is a list). Each
// input element is read once; every tile of an attention reads the results.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/ExpandOperands.h"
#include "compiler/Target/Kernel/Attend/TabulateCode.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

LogicalResult cpu::expandTabulate(xft::TabulateOp op, KernelBuilder &kb) {
  TabulateCode code(op, kb);
  int64_t group = op.getGroup();
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    Value g = kb.rem(tile, code.groups()), b = kb.div(tile, code.groups()), start = kb.mul(g, group);
    auto range = kb.loop(start, kb.add(start, group), 1, code.noRange(),
                         [&](Value n, ValueRange range) { return code.buildValue(b, n, range); });
    code.storeRange(b, g, range);
  });
  op.erase();
  return success();
}

/// Inserts element `place` of `list` into the elements [begin, place) before it, which are sorted.
static void insertElement(KernelBuilder &kb, Type element, Value list, Value begin, Value place) {
  auto slot = [&](Value n) { return kb.at(element, list, n); };
  kb.loop(begin, place, 1, [&](Value n) {
    Value upper = kb.sub(kb.add(begin, place), n), lower = kb.add(upper, -1); // from the top down
    Value x = kb.load(element, slot(lower)), y = kb.load(element, slot(upper));
    kb.store(kb.min(x, y), slot(lower));
    kb.store(kb.max(x, y), slot(upper));
  });
}

LogicalResult cpu::expandSortLists(xft::SortListsOp op, KernelBuilder &kb) {
  View offsets = View::of(kb, op.getOffsets()), columns = View::of(kb, op.getColumns()), to = View::of(kb, op.getTo());
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value row) {
    auto [begin, end] = buildListBounds(kb, offsets, row, columns.sizes[0]);
    kb.loop(begin, end, 1, [&](Value n) {
      Value x = kb.load(columns.element, columns.at(kb, n));
      kb.store(x, to.at(kb, n));
      Value before = kb.load(columns.element, to.at(kb, kb.max(kb.add(n, -1), begin)));
      kb.ifThen(kb.compare(slt, x, before), [&] { insertElement(kb, columns.element, to.pointer, begin, n); });
    });
  });
  op.erase();
  return success();
}
