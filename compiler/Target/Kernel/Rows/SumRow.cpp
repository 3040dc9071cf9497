//===- SumRow.cpp - Sums of the elements of a row by index ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/SumRow.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

void kernel::buildSumRow(KernelBuilder &kb, RowSpace &space, xft::SumRowOp op, Value row, Value thread,
                         int64_t threads) {
  RowAccess indices = space.access(op.getIndices(), row), x = space.access(op.getX(), row);
  RowAccess y = space.access(op.getY(), row);
  Value count = space.views[op.getX()].sizes.back(), last = kb.add(space.columns, -1);
  Value hasColumns = kb.compare(arith::CmpIPredicate::sgt, space.columns, kb.integer(0));
  count = kb.select(hasColumns, count, kb.integer(0)); // no index may reach other memory
  kb.loop(thread, space.columns, threads, [&](Value column) { y.storeElement(kb, kb.real(y.stored, 0), column); });
  kb.loop(kb.integer(0), count, 1, [&](Value n) {
    Value place = kb.at(indices.stored, indices.pointer, kb.mul(n, indices.stride));
    Value column = kb.clamp(kb.loadIndex(indices.stored, place), kb.integer(0), last);
    auto add = [&] { y.storeElement(kb, kb.addf(y.loadElement(kb, column), x.loadElement(kb, n)), column); };
    if (threads == 1)
      return add();
    kb.ifThen(kb.compare(arith::CmpIPredicate::eq, kb.floorMod(column, threads), thread), add);
  });
}
