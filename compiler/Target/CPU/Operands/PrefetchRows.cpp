//===- PrefetchRows.cpp - Software prefetch of rows -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/PrefetchRows.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

void PrefetchRows::start(KernelBuilder &kb) const { kb.store(kb.integer(0), done); }

void PrefetchRows::prefetch(Value number) const {
  for (const Matrix &matrix : matrices) {
    KernelBuilder &kb = matrix.rows.kb;
    matrix.rows.prefetch(kb.min(kb.add(matrix.first, number), kb.add(matrix.rows.end, -1)));
  }
}

void PrefetchRows::build(KernelBuilder &kb) const {
  if (matrices.empty())
    return;
  Value number = kb.load(kb.i64(), done);
  kb.ifThen(kb.compare(arith::CmpIPredicate::slt, number, count), [&] {
    prefetch(number);
    kb.store(kb.add(number, 1), done);
  });
}

void PrefetchRows::buildUpTo(KernelBuilder &kb, Value limit) const {
  if (matrices.empty())
    return;
  Value number = kb.load(kb.i64(), done), end = kb.min(limit, count);
  kb.ifThen(kb.compare(arith::CmpIPredicate::slt, number, end), [&] {
    kb.loop(number, end, 1, [&](Value row) { prefetch(row); });
    kb.store(end, done);
  });
}
