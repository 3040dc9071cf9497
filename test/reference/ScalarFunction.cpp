//===- ScalarFunction.cpp - Regions of arith and math on scalars ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/ScalarFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

static bool isReal(Value value) { return isa<FloatType>(value.getType()); }
static unsigned widthOf(Value value) {
  return value.getType().isIndex() ? 64 : value.getType().getIntOrFloatBitWidth();
}

/// Scalars of at most 64 bits.
static bool isScalar(Type type) {
  return type.isIndex() || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64);
}

/// Ops without a row in the tables.
static bool isSpecial(Operation *op) {
  return isa<arith::ConstantOp, arith::CmpFOp, arith::CmpIOp, arith::SelectOp, arith::SIToFPOp, arith::UIToFPOp,
             arith::FPToSIOp, arith::ExtSIOp, tensor::ExtractOp>(op);
}

FailureOr<ScalarFunction> ScalarFunction::create(Block &body, unsigned result) {
  ScalarFunction function;
  DenseMap<Value, unsigned> slots; // of scalars: their value; of tensors: their number among the captures
  unsigned captures = 0;
  for (BlockArgument argument : body.getArguments())
    slots[argument] = isa<TensorType>(argument.getType()) ? captures++ : function.scalarArguments++;
  for (Operation &op : body.without_terminator()) {
    Step step{&op, findRealRule(op.getName().getStringRef()), findIntegerRule(op.getName().getStringRef())};
    bool isKnown = (step.real || step.integer || isSpecial(&op)) && isScalar(op.getResult(0).getType());
    if (!isKnown)
      return op.emitError("expected a scalar op that the reference interpreter knows, got '") << op.getName() << "'";
    step.operands = llvm::map_to_vector<3>(op.getOperands(), [&](Value value) { return slots[value]; });
    step.result = slots[op.getResult(0)] = function.scalarArguments + function.steps.size();
    function.steps.push_back(std::move(step));
  }
  function.yielded = slots[body.getTerminator()->getOperand(result)];
  function.values.resize(function.scalarArguments + function.steps.size());
  return function;
}

FailureOr<Scalar> ScalarFunction::evaluate(ArrayRef<Scalar> arguments, ArrayRef<const Tensor *> captures) {
  llvm::copy(arguments, values.begin());
  for (Step &step : steps) {
    FailureOr<Scalar> value = compute(step, captures);
    if (failed(value))
      return failure();
    values[step.result] = *value;
  }
  return values[yielded];
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static bool holds(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return unordered || a != b;
  }
  llvm_unreachable("all predicates are handled");
}

static bool holds(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return uint64_t(a) < uint64_t(b);
  case P::ule:
    return uint64_t(a) <= uint64_t(b);
  case P::ugt:
    return uint64_t(a) > uint64_t(b);
  case P::uge:
    return uint64_t(a) >= uint64_t(b);
  }
  llvm_unreachable("all predicates are handled");
}

static Scalar constant(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return {real.getValueAsDouble(), 0};
  auto integer = cast<IntegerAttr>(value);
  return {0, wrapTo(integer.getValue().getBitWidth(), integer.getValue().getSExtValue())};
}

static uint64_t zeroExtend(unsigned width, int64_t value) {
  return width == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << width) - 1);
}

/// Only i1 is not kept sign-extended.
static int64_t signExtend(Value source, int64_t value) { return source.getType().isInteger(1) ? -value : value; }

/// A score region may name any index for a pair that its pattern hides; it is evaluated for visible pairs alone.
FailureOr<Scalar> ScalarFunction::extract(Step &step, const Tensor &capture) {
  step.element = 0;
  for (auto [slot, size] : llvm::zip(ArrayRef(step.operands).drop_front(), capture.shape)) {
    int64_t index = values[slot].integer;
    if (index < 0 || index >= size)
      return step.op->emitError("expected an index in [0, ") << size << "), got " << index;
    step.element = step.element * size + index;
  }
  return capture.isReal() ? Scalar{capture.reals[step.element], 0} : Scalar{0, capture.integers[step.element]};
}

FailureOr<Scalar> ScalarFunction::compute(Step &step, ArrayRef<const Tensor *> captures) {
  Operation *op = step.op;
  auto in = [&](unsigned number) { return values[step.operands[number]]; };
  if (step.real) {
    double operands[3] = {};
    for (auto [operand, slot] : llvm::zip(operands, step.operands))
      operand = values[slot].real;
    double value = step.real->value(operands);
    return Scalar{isa<arith::TruncFOp>(op) ? roundTo(op->getResult(0).getType(), value) : value, 0};
  }
  if (step.integer) {
    int64_t operands[3] = {};
    for (auto [operand, slot, value] : llvm::zip(operands, step.operands, op->getOperands()))
      operand = step.integer->isUnsigned ? zeroExtend(widthOf(value), values[slot].integer) : values[slot].integer;
    return Scalar{0, wrapTo(widthOf(op->getResult(0)), step.integer->value(operands))};
  }
  unsigned width = op->getNumOperands() ? widthOf(op->getResult(0)) : 0;
  return TypeSwitch<Operation *, FailureOr<Scalar>>(op)
      .Case([&](arith::ConstantOp op) { return constant(op.getValue()); })
      .Case([&](arith::CmpFOp op) { return Scalar{0, holds(op.getPredicate(), in(0).real, in(1).real)}; })
      .Case([&](arith::CmpIOp op) { return Scalar{0, holds(op.getPredicate(), in(0).integer, in(1).integer)}; })
      .Case([&](arith::SelectOp) { return in(0).integer ? in(1) : in(2); })
      .Case([&](arith::SIToFPOp op) { return Scalar{double(signExtend(op.getIn(), in(0).integer)), 0}; })
      .Case([&](arith::UIToFPOp op) { return Scalar{double(zeroExtend(widthOf(op.getIn()), in(0).integer)), 0}; })
      .Case([&](arith::FPToSIOp) { return Scalar{0, truncateTo(width, in(0).real)}; })
      .Case([&](arith::ExtSIOp op) { return Scalar{0, signExtend(op.getIn(), in(0).integer)}; })
      .Case([&](tensor::ExtractOp) { return extract(step, *captures[step.operands[0]]); })
      .Default([](Operation *) { return failure(); });
}

//===----------------------------------------------------------------------===//
// Derivatives
//===----------------------------------------------------------------------===//

ArrayRef<double> ScalarFunction::differentiate(double cotangent, MutableArrayRef<Tensor> captures) {
  cotangents.assign(values.size(), 0.0);
  cotangents[yielded] = cotangent;
  for (const Step &step : llvm::reverse(steps))
    if (cotangents[step.result] != 0) // or what a select left out would be observable, as 0 times infinity
      reverse(step, captures);
  return ArrayRef(cotangents).take_front(scalarArguments);
}

void ScalarFunction::reverse(const Step &step, MutableArrayRef<Tensor> captures) {
  double cotangent = cotangents[step.result], operands[3] = {};
  if (step.real) {
    for (auto [operand, slot] : llvm::zip(operands, step.operands))
      operand = values[slot].real;
    for (auto [slot, slope] : llvm::zip(step.operands, step.real->slopes))
      cotangents[slot] += passBack(cotangent, slope(operands, values[step.result].real));
    return;
  }
  if (!isReal(step.op->getResult(0)))
    return;
  if (isa<arith::SelectOp>(step.op))
    cotangents[step.operands[values[step.operands[0]].integer ? 1 : 2]] += cotangent;
  if (isa<tensor::ExtractOp>(step.op))
    captures[step.operands[0]].reals[step.element] += cotangent;
}
