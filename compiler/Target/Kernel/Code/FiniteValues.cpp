//===- FiniteValues.cpp - Test for infinities and NaN ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/FiniteValues.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

Value kernel::buildFinite(KernelBuilder &kb, VectorType type, Value buffer, Value rows, int64_t registers) {
  Type real = type.getElementType();
  int64_t lanes = type.getNumElements(), chains = 4; // sums that do not wait for each other
  while (registers % chains)
    --chains;
  Value zero = kb.real(type, 0);
  SmallVector<Value> sums(chains, zero);
  sums = kb.loop(kb.integer(0), kb.mul(rows, registers * lanes), chains * lanes, sums, [&](Value n, ValueRange sums) {
    SmallVector<Value> next;
    for (auto [chain, sum] : llvm::enumerate(sums))
      next.push_back(kb.fma(kb.load(type, kb.at(real, kb.at(real, buffer, n), chain * lanes)), zero, sum));
    return next;
  });
  Value total = sums[0];
  for (Value sum : ArrayRef(sums).drop_front())
    total = kb.addf(total, sum);
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, kb.reduceAdd(total), kb.real(real, 0));
}
