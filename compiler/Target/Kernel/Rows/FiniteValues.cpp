//===- FiniteValues.cpp - Test for infinities and NaN ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/FiniteValues.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

Value kernel::buildFinite(KernelBuilder &kb, const ProductForm &form, Value buffer, Value rows, int64_t registers) {
  VectorType type = form.operands(kb);
  Type element = form.packed;
  int64_t lanes = kb.machine.lanes(form.sum), size = type.getNumElements();
  int64_t chains = 4; // sums that do not wait for each other
  while (registers % chains)
    --chains;
  Value zeros = kb.real(type, 0);
  SmallVector<Value> sums(chains, kb.real(form.sums(kb), 0));
  sums = kb.loop(kb.integer(0), kb.mul(rows, registers * lanes), chains * size, sums, [&](Value n, ValueRange sums) {
    SmallVector<Value> next;
    for (auto [chain, sum] : llvm::enumerate(sums)) {
      Value x = form.loadRight(kb, kb.at(element, kb.at(element, buffer, n), chain * size));
      next.push_back(form.emit(kb, x, zeros, sum));
    }
    return next;
  });
  Value total = sums[0];
  for (Value sum : ArrayRef(sums).drop_front())
    total = kb.addf(total, sum);
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, kb.reduceAdd(total), kb.real(form.sum, 0));
}
