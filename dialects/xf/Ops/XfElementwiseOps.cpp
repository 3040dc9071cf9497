//===- XfElementwiseOps.cpp - Element-wise ops: shapes and scalar forms -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfElementwiseVerifiers.h"
#include "dialects/xf/Ops/XfVerifiers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Scalar forms
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, Type type, double value) {
  return arith::ConstantOp::create(builder, loc, FloatAttr::get(type, value));
}

/// Builds y / (1 + e^-x). For y = x, this is more exact than x times the sigmoid of x, which is 0 if 1 / (1 + e^-x)
/// underflows.
static Value overSigmoid(OpBuilder &builder, Location loc, Value y, Value x) {
  Value one = constant(builder, loc, x.getType(), 1.0);
  Value decay = math::ExpOp::create(builder, loc, arith::NegFOp::create(builder, loc, x));
  return arith::DivFOp::create(builder, loc, y, arith::AddFOp::create(builder, loc, one, decay));
}

template <typename ScalarOp>
static Value unary(OpBuilder &builder, Location loc, ValueRange scalars) {
  return ScalarOp::create(builder, loc, scalars[0]);
}

Value NegOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<arith::NegFOp>(b, loc, s); }
Value ExpOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::ExpOp>(b, loc, s); }
Value LogOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::LogOp>(b, loc, s); }
Value SqrtOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::SqrtOp>(b, loc, s); }
Value RsqrtOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value one = constant(b, loc, s[0].getType(), 1.0);
  return arith::DivFOp::create(b, loc, one, math::SqrtOp::create(b, loc, s[0]));
}
Value TanhOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::TanhOp>(b, loc, s); }
Value SigmoidOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return overSigmoid(b, loc, constant(b, loc, s[0].getType(), 1.0), s[0]);
}
Value ErfOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::ErfOp>(b, loc, s); }
Value AbsOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::AbsFOp>(b, loc, s); }
Value SinOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::SinOp>(b, loc, s); }
Value CosOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return unary<math::CosOp>(b, loc, s); }
Value SquareOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return arith::MulFOp::create(b, loc, s[0], s[0]);
}
Value ReluOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return arith::MaximumFOp::create(b, loc, s[0], constant(b, loc, s[0].getType(), 0.0));
}
Value SiluOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return overSigmoid(b, loc, s[0], s[0]); }

/// Calls `build` with x, extended to f32 if x has 16 bits, and rounds the result to the type of x. In 16 bits, the
/// constants of functions would not be exact. The flag `contract` marks the conversions that were added for this
/// reason.
static Value inF32(OpBuilder &b, Location loc, Value x, function_ref<Value(Value)> build) {
  if (x.getType().getIntOrFloatBitWidth() > 16)
    return build(x);
  auto flags = arith::FastMathFlagsAttr::get(b.getContext(), arith::FastMathFlags::contract);
  Value wide = arith::ExtFOp::create(b, loc, b.getF32Type(), x, flags);
  return arith::TruncFOp::create(b, loc, x.getType(), build(wide), arith::RoundingModeAttr(), flags);
}

static Value buildGelu(Gelu form, OpBuilder &b, Location loc, Value x) {
  auto number = [&](double value) { return constant(b, loc, x.getType(), value); };
  auto mul = [&](Value l, Value r) -> Value { return arith::MulFOp::create(b, loc, l, r); };
  auto add = [&](Value l, Value r) -> Value { return arith::AddFOp::create(b, loc, l, r); };
  switch (form) {
  case Gelu::k_sigmoid:
    return overSigmoid(b, loc, x, mul(x, number(1.702)));
  case Gelu::k_erf: { // 1 + erf(x / sqrt 2) = erfc(-x / sqrt 2), in which nothing cancels
    Value erfc = math::ErfcOp::create(b, loc, mul(x, number(-0.70710678118654752440)));
    return mul(mul(x, number(0.5)), erfc);
  }
  case Gelu::k_tanh: { // 0.5 x (1 + tanh u) = x / (1 + e^-2u), u = sqrt(2 / pi) (x + 0.044715 x^3)
    Value cubed = mul(mul(x, x), x);
    Value inner = add(x, mul(cubed, number(0.044715)));
    return overSigmoid(b, loc, x, mul(inner, number(2 * 0.79788456080286535588)));
  }
  }
  llvm_unreachable("all forms are handled");
}

Value GeluOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return inF32(b, loc, s[0], [&](Value x) { return buildGelu(getForm(), b, loc, x); });
}

template <typename FloatOp, typename IntOp>
static Value binary(OpBuilder &builder, Location loc, ValueRange scalars) {
  if (isa<FloatType>(scalars[0].getType()))
    return FloatOp::create(builder, loc, scalars[0], scalars[1]);
  return IntOp::create(builder, loc, scalars[0], scalars[1]);
}

Value AddOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return binary<arith::AddFOp, arith::AddIOp>(b, loc, s);
}
Value SubOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return binary<arith::SubFOp, arith::SubIOp>(b, loc, s);
}
Value MulOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return binary<arith::MulFOp, arith::MulIOp>(b, loc, s);
}
Value DivOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return arith::DivFOp::create(b, loc, s[0], s[1]); }
Value PowOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) { return math::PowFOp::create(b, loc, s[0], s[1]); }
Value MaximumOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return binary<arith::MaximumFOp, arith::MaxSIOp>(b, loc, s);
}
Value MinimumOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return binary<arith::MinimumFOp, arith::MinSIOp>(b, loc, s);
}

Value CompareOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  static constexpr F floats[] = {F::OEQ, F::UNE, F::OLT, F::OLE, F::OGT, F::OGE};
  static constexpr I integers[] = {I::eq, I::ne, I::slt, I::sle, I::sgt, I::sge};
  static constexpr I booleans[] = {I::eq, I::ne, I::ult, I::ule, I::ugt, I::uge}; // signed, true would be -1
  unsigned kind = static_cast<unsigned>(getKind());
  if (isa<FloatType>(s[0].getType()))
    return arith::CmpFOp::create(b, loc, floats[kind], s[0], s[1]);
  return arith::CmpIOp::create(b, loc, s[0].getType().isInteger(1) ? booleans[kind] : integers[kind], s[0], s[1]);
}

Value WhereOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return arith::SelectOp::create(b, loc, s[0], s[1], s[2]);
}

static Value castFloat(OpBuilder &b, Location loc, Value x, Type to) {
  unsigned from = x.getType().getIntOrFloatBitWidth();
  if (x.getType() == to)
    return x;
  if (from < to.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, loc, to, x);
  if (from > to.getIntOrFloatBitWidth())
    return arith::TruncFOp::create(b, loc, to, x);
  return arith::TruncFOp::create(b, loc, to, arith::ExtFOp::create(b, loc, b.getF32Type(), x)); // f16 <-> bf16
}

Value CastOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value x = s[0];
  Type from = x.getType(), to = getY().getType().getElementType();
  bool fromFloat = isa<FloatType>(from), toFloat = isa<FloatType>(to);
  if (fromFloat && toFloat)
    return castFloat(b, loc, x, to);
  if (to.isInteger(1)) {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(from));
    if (fromFloat)
      return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero);
  }
  if (toFloat)
    return from.isInteger(1) ? Value(arith::UIToFPOp::create(b, loc, to, x)) : arith::SIToFPOp::create(b, loc, to, x);
  if (fromFloat)
    return arith::FPToSIOp::create(b, loc, to, x);
  if (from == to)
    return x;
  if (from.isInteger(1))
    return arith::ExtUIOp::create(b, loc, to, x);
  if (from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(b, loc, to, x);
  return arith::TruncIOp::create(b, loc, to, x);
}

Value MapOp::buildScalar(OpBuilder &b, Location, ValueRange s) {
  IRMapping mapping;
  Block &body = getBody().front();
  mapping.map(body.getArguments(), s);
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static LogicalResult verifyBroadcast(Operation *op) {
  SmallVector<ArrayRef<int64_t>> shapes;
  for (Value operand : op->getOperands())
    shapes.push_back(cast<RankedTensorType>(operand.getType()).getShape());
  FailureOr<SmallVector<int64_t>> shape = broadcastShapes(shapes);
  if (failed(shape)) // C1
    return op->emitOpError("expected shapes that broadcast, got ") << op->getOperandTypes();
  return verifyShape(op, "a result", op->getResult(0), *shape); // C1
}

static LogicalResult verifyBinary(Operation *op) {
  if (failed(verifyOneElementType(op, {op->getOperand(0), op->getOperand(1), op->getResult(0)}))) // C2
    return failure();
  if (getElementTypeOrSelf(op->getOperand(0)).isInteger(1)) // C2
    return op->emitOpError("expected numbers, got ") << op->getOperand(0).getType();
  return verifyBroadcast(op);
}

LogicalResult xf::verifyFloatBinary(Operation *op) {
  Type a = getElementTypeOrSelf(op->getOperand(0));
  if (!isa<FloatType>(a)) // C3
    return op->emitOpError("expected floats, got ") << a;
  return verifyBinary(op);
}

LogicalResult AddOp::verify() { return verifyBinary(*this); }
LogicalResult SubOp::verify() { return verifyBinary(*this); }
LogicalResult MulOp::verify() { return verifyBinary(*this); }
LogicalResult MaximumOp::verify() { return verifyBinary(*this); }
LogicalResult MinimumOp::verify() { return verifyBinary(*this); }
LogicalResult DivOp::verify() { return verifyFloatBinary(*this); }
LogicalResult PowOp::verify() { return verifyFloatBinary(*this); }

LogicalResult CompareOp::verify() {
  if (failed(verifyOneElementType(*this, {getA(), getB()}))) // C2
    return failure();
  return verifyBroadcast(*this);
}

LogicalResult WhereOp::verify() {
  if (failed(verifyOneElementType(*this, {getA(), getB(), getY()}))) // C2
    return failure();
  return verifyBroadcast(*this);
}

LogicalResult CastOp::verify() {
  if (failed(verifyCompatibleShape(getX().getType(), getY().getType()))) // C1
    return emitOpError("expected equal shapes, got ") << getX().getType() << " and " << getY().getType();
  return success();
}

//===----------------------------------------------------------------------===//
// xf.map
//===----------------------------------------------------------------------===//

void MapOp::build(OpBuilder &builder, OperationState &state, RankedTensorType type, ValueRange inputs,
                  function_ref<Value(OpBuilder &, ValueRange)> element) {
  state.addTypes(type);
  state.addOperands(inputs);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  for (Value input : inputs)
    body->addArgument(getElementTypeOrSelf(input), input.getLoc());
  YieldOp::create(builder, state.location, element(builder, body->getArguments()));
}

ParseResult MapOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    auto tensor = dyn_cast<RankedTensorType>(types.back());
    if (!tensor)
      return parser.emitError(parser.getCurrentLocation(), "expected a ranked tensor, got ") << types.back();
    argument.type = tensor.getElementType();
    return success();
  };
  SMLoc location = parser.getCurrentLocation();
  Type resultType;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput) || parser.parseArrow() ||
      parser.parseType(resultType) ||
      parser.parseRegion(*result.addRegion(), arguments, /*enableNameShadowing=*/true) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  result.addTypes(resultType);
  return parser.resolveOperands(operands, types, location, result.operands);
}

void MapOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : " << std::get<1>(pair).getType();
  });
  printer << ") -> " << getY().getType() << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult MapOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size()) // C1
    return emitOpError("expected ") << getInputs().size() << " block arguments, got " << body.getNumArguments();
  for (auto [argument, input] : llvm::zip(body.getArguments(), getInputs()))
    if (argument.getType() != getElementTypeOrSelf(input)) // C1
      return emitOpError("expected a block argument of type ")
             << getElementTypeOrSelf(input) << ", got " << argument.getType();
  if (failed(verifyScalarRegion(*this, body, /*mayExtract=*/false))) // C2, C3
    return failure();
  Operation *yield = body.getTerminator();
  Type element = getElementTypeOrSelf(getY());
  if (yield->getNumOperands() != 1 || yield->getOperand(0).getType() != element) // C3
    return emitOpError("expected the region to yield one ") << element << ", got " << yield->getOperandTypes();
  return verifyBroadcast(*this); // C4
}
