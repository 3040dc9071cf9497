//===- ScalarGradient.cpp - Derivatives of scalar code --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/ScalarGradient.h"
#include "compiler/Gradient/ScalarExpression.h"
#include <numbers>

using namespace mlir;
using namespace mlir::xf;

using Adjoint = ScalarAdjoint;
using Predicate = arith::CmpFPredicate;

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// Gives the whole cotangent to the operand that a maximum or minimum has chosen. If the second operand is a constant,
/// the first operand is chosen only if the comparison `strictly` holds, so the constant wins ties. Otherwise, the first
/// operand is chosen if it equals the result. A NaN operand equals nothing and is not chosen, as in maxnum.
static void chosen(Adjoint &a, Predicate strictly) {
  Value first = a.x(1).isConstant() ? a.x(0).compare(strictly, a.x(1)) : a.r.compare(Predicate::OEQ, a.x(0));
  a.give(0, a.g.select(first, a.zero()));
  a.give(1, a.zero().select(first, a.g));
}

/// Differentiates r = a^b: dr = b a^(b - 1) da + r log(a) db. The first term is 0 where b is 0. The second is 0 where r
/// is 0, and at 0^0; it is -inf at 0^b with b < 0.
static void power(Adjoint &a) {
  Expression base = a.x(0), exponent = a.x(1);
  Expression slope = exponent * base.binary<math::PowFOp>(exponent - 1.0);
  a.give(0, a.times(base.number(0.0).select(exponent.compare(Predicate::OEQ, 0.0), slope)));
  Expression growth = a.r * base.apply<math::LogOp>();
  Expression zero = base.number(0.0), above = zero.select(base.compare(Predicate::OEQ, 0.0), growth);
  Expression here = above.select(exponent.compare(Predicate::OEQ, 0.0), growth);
  a.give(1, a.times(zero.select(a.r.compare(Predicate::OEQ, 0.0), here)));
}

static void magnitude(Adjoint &a) {
  Value positive = a.x(0).compare(Predicate::OGT, 0.0), negative = a.x(0).compare(Predicate::OLT, 0.0);
  a.give(0, a.g.select(positive, (-a.g).select(negative, a.zero())));
}

static void choice(Adjoint &a) {
  a.give(1, a.g.select(a.condition(0), a.zero()));
  a.give(2, a.zero().select(a.condition(0), a.g));
}

static void product(Adjoint &a) {
  a.give(0, a.times(a.x(1)));
  a.give(1, a.times(a.x(0)));
}

static void quotient(Adjoint &a) {
  a.give(0, a.over(a.x(1)));
  a.give(1, a.times(-(a.r / a.x(1))));
}

static void productAndSum(Adjoint &a) {
  product(a);
  a.give(2, a.g);
}

/// Differentiates the angle of the point (x, y): dr = (x dy - y dx) / (x^2 + y^2). Divides by the larger coordinate
/// first, so that squares neither overflow nor vanish. The derivative is 0 at the origin, as in torch.
static void angle(Adjoint &a) {
  Expression y = a.x(0), x = a.x(1);
  Expression large = x.apply<math::AbsFOp>().binary<arith::MaximumFOp>(y.apply<math::AbsFOp>());
  Expression u = x / large, v = y / large, norm = (u * u + v * v) * large;
  Value isOrigin = large.compare(Predicate::OEQ, 0.0);
  a.give(0, a.times(a.zero().select(isOrigin, u / norm)));
  a.give(1, a.times(a.zero().select(isOrigin, -(v / norm))));
}

/// Differentiates a function whose derivative is factor e^(-x^2).
static void bell(Adjoint &a, double factor) { a.give(0, a.times((-(a.x(0) * a.x(0))).apply<math::ExpOp>() * factor)); }

/// Builds sqrt(1 - x^2) as sqrt((1 - x) (x + 1)), which is accurate near 1 and -1.
static Expression complement(Adjoint &a) { return ((1.0 - a.x(0)) * (a.x(0) + 1.0)).apply<math::SqrtOp>(); }

static void conversion(Adjoint &a) { a.give(0, a.g.convert(a.x(0).getType())); }

namespace {
struct Row {
  StringLiteral op;
  void (*differentiate)(Adjoint &);
};
} // namespace

// g is the cotangent of the result r, x(n) the operands.
static constexpr Row table[] = {
    {"arith.addf", [](Adjoint &a) { a.give(0, a.g), a.give(1, a.g); }},
    {"arith.subf", [](Adjoint &a) { a.give(0, a.g), a.give(1, -a.g); }},
    {"arith.mulf", product},
    {"arith.divf", quotient},
    {"arith.negf", [](Adjoint &a) { a.give(0, -a.g); }},
    {"arith.maximumf", [](Adjoint &a) { chosen(a, Predicate::OGT); }},
    {"arith.maxnumf", [](Adjoint &a) { chosen(a, Predicate::OGT); }},
    {"arith.minimumf", [](Adjoint &a) { chosen(a, Predicate::OLT); }},
    {"arith.minnumf", [](Adjoint &a) { chosen(a, Predicate::OLT); }},
    {"arith.select", choice},
    {"arith.extf", conversion},
    {"arith.truncf", conversion},
    {"math.fma", productAndSum},
    {"math.absf", magnitude},
    {"math.exp", [](Adjoint &a) { a.give(0, a.times(a.r)); }},
    {"math.exp2", [](Adjoint &a) { a.give(0, a.times(a.r * std::numbers::ln2)); }},
    {"math.expm1", [](Adjoint &a) { a.give(0, a.times(a.r + 1.0)); }},
    {"math.log", [](Adjoint &a) { a.give(0, a.over(a.x(0))); }},
    {"math.log2", [](Adjoint &a) { a.give(0, a.over(a.x(0) * std::numbers::ln2)); }},
    {"math.log10", [](Adjoint &a) { a.give(0, a.over(a.x(0) * std::numbers::ln10)); }},
    {"math.log1p", [](Adjoint &a) { a.give(0, a.over(a.x(0) + 1.0)); }},
    {"math.tanh", [](Adjoint &a) { a.give(0, a.times(1.0 - a.r * a.r)); }},
    {"math.sqrt", [](Adjoint &a) { a.give(0, a.over(a.r * 2.0)); }},
    {"math.rsqrt", [](Adjoint &a) { a.give(0, a.times(a.r * a.r * a.r * -0.5)); }},
    {"math.powf", power},
    {"math.erf", [](Adjoint &a) { bell(a, 2.0 * std::numbers::inv_sqrtpi); }},
    {"math.erfc", [](Adjoint &a) { bell(a, -2.0 * std::numbers::inv_sqrtpi); }},
    {"math.sin", [](Adjoint &a) { a.give(0, a.times(a.x(0).apply<math::CosOp>())); }},
    {"math.cos", [](Adjoint &a) { a.give(0, a.times(-a.x(0).apply<math::SinOp>())); }},
    {"math.tan", [](Adjoint &a) { a.give(0, a.times(a.r * a.r + 1.0)); }},
    {"math.asin", [](Adjoint &a) { a.give(0, a.over(complement(a))); }},
    {"math.acos", [](Adjoint &a) { a.give(0, a.over(-complement(a))); }},
    {"math.atan2", angle},
    {"math.sinh", [](Adjoint &a) { a.give(0, a.times(a.x(0).apply<math::CoshOp>())); }},
    {"math.cosh", [](Adjoint &a) { a.give(0, a.times(a.x(0).apply<math::SinhOp>())); }},
    {"math.cbrt", [](Adjoint &a) { a.give(0, a.over(a.r * a.r * 3.0)); }},
    {"math.atan", [](Adjoint &a) { a.give(0, a.over(a.x(0) * a.x(0) + 1.0)); }},
    // Step functions: the derivative is zero wherever it exists.
    {"math.floor", [](Adjoint &) {}},
    {"math.ceil", [](Adjoint &) {}},
    {"math.trunc", [](Adjoint &) {}},
    {"math.round", [](Adjoint &) {}},
    {"math.roundeven", [](Adjoint &) {}},
};

static const Row *findRow(Operation *op) {
  StringRef name = op->getName().getStringRef();
  const Row *row = llvm::find_if(table, [&](const Row &candidate) { return candidate.op == name; });
  return row == std::end(table) ? nullptr : row;
}

//===----------------------------------------------------------------------===//
// The sweep
//===----------------------------------------------------------------------===//

namespace {
/// Walks over scalar code in reverse and accumulates the cotangents of its values.
class ScalarSweep {
public:
  ScalarSweep(OpBuilder &builder, ValueRange inputs) : builder(builder) {
    for (Value input : inputs)
      if (isa<FloatType>(input.getType()))
        active.insert(input);
  }

  /// Marks as active the values that depend on the inputs or, with `withExtracts`, on captured tensors.
  void findActive(ArrayRef<Operation *> ops, bool withExtracts) {
    for (Operation *op : ops) {
      bool reads = withExtracts && isa<tensor::ExtractOp>(op);
      if (op->getNumResults() == 1 && isa<FloatType>(op->getResult(0).getType()) &&
          (reads || llvm::any_of(op->getOperands(), [&](Value operand) { return active.contains(operand); })))
        active.insert(op->getResult(0));
    }
  }

  void accumulate(Value value, Value cotangent) {
    if (!cotangent || !active.contains(value))
      return;
    Value &sum = cotangents[value];
    sum = sum ? arith::AddFOp::create(builder, cotangent.getLoc(), sum, cotangent) : cotangent;
  }

  Value lookup(Value value) const { return cotangents.lookup(value); }

  LogicalResult differentiate(Operation *op, const IRMapping &forward, Value cotangent) {
    const Row *row = findRow(op);
    if (!row)
      return op->emitError("expected an op that has a derivative, got '") << op->getName() << "'";
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(forward.lookupOrDefault(operand));
    Adjoint adjoint(builder, op->getLoc(), operands, forward.lookupOrDefault(op->getResult(0)), cotangent);
    row->differentiate(adjoint);
    for (OpOperand &operand : op->getOpOperands())
      accumulate(operand.get(), adjoint.getShare(operand.getOperandNumber()));
    return success();
  }

private:
  OpBuilder &builder;
  DenseSet<Value> active;
  DenseMap<Value, Value> cotangents;
};
} // namespace

LogicalResult xf::buildScalarVjp(OpBuilder &builder, const ScalarOps &scalar, const IRMapping &forward,
                                 ValueRange cotangents, SmallVectorImpl<Value> &gradients,
                                 SmallVectorImpl<ExtractGradient> *extracts) {
  const auto &[ops, inputs, outputs] = scalar;
  ScalarSweep sweep(builder, inputs);
  sweep.findActive(ops, extracts);
  for (auto [output, cotangent] : llvm::zip_equal(outputs, cotangents))
    sweep.accumulate(output, cotangent);
  for (Operation *op : llvm::reverse(ops)) {
    Value cotangent = op->getNumResults() == 1 ? sweep.lookup(op->getResult(0)) : Value();
    if (!cotangent)
      continue;
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      extracts->push_back({extract, cotangent});
    else if (failed(sweep.differentiate(op, forward, cotangent)))
      return failure();
  }
  for (Value input : inputs)
    gradients.push_back(sweep.lookup(input));
  return success();
}

LogicalResult xf::buildScalarVjp(OpBuilder &builder, Block &body, const IRMapping &forward, ValueRange cotangents,
                                 SmallVectorImpl<Value> &gradients, SmallVectorImpl<ExtractGradient> *extracts) {
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  ScalarOps scalar{ops, body.getArguments(), body.getTerminator()->getOperands()};
  return buildScalarVjp(builder, scalar, forward, cotangents, gradients, extracts);
}
