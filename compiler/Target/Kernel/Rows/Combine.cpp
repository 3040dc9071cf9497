//===- Combine.cpp - Combination of partial results -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/Combine.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;
using xft::Combiner;

Value kernel::combinerIdentity(KernelBuilder &kb, Combiner combiner, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element))
    return kb.real(type, combiner == Combiner::add ? 0.0 : -std::numeric_limits<double>::infinity());
  return kb.integerOf(type, combiner == Combiner::add ? 0 : llvm::minIntN(element.getIntOrFloatBitWidth()));
}

/// Returns the larger of x and y, or NaN if either is NaN. vmaxps returns its second operand if one operand is NaN. So
/// only a NaN in the first operand needs a select.
static Value largerOrNan(KernelBuilder &kb, Value x, Value y) {
  if (kb.machine.hasMaximum() && getElementTypeOrSelf(x).isF32()) // one instruction
    return LLVM::MaximumOp::create(kb.b, kb.loc, x, y);
  Value greater = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OGT, x, y);
  Value larger = kb.select(greater, x, y);
  return kb.select(arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNO, x, x), x, larger);
}

Value kernel::combine(KernelBuilder &kb, Combiner combiner, Value x, Value y) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(x));
  if (combiner == Combiner::add)
    return isFloat ? kb.addf(x, y) : Value(arith::AddIOp::create(kb.b, kb.loc, x, y));
  return isFloat ? largerOrNan(kb, x, y) : Value(arith::MaxSIOp::create(kb.b, kb.loc, x, y));
}

Value kernel::combineLanes(KernelBuilder &kb, Combiner combiner, Value vector) {
  while (true) {
    auto type = cast<VectorType>(vector.getType());
    int64_t half = type.getNumElements() / 2;
    if (half == 0)
      return vector::ExtractOp::create(kb.b, kb.loc, vector, ArrayRef<int64_t>{0});
    SmallVector<int64_t> lower = llvm::to_vector(llvm::seq<int64_t>(0, half));
    SmallVector<int64_t> upper = llvm::to_vector(llvm::seq<int64_t>(half, 2 * half));
    Value first = vector::ShuffleOp::create(kb.b, kb.loc, vector, vector, lower);
    Value second = vector::ShuffleOp::create(kb.b, kb.loc, vector, vector, upper);
    vector = combine(kb, combiner, first, second);
  }
}
