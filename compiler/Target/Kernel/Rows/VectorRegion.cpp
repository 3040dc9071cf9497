//===- VectorRegion.cpp - Element regions on registers --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectorizes a region of scalar ops:
//
// Before:
//   ^bb0(%x: f32, %bias: f32):  %y = arith.addf %x, %bias : f32   xft.yield %y : f32
// After:
//   %y = arith.addf %x, %bias : vector<8xf32>
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Rows/VectorRegion.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Code/VectorMath.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

/// Allows LLVM to contract `op` and the product or sum beside it to a fused multiply-add, which rounds once.
static void allowFusedMultiplyAdd(Operation *op) {
  if (!isa<arith::MulFOp, arith::AddFOp, arith::SubFOp>(op))
    return;
  auto arithmetic = cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlags flags = arithmetic.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::contract;
  op->setAttr(arithmetic.getFastMathAttrName(), arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

namespace {
/// Clones ops with every scalar type T replaced by vector<lanes x T>.
class RegisterCloner {
public:
  RegisterCloner(int64_t lanes, KernelBuilder &kb, const IRMapping &captured)
      : lanes(lanes), kb(kb), registers(captured) {}

  Value asRegister(Value value) { return isa<VectorType>(value.getType()) ? value : kb.broadcast(value, lanes); }

  void map(Value scalar, Value value) { registers.map(scalar, asRegister(value)); }

  Value lookup(Value scalar) {
    if (Value value = registers.lookupOrNull(scalar))
      return value;
    map(scalar, scalar); // captured
    return registers.lookup(scalar);
  }

  void clone(Operation &op) {
    Value result = build(op);
    registers.map(op.getResult(0), result);
  }

private:
  Value build(Operation &op) {
    Type type = kb.vector(op.getResult(0).getType(), lanes);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return kb.constant(DenseElementsAttr::get(cast<VectorType>(type), Attribute(constant.getValue())));
    SmallVector<Value> operands = llvm::map_to_vector(op.getOperands(), [&](Value x) { return lookup(x); });
    if (isa<arith::ExtFOp, arith::TruncFOp>(op))
      return convertFloat(kb, operands[0], op.getResult(0).getType(), Subnormals::kept);
    if (isa<math::MathDialect>(op.getDialect()))
      if (Value value = buildMath(kb, &op, operands))
        return value;
    OperationState state(kb.loc, op.getName(), operands, type, op.getAttrs());
    Operation *copy = kb.b.create(state);
    allowFusedMultiplyAdd(copy);
    return copy->getResult(0);
  }

  int64_t lanes;
  KernelBuilder &kb;
  IRMapping registers;
};
} // namespace

SmallVector<Value> kernel::vectorize(Block &block, ValueRange arguments, int64_t lanes, KernelBuilder &kb,
                                     const IRMapping &captured) {
  RegisterCloner cloner(lanes, kb, captured);
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    cloner.map(argument, value);
  for (Operation &op : block.without_terminator())
    cloner.clone(op);
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value x) { return cloner.lookup(x); });
}
