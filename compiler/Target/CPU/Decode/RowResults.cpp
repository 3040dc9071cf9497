//===- RowResults.cpp - The results of a row of attention -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/RowResults.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

RowResults::RowResults(KernelBuilder &kb, const Buffers &buffers, ArrayRef<Value> index, Value l, Value normalizer)
    : kb(kb), o(buffers.o), lse(buffers.lse), kept(buffers.kept), index(index), l(l) {
  seen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, l, kb.real(l.getType(), 0));
  inverse = kb.divf(kb.real(l.getType(), 1), normalizer);
}

void RowResults::storeColumns(Value column, Value sums) {
  auto type = cast<VectorType>(sums.getType());
  Value scaled = kb.mulf(sums, kb.broadcast(inverse, type.getNumElements()));
  Value normalized = kb.select(seen, scaled, kb.real(type, 0)); // an empty row is +0, not 0/0
  Type stored = cast<MemRefType>(o.getType()).getElementType();
  storeRegister(kb, normalized, stored, kb.at(stored, rowOf(o), column));
  if (kept.size() > 2)
    kb.store(normalized, kb.at(type.getElementType(), rowOf(kept[2]), column));
}

void RowResults::storeSums(Value m) {
  if (!lse && kept.empty())
    return;
  double infinity = std::numeric_limits<double>::infinity();
  Type real = m.getType();
  Value logarithm = buildLog(kb, l);
  if (!kept.empty()) {
    // A row whose scores are all NaN has no largest one, but is not empty.
    Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, kb.real(real, -infinity));
    Value largest = kb.select(isNone, kb.real(real, 0), m);
    kb.store(kb.select(seen, largest, kb.real(real, -infinity)), rowOf(kept[0]));
    kb.store(kb.select(seen, logarithm, kb.real(real, 0)), rowOf(kept[1]));
  }
  if (!lse)
    return;
  Type element = cast<MemRefType>(lse.getType()).getElementType();
  Value sum = kb.addf(convertFloat(kb, m, element), convertFloat(kb, logarithm, element));
  kb.store(kb.select(seen, sum, kb.real(element, -infinity)), rowOf(lse));
}
