//===- ElementwiseRules.cpp - One element from the same elements ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfFunctionOps.h"
#include "test/reference/Rules.h"
#include "test/reference/ScalarFunction.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

/// The shape that numpy's broadcasting gives.
static SmallVector<int64_t> broadcast(ArrayRef<const Tensor *> operands) {
  SmallVector<int64_t> shape;
  for (const Tensor *operand : operands) {
    while (shape.size() < operand->shape.size())
      shape.insert(shape.begin(), 1);
    for (int64_t d = 1; d <= operand->rank(); ++d)
      if (int64_t size = operand->shape[operand->rank() - d]; size != 1)
        shape[shape.size() - d] = size;
  }
  return shape;
}

/// Dynamic sizes are known only now: fails where they do not broadcast.
static FailureOr<SmallVector<int64_t>> broadcastOperands(Operation *op, const Frame &frame) {
  SmallVector<const Tensor *> operands = llvm::map_to_vector(op->getOperands(), [&](Value v) { return &frame[v]; });
  SmallVector<int64_t> shape = broadcast(operands);
  for (const Tensor *operand : operands)
    for (int64_t d = 1; d <= operand->rank(); ++d) {
      int64_t size = operand->shape[operand->rank() - d], outer = shape[shape.size() - d];
      if (size != 1 && size != outer)
        return op->emitError("expected sizes that broadcast, got ") << size << " and " << outer;
    }
  return shape;
}

static Type elementType(Value value) { return cast<RankedTensorType>(value.getType()).getElementType(); }

//===----------------------------------------------------------------------===//
// One operand: value and slope
//===----------------------------------------------------------------------===//

using Value1 = double (*)(double x);
using Slope1 = double (*)(double x, double y);

template <typename OpTy>
static void addUnary(Rules &rules, Value1 value, Slope1 slope) {
  rules.add<OpTy>(
      [value](OpTy op, Frame &frame) {
        Tensor y = frame[op.getX()];
        for (double &element : y.reals)
          element = value(element);
        frame.set(op.getY(), y);
      },
      [slope](OpTy op, const Frame &frame, Cotangents &cotangents) {
        const Tensor &x = frame[op.getX()], &y = frame[op.getY()];
        Tensor dx = cotangents[op.getY()];
        for (int64_t n = 0; n < x.size(); ++n)
          dx.reals[n] = passBack(dx.reals[n], slope(x.reals[n], y.reals[n]));
        cotangents.add(op.getX(), dx);
      });
}

static double sigmoid(double x) { return x >= 0 ? 1 / (1 + std::exp(-x)) : std::exp(x) / (1 + std::exp(x)); }
static double gaussian(double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }

static void addUnaryRules(Rules &rules) {
  addUnary<NegOp>(rules, [](double x) { return -x; }, [](double, double) { return -1.0; });
  addUnary<ExpOp>(rules, [](double x) { return std::exp(x); }, [](double, double y) { return y; });
  addUnary<LogOp>(rules, [](double x) { return std::log(x); }, [](double x, double) { return 1 / x; });
  addUnary<SqrtOp>(rules, [](double x) { return std::sqrt(x); }, [](double, double y) { return 0.5 / y; });
  addUnary<RsqrtOp>(rules, [](double x) { return 1 / std::sqrt(x); }, [](double x, double y) { return -0.5 * y / x; });
  addUnary<TanhOp>(rules, [](double x) { return std::tanh(x); }, [](double, double y) { return 1 - y * y; });
  addUnary<SigmoidOp>(rules, sigmoid, [](double, double y) { return y * (1 - y); });
  addUnary<ErfOp>(
      rules, [](double x) { return std::erf(x); },
      [](double x, double) { return 2 / std::sqrt(M_PI) * std::exp(-x * x); });
  addUnary<AbsOp>(
      rules, [](double x) { return std::fabs(x); },
      [](double x, double) { return x == 0 ? 0 : std::copysign(1.0, x); });
  addUnary<SquareOp>(rules, [](double x) { return x * x; }, [](double x, double) { return 2 * x; });
  addUnary<SinOp>(rules, [](double x) { return std::sin(x); }, [](double x, double) { return std::cos(x); });
  addUnary<CosOp>(rules, [](double x) { return std::cos(x); }, [](double x, double) { return -std::sin(x); });
  addUnary<FloorOp>(rules, [](double x) { return std::floor(x); }, [](double, double) { return 0.0; });
  addUnary<CeilOp>(rules, [](double x) { return std::ceil(x); }, [](double, double) { return 0.0; });
  addUnary<RoundOp>(rules, [](double x) { return std::nearbyint(x); }, [](double, double) { return 0.0; });
  addUnary<TanOp>(rules, [](double x) { return std::tan(x); }, [](double, double y) { return 1 + y * y; });
  addUnary<AsinOp>(
      rules, [](double x) { return std::asin(x); }, [](double x, double) { return 1 / std::sqrt((1 - x) * (1 + x)); });
  addUnary<AcosOp>(
      rules, [](double x) { return std::acos(x); }, [](double x, double) { return -1 / std::sqrt((1 - x) * (1 + x)); });
  addUnary<AtanOp>(rules, [](double x) { return std::atan(x); }, [](double x, double) { return 1 / (1 + x * x); });
  addUnary<SinhOp>(rules, [](double x) { return std::sinh(x); }, [](double x, double) { return std::cosh(x); });
  addUnary<CoshOp>(rules, [](double x) { return std::cosh(x); }, [](double x, double) { return std::sinh(x); });
  addUnary<CbrtOp>(rules, [](double x) { return std::cbrt(x); }, [](double, double y) { return 1 / (3 * y * y); });
  addUnary<Log10Op>(rules, [](double x) { return std::log10(x); }, [](double x, double) { return 1 / (M_LN10 * x); });
  addUnary<Log2Op>(rules, [](double x) { return std::log2(x); }, [](double x, double) { return 1 / (M_LN2 * x); });
  addUnary<Log1pOp>(rules, [](double x) { return std::log1p(x); }, [](double x, double) { return 1 / (1 + x); });
  addUnary<Expm1Op>(rules, [](double x) { return std::expm1(x); }, [](double, double y) { return y + 1; });
  addUnary<SoftplusOp>(
      rules, [](double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); },
      [](double x, double) { return sigmoid(x); });
  addUnary<StopGradientOp>(rules, [](double x) { return x; }, [](double, double) { return 0.0; });
  addUnary<ReluOp>(
      rules, [](double x) { return x > 0 || std::isnan(x) ? x : 0.0; },
      [](double x, double) { return x > 0 ? 1.0 : 0.0; });
  addUnary<SiluOp>(
      rules, [](double x) { return x * sigmoid(x); },
      [](double x, double y) { return sigmoid(x) + y * (1 - sigmoid(x)); });
}

//===----------------------------------------------------------------------===//
// gelu
//===----------------------------------------------------------------------===//

/// 2u with 0.5 (1 + tanh u) = sigmoid(2u), in which nothing cancels.
static double geluAngle(double x) { return 2 * std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x); }

static double gelu(Gelu form, double x) {
  switch (form) {
  case Gelu::k_tanh:
    return x * sigmoid(geluAngle(x));
  case Gelu::k_erf:
    return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
  case Gelu::k_sigmoid:
    return x * sigmoid(1.702 * x);
  }
  llvm_unreachable("all forms are handled");
}

static double geluSlope(Gelu form, double x) {
  switch (form) {
  case Gelu::k_tanh: {
    double share = sigmoid(geluAngle(x));
    if (share == 0 || share == 1) // flat, also where x^2 is infinite
      return share;
    return share + x * share * (1 - share) * 2 * std::sqrt(2 / M_PI) * (1 + 3 * 0.044715 * x * x);
  }
  case Gelu::k_erf:
    return 0.5 * std::erfc(-x / std::sqrt(2.0)) + x * gaussian(x);
  case Gelu::k_sigmoid: {
    double s = sigmoid(1.702 * x);
    return s + 1.702 * x * s * (1 - s);
  }
  }
  llvm_unreachable("all forms are handled");
}

static void evaluateGelu(GeluOp op, Frame &frame) {
  Tensor y = frame[op.getX()];
  for (double &element : y.reals)
    element = gelu(op.getForm(), element);
  frame.set(op.getY(), y);
}

static void differentiateGelu(GeluOp op, const Frame &frame, Cotangents &cotangents) {
  Tensor dx = cotangents[op.getY()];
  for (auto [cotangent, x] : llvm::zip(dx.reals, frame[op.getX()].reals))
    cotangent = passBack(cotangent, geluSlope(op.getForm(), x));
  cotangents.add(op.getX(), dx);
}

//===----------------------------------------------------------------------===//
// Two operands: value on reals, value on integers, both slopes
//===----------------------------------------------------------------------===//

using Value2 = double (*)(double a, double b);
using Integer2 = int64_t (*)(int64_t a, int64_t b);
using Slope2 = double (*)(double a, double b, double y);

template <typename OpTy>
static LogicalResult evaluateBinary(OpTy op, Frame &frame, Value2 value, Integer2 integer) {
  const Tensor &a = frame[op.getA()], &b = frame[op.getB()];
  FailureOr<SmallVector<int64_t>> shape = broadcastOperands(op, frame);
  if (failed(shape))
    return failure();
  Tensor y = Tensor::zeros(elementType(op.getY()), *shape);
  for (int64_t n = 0; n < y.size(); ++n) {
    int64_t left = broadcastIndex(n, *shape, a.shape), right = broadcastIndex(n, *shape, b.shape);
    if (y.isReal())
      y.reals[n] = value(a.reals[left], b.reals[right]);
    else
      y.integers[n] = wrapTo(y.elementType.getIntOrFloatBitWidth(), integer(a.integers[left], b.integers[right]));
  }
  frame.set(op.getY(), y);
  return success();
}

template <typename OpTy>
static void addBinary(Rules &rules, Value2 value, Integer2 integer, Slope2 slopeA, Slope2 slopeB) {
  rules.add<OpTy>([=](OpTy op, Frame &frame) { return evaluateBinary(op, frame, value, integer); },
                  [=](OpTy op, const Frame &frame, Cotangents &cotangents) {
                    const Tensor &a = frame[op.getA()], &b = frame[op.getB()], &y = frame[op.getY()];
                    Tensor da = cotangents[op.getY()], db = da;
                    for (int64_t n = 0; n < y.size(); ++n) {
                      double left = a.reals[broadcastIndex(n, y.shape, a.shape)];
                      double right = b.reals[broadcastIndex(n, y.shape, b.shape)];
                      da.reals[n] = passBack(da.reals[n], slopeA(left, right, y.reals[n]));
                      db.reals[n] = passBack(db.reals[n], slopeB(left, right, y.reals[n]));
                    }
                    cotangents.add(op.getA(), sumTo(a.shape, da));
                    cotangents.add(op.getB(), sumTo(b.shape, db));
                  });
}

static int64_t wrappingAdd(int64_t a, int64_t b) { return uint64_t(a) + uint64_t(b); }
static int64_t wrappingSub(int64_t a, int64_t b) { return uint64_t(a) - uint64_t(b); }
static int64_t wrappingMul(int64_t a, int64_t b) { return uint64_t(a) * uint64_t(b); }
static double one(double, double, double) { return 1; }
static double minusOne(double, double, double) { return -1; }

/// The larger, NaN if either is; of equal ones the first has the gradient.
static double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }
static double smaller(double a, double b) { return std::isnan(a) || a <= b ? a : b; }

static void addBinaryRules(Rules &rules) {
  addBinary<AddOp>(rules, [](double a, double b) { return a + b; }, wrappingAdd, one, one);
  addBinary<SubOp>(rules, [](double a, double b) { return a - b; }, wrappingSub, one, minusOne);
  addBinary<MulOp>(
      rules, [](double a, double b) { return a * b; }, wrappingMul, [](double, double b, double) { return b; },
      [](double a, double, double) { return a; });
  addBinary<DivOp>(
      rules, [](double a, double b) { return a / b; }, nullptr, [](double, double b, double) { return 1 / b; },
      [](double, double b, double y) { return -y / b; });
  addBinary<MaximumOp>(
      rules, larger, [](int64_t a, int64_t b) { return std::max(a, b); },
      [](double a, double b, double) { return a >= b ? 1.0 : 0.0; },
      [](double a, double b, double) { return a >= b ? 0.0 : 1.0; });
  addBinary<MinimumOp>(
      rules, smaller, [](int64_t a, int64_t b) { return std::min(a, b); },
      [](double a, double b, double) { return a <= b ? 1.0 : 0.0; },
      [](double a, double b, double) { return a <= b ? 0.0 : 1.0; });
  addBinary<PowOp>(
      rules, [](double a, double b) { return std::pow(a, b); }, nullptr,
      [](double a, double b, double) { return b == 0 ? 0 : b * std::pow(a, b - 1); },
      [](double a, double b, double y) { return y == 0 || (a == 0 && b == 0) ? 0 : y * std::log(a); });
  addBinary<Atan2Op>(
      rules, [](double a, double b) { return std::atan2(a, b); }, nullptr,
      [](double a, double b, double) { return a == 0 && b == 0 ? 0 : std::cos(std::atan2(a, b)) / std::hypot(a, b); },
      [](double a, double b, double) { return a == 0 && b == 0 ? 0 : -std::sin(std::atan2(a, b)) / std::hypot(a, b); });
}

//===----------------------------------------------------------------------===//
// compare, where, cast
//===----------------------------------------------------------------------===//

template <typename Number>
static bool compares(Comparison kind, Number a, Number b) {
  switch (kind) {
  case Comparison::k_eq:
    return a == b;
  case Comparison::k_ne:
    return a != b;
  case Comparison::k_lt:
    return a < b;
  case Comparison::k_le:
    return a <= b;
  case Comparison::k_gt:
    return a > b;
  case Comparison::k_ge:
    return a >= b;
  }
  llvm_unreachable("all kinds are handled");
}

static LogicalResult evaluateCompare(CompareOp op, Frame &frame) {
  const Tensor &a = frame[op.getA()], &b = frame[op.getB()];
  FailureOr<SmallVector<int64_t>> shape = broadcastOperands(op, frame);
  if (failed(shape))
    return failure();
  Tensor y = Tensor::zeros(elementType(op.getY()), *shape);
  for (int64_t n = 0; n < y.size(); ++n) {
    int64_t left = broadcastIndex(n, *shape, a.shape), right = broadcastIndex(n, *shape, b.shape);
    y.integers[n] = a.isReal() ? compares(op.getKind(), a.reals[left], b.reals[right])
                               : compares(op.getKind(), a.integers[left], b.integers[right]);
  }
  frame.set(op.getY(), y);
  return success();
}

static LogicalResult evaluateWhere(WhereOp op, Frame &frame) {
  const Tensor &condition = frame[op.getCondition()];
  FailureOr<SmallVector<int64_t>> shape = broadcastOperands(op, frame);
  if (failed(shape))
    return failure();
  Tensor y = Tensor::zeros(elementType(op.getY()), *shape);
  for (int64_t n = 0; n < y.size(); ++n) {
    bool holds = condition.integers[broadcastIndex(n, *shape, condition.shape)] != 0;
    const Tensor &chosen = holds ? frame[op.getA()] : frame[op.getB()];
    int64_t element = broadcastIndex(n, *shape, chosen.shape);
    if (y.isReal())
      y.reals[n] = chosen.reals[element];
    else
      y.integers[n] = chosen.integers[element];
  }
  frame.set(op.getY(), y);
  return success();
}

static void differentiateWhere(WhereOp op, const Frame &frame, Cotangents &cotangents) {
  const Tensor &condition = frame[op.getCondition()];
  Tensor da = cotangents[op.getY()], db = da;
  for (int64_t n = 0; n < da.size(); ++n)
    (condition.integers[broadcastIndex(n, da.shape, condition.shape)] ? db : da).reals[n] = 0;
  cotangents.add(op.getA(), sumTo(frame[op.getA()].shape, da));
  cotangents.add(op.getB(), sumTo(frame[op.getB()].shape, db));
}

static void evaluateCast(CastOp op, Frame &frame) {
  const Tensor &x = frame[op.getX()];
  Tensor y = Tensor::zeros(elementType(op.getY()), x.shape);
  unsigned width = y.elementType.getIntOrFloatBitWidth();
  for (int64_t n = 0; n < x.size(); ++n) {
    if (y.isReal())
      y.reals[n] = roundTo(y.elementType, x.isReal() ? x.reals[n] : static_cast<double>(x.integers[n]));
    else if (width == 1)
      y.integers[n] = x.isReal() ? x.reals[n] != 0 : x.integers[n] != 0;
    else
      y.integers[n] = x.isReal() ? truncateTo(width, x.reals[n]) : wrapTo(width, x.integers[n]);
  }
  frame.set(op.getY(), y);
}

/// The cotangent of a rounding is passed on as it is.
static void differentiateCast(CastOp op, const Frame &frame, Cotangents &cotangents) {
  if (frame[op.getX()].isReal())
    cotangents.add(op.getX(), cotangents[op.getY()]);
}

//===----------------------------------------------------------------------===//
// map
//===----------------------------------------------------------------------===//

/// The scalars that the region reads for element `number` of the result.
static SmallVector<Scalar> scalarsAt(MapOp op, const Frame &frame, int64_t number, ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(op.getInputs(), [&](Value input) {
    const Tensor &x = frame[input];
    int64_t element = broadcastIndex(number, shape, x.shape);
    return x.isReal() ? Scalar{x.reals[element], 0} : Scalar{0, x.integers[element]};
  });
}

static LogicalResult evaluateMap(MapOp op, Frame &frame) {
  FailureOr<ScalarFunction> function = ScalarFunction::create(op.getBody().front());
  FailureOr<SmallVector<int64_t>> shape = broadcastOperands(op, frame);
  if (failed(function) || failed(shape))
    return failure();
  Tensor y = Tensor::zeros(elementType(op.getY()), *shape);
  for (int64_t n = 0; n < y.size(); ++n) {
    FailureOr<Scalar> value = function->evaluate(scalarsAt(op, frame, n, *shape), {});
    if (failed(value))
      return failure();
    if (y.isReal())
      y.reals[n] = value->real;
    else
      y.integers[n] = value->integer;
  }
  frame.set(op.getY(), y);
  return success();
}

static LogicalResult differentiateMap(MapOp op, const Frame &frame, Cotangents &cotangents) {
  FailureOr<ScalarFunction> function = ScalarFunction::create(op.getBody().front());
  if (failed(function))
    return failure();
  Tensor dy = cotangents[op.getY()];
  SmallVector<Tensor> gradients =
      llvm::map_to_vector(op.getInputs(), [&](Value v) { return Tensor::zerosLike(frame[v]); });
  for (int64_t n = 0; n < dy.size(); ++n) {
    if (failed(function->evaluate(scalarsAt(op, frame, n, dy.shape), {})))
      return failure();
    ArrayRef<double> slopes = function->differentiate(dy.reals[n], {});
    for (auto [gradient, slope] : llvm::zip(gradients, slopes))
      if (gradient.isReal())
        gradient.reals[broadcastIndex(n, dy.shape, gradient.shape)] += slope;
  }
  for (auto [input, gradient] : llvm::zip(op.getInputs(), gradients))
    cotangents.add(input, gradient);
  return success();
}

void reference::addElementwiseRules(Rules &rules) {
  addUnaryRules(rules);
  addBinaryRules(rules);
  rules.add<GeluOp>(evaluateGelu, differentiateGelu);
  rules.add<CompareOp>(evaluateCompare);
  rules.add<WhereOp>(evaluateWhere, differentiateWhere);
  rules.add<CastOp>(evaluateCast, differentiateCast);
  rules.add<MapOp>(evaluateMap, differentiateMap);
}
