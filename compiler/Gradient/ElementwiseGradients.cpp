//===- ElementwiseGradients.cpp - Gradients through the scalar form -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differentiates element-wise ops. The gradient of each operand is one xf.map, of the operands, the result and the
// cotangent of the result, followed by a sum over the dimensions that broadcasting repeated. The region of the map is
// the derivative of the op's scalar form. Only the ops in the table below have formulas of their own, which are
// cheaper, or safer at the ends of the number range.
//
//===----------------------------------------------------------------------===//

#include "compiler/Gradient/GradientModels.h"
#include "compiler/Gradient/ScalarExpression.h"
#include "compiler/Gradient/ScalarGradient.h"
#include "compiler/Gradient/TensorBuilders.h"
#include "dialects/xf/Ops/XfFunctionOps.h"
#include "mlir/IR/TypeUtilities.h"
#include <numbers>

using namespace mlir;
using namespace mlir::xf;

using Adjoint = ScalarAdjoint;

//===----------------------------------------------------------------------===//
// Closed forms: g is the cotangent of the result r, x(0) the operand
//===----------------------------------------------------------------------===//

static Expression sigmoid(const Expression &x) { return 1.0 / ((-x).apply<math::ExpOp>() + 1.0); }

/// Builds the derivative of x sigmoid(u) by x: s + (x s) (1 - s) slope, with s = sigmoid(u) and slope = du/dx.
/// Multiplies x by s first, because x s is finite for every finite x.
static Expression gated(const Expression &x, const Expression &u, const Expression &slope) {
  Expression s = sigmoid(u);
  return s + (x * s) * ((1.0 - s) * slope);
}

static void differentiate(NegOp, Adjoint &a) { a.give(0, -a.g); }
static void differentiate(ExpOp, Adjoint &a) { a.give(0, a.times(a.r)); }
static void differentiate(SqrtOp, Adjoint &a) { a.give(0, a.over(a.r * 2.0)); }
static void differentiate(RsqrtOp, Adjoint &a) { a.give(0, a.times(a.r * a.r * a.r * -0.5)); }
static void differentiate(TanhOp, Adjoint &a) { a.give(0, a.times(1.0 - a.r * a.r)); }
static void differentiate(SigmoidOp, Adjoint &a) { a.give(0, a.times(a.r * (1.0 - a.r))); }
static void differentiate(ReluOp, Adjoint &a) {
  a.give(0, a.g.select(a.r.compare(arith::CmpFPredicate::OGT, 0.0), a.zero()));
}
static void differentiate(SoftplusOp, Adjoint &a) { a.give(0, a.times(sigmoid(a.x(0)))); }
static void differentiate(StopGradientOp, Adjoint &) {} // no share
static void differentiate(SquareOp, Adjoint &a) { a.give(0, a.times(a.x(0) * 2.0)); }
static void differentiate(SiluOp, Adjoint &a) { a.give(0, a.times(gated(a.x(0), a.x(0), a.g.number(1.0)))); }

static void differentiate(GeluOp op, Adjoint &a) {
  Expression x = a.x(0);
  switch (op.getForm()) {
  case Gelu::k_sigmoid:
    return a.give(0, a.times(gated(x, x * 1.702, x.number(1.702))));
  case Gelu::k_erf: { // Phi(x) + x phi(x); densities below the smallest normal do not count
    Expression power = (x * x * -0.5).apply<math::ExpOp>(arith::FastMathFlags::afn);
    Expression density = power * (std::numbers::inv_sqrtpi / std::numbers::sqrt2);
    Expression cumulative = (x * (-1 / std::numbers::sqrt2)).apply<math::ErfcOp>() * 0.5;
    return a.give(0, a.times(cumulative + x * density));
  }
  case Gelu::k_tanh: { // x sigmoid(2 u); beyond 30 the sigmoid is 0 or 1 in every type, so the slope may stop there
    Expression near = x.binary<arith::MaximumFOp>(x.number(-30.0)).binary<arith::MinimumFOp>(x.number(30.0));
    Expression square = near * near;
    double scale = 2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    Expression u = near * (square * (0.044715 * scale) + scale), slope = square * (3 * 0.044715 * scale) + scale;
    return a.give(0, a.times(gated(x, u, slope)));
  }
  }
}

/// Differentiates an op that has no closed form (no overload of `differentiate`) by a reverse sweep over its scalar
/// form.
template <typename OpTy>
struct ScalarForm {
  static LogicalResult build(OpTy op, OpBuilder &builder, ValueRange scalars, Value cotangent,
                             SmallVectorImpl<Value> &shares) {
    Block *block = builder.getInsertionBlock();
    Value element = op.buildScalar(builder, op.getLoc(), scalars);
    SmallVector<Operation *> ops;
    for (Operation &scalarOp : *block)
      ops.push_back(&scalarOp);
    return buildScalarVjp(builder, {ops, scalars, element}, IRMapping(), cotangent, shares);
  }
};

/// Whether the gradient of OpTy has constants that 16-bit floats cannot represent. If so, it is computed in f32.
template <typename OpTy>
constexpr bool hasConstants = std::is_same_v<OpTy, GeluOp> || std::is_same_v<OpTy, ErfOp> ||
                              std::is_same_v<OpTy, Log2Op> || std::is_same_v<OpTy, Log10Op>;

/// Converts x to `type`. The conversion need not round: it only marks in which type later ops compute, and code after
/// it may keep more digits.
static Value convertFreely(OpBuilder &builder, Value x, Type type) {
  auto flags = arith::FastMathFlagsAttr::get(builder.getContext(), arith::FastMathFlags::contract);
  if (x.getType() == type)
    return x;
  if (x.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, x.getLoc(), type, x, flags);
  return arith::TruncFOp::create(builder, x.getLoc(), type, x, arith::RoundingModeAttr(), flags);
}

template <typename OpTy>
concept HasClosedForm = requires(OpTy op, Adjoint &adjoint) { differentiate(op, adjoint); };

template <typename OpTy>
static LogicalResult buildShares(OpTy op, OpBuilder &builder, ValueRange scalars, Value result, Value cotangent,
                                 SmallVectorImpl<Value> &shares) {
  if constexpr (HasClosedForm<OpTy>) {
    Adjoint adjoint(builder, op.getLoc(), scalars, result, cotangent);
    differentiate(op, adjoint);
    for (unsigned operand = 0; operand < scalars.size(); ++operand)
      shares.push_back(adjoint.getShare(operand));
    return success();
  } else {
    return ScalarForm<OpTy>::build(op, builder, scalars, cotangent, shares);
  }
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct ElementwiseModel : DifferentiableOpInterface::ExternalModel<ElementwiseModel<OpTy>, OpTy> {
  LogicalResult buildVjp(Operation *base, OpBuilder &builder, ValueRange cotangents,
                         MutableArrayRef<Value> gradients) const {
    auto op = cast<OpTy>(base);
    SmallVector<Value> inputs(op->getOperands());
    inputs.append({op->getResult(0), cotangents[0]});
    for (OpOperand &operand : op->getOpOperands()) {
      RankedTensorType type = tensorType(operand.get());
      if (!isa<FloatType>(type.getElementType()))
        continue;
      LogicalResult built = success();
      auto body = [&](OpBuilder &inside, ValueRange scalars) -> Value {
        SmallVector<Value> wide(scalars), shares;
        if (hasConstants<OpTy> && type.getElementTypeBitWidth() == 16)
          for (Value &scalar : wide)
            scalar = convertFreely(inside, scalar, inside.getF32Type());
        ValueRange operands = ValueRange(wide).drop_back(2);
        built = buildShares(op, inside, operands, wide[wide.size() - 2], wide.back(), shares);
        Value share = succeeded(built) ? shares[operand.getOperandNumber()] : Value();
        return share && share.getType() != type.getElementType() ? convertFreely(inside, share, type.getElementType())
                                                                 : share;
      };
      RankedTensorType whole = tensorType(op->getResult(0)).clone(type.getElementType());
      Value gradient = buildMap(builder, op.getLoc(), inputs, whole, body);
      if (failed(built))
        return failure();
      if (gradient)
        gradients[operand.getOperandNumber()] = buildUnbroadcast(builder, op.getLoc(), gradient, type);
    }
    return success();
  }
};
} // namespace

/// Attaches ElementwiseModel to those ops of the list that are element-wise. Leaves out comparisons, because booleans
/// have no gradient.
template <typename... OpTys>
static void attachWhereElementwise(MLIRContext &context) {
  auto attach = [&]<typename OpTy>() {
    if constexpr (OpTy::template hasTrait<ElementwiseOpInterface::Trait>() && !std::is_same_v<OpTy, CompareOp>)
      OpTy::template attachInterface<ElementwiseModel<OpTy>>(context);
  };
  (attach.template operator()<OpTys>(), ...);
}

void xf::attachElementwiseGradients(MLIRContext &context) {
  attachWhereElementwise<
#define GET_OP_LIST
#include "dialects/xf/IR/XfOps.cpp.inc"
      >(context);
  attachWhereElementwise<
#define GET_OP_LIST
#include "dialects/xf/IR/XfFunctionOps.cpp.inc"
      >(context);
}
