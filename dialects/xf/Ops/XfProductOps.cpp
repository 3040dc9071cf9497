//===- XfProductOps.cpp - Products: syntax and verification ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfVerifiers.h"

using namespace mlir;
using namespace mlir::xf;

void ProductOp::build(OpBuilder &builder, OperationState &state, TypeRange types, Value a, bool transposeA, Value b,
                      bool transposeB, ValueRange extras,
                      function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> epilogue) {
  state.addTypes(types);
  state.addOperands({a, b});
  state.addOperands(extras);
  state.getOrAddProperties<Properties>().transpose_a = transposeA ? builder.getUnitAttr() : UnitAttr();
  state.getOrAddProperties<Properties>().transpose_b = transposeB ? builder.getUnitAttr() : UnitAttr();
  OpBuilder::InsertionGuard guard(builder);
  Block *body = builder.createBlock(state.addRegion());
  Type accumulator = accumulatorType(cast<RankedTensorType>(a.getType()).getElementType());
  body->addArgument(accumulator, state.location);
  for (Value extra : extras)
    body->addArgument(accumulator, extra.getLoc());
  YieldOp::create(builder, state.location, epilogue(builder, body->getArguments()));
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses the arguments of an epilogue, `%p : f32, %x = %extra : type, ..`.
static ParseResult parseEpilogueArguments(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::Argument> &arguments,
                                          SmallVectorImpl<OpAsmParser::UnresolvedOperand> &extras,
                                          SmallVectorImpl<Type> &types) {
  auto parseOne = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument))
      return failure();
    if (arguments.size() == 1)
      return parser.parseColonType(argument.type);
    argument.type = arguments.front().type;
    return failure(parser.parseEqual() || parser.parseOperand(extras.emplace_back()) ||
                   parser.parseColonType(types.emplace_back()));
  };
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseOne);
}

ParseResult ProductOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> factors(2), extras;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<Type> factorTypes, extraTypes;
  auto parseFactor = [&](OpAsmParser::UnresolvedOperand &factor, UnitAttr &transposed) -> ParseResult {
    if (parser.parseOperand(factor))
      return failure();
    if (succeeded(parser.parseOptionalKeyword("transposed")))
      transposed = parser.getBuilder().getUnitAttr();
    return success();
  };
  SMLoc location = parser.getCurrentLocation();
  auto &properties = result.getOrAddProperties<Properties>();
  if (parseFactor(factors[0], properties.transpose_a) || parser.parseComma() ||
      parseFactor(factors[1], properties.transpose_b) || parser.parseKeyword("epilogue") ||
      parseEpilogueArguments(parser, arguments, extras, extraTypes) ||
      parser.parseRegion(*result.addRegion(), arguments, /*enableNameShadowing=*/true) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() || parser.parseLParen() ||
      parser.parseTypeList(factorTypes) || parser.parseRParen() || parser.parseArrow() || parser.parseLParen() ||
      parser.parseTypeList(result.types) || parser.parseRParen())
    return failure();
  return failure(parser.resolveOperands(factors, factorTypes, location, result.operands) ||
                 parser.resolveOperands(extras, extraTypes, location, result.operands));
}

void ProductOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getA() << (getTransposeA() ? " transposed, " : ", ") << getB()
          << (getTransposeB() ? " transposed" : "") << " epilogue(";
  Block::BlockArgListType arguments = getEpilogue().getArguments();
  printer << arguments.front() << " : " << arguments.front().getType();
  for (auto [argument, extra] : llvm::zip(arguments.drop_front(), getExtras()))
    printer << ", " << argument << " = " << extra << " : " << extra.getType();
  printer << ") ";
  printer.printRegion(getEpilogue(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs(), {"transpose_a", "transpose_b"});
  printer << " : (" << getA().getType() << ", " << getB().getType() << ") -> (" << getOutputs().getTypes() << ')';
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Verifies the factors a and b. Returns the shape of their product, or fails after an error.
template <typename OpTy>
static FailureOr<SmallVector<int64_t>> verifyFactors(OpTy op) {
  RankedTensorType a = op.getA().getType(), b = op.getB().getType();
  if (a.getRank() < 2 || b.getRank() < 2) // C1
    return op.emitOpError("expected factors of rank 2 or more, got ") << a << " and " << b;
  if (a.getElementType() != b.getElementType()) // C3
    return op.emitOpError("expected one element type, got ") << a.getElementType() << " and " << b.getElementType();
  int64_t rows = a.getShape().end()[op.getTransposeA() ? -1 : -2];
  int64_t depth = a.getShape().end()[op.getTransposeA() ? -2 : -1];
  int64_t otherDepth = b.getShape().end()[op.getTransposeB() ? -1 : -2];
  if (!compatible(depth, otherDepth)) // C1
    return op.emitOpError("expected equal sizes to sum over, got ") << depth << " and " << otherDepth;
  ArrayRef<int64_t> few = a.getShape().drop_back(2), many = b.getShape().drop_back(2);
  if (few.size() > many.size())
    std::swap(few, many);
  if (!compatible(few, many.take_back(few.size()))) // C2
    return op.emitOpError("expected equal leading sizes, got ") << a << " and " << b;
  SmallVector<int64_t> shape(many);
  shape.append({rows, b.getShape().end()[op.getTransposeB() ? -2 : -1]});
  return shape;
}

LogicalResult LinearOp::verify() {
  if (shapeOf(getX()).empty()) // C1
    return emitOpError("expected x of at least one dimension, got ") << getX().getType();
  if (failed(verifyRow(*this, {"x", "a weight", "a bias", "a result"}))) // C1
    return failure();
  return verifyOneElementType(*this, {getX(), getWeight(), getBias(), getY()}); // C2
}

LogicalResult MatmulOp::verify() {
  FailureOr<SmallVector<int64_t>> shape = verifyFactors(*this);
  if (failed(shape) || failed(verifyShape(*this, "a result", getY(), *shape))) // C1
    return failure();
  return verifyOneElementType(*this, {getA(), getY()}); // C3
}

/// Verifies that the elements of `tensor`, an extra operand or a result, are computed in the accumulator's type.
static LogicalResult verifyComputed(ProductOp op, Value tensor) {
  Type accumulator = accumulatorType(op.getA().getType().getElementType());
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (accumulatorType(element) == accumulator) // C3
    return success();
  return op.emitOpError("expected extra operands and results that are computed in ")
         << accumulator << ", got " << element;
}

/// Verifies that an extra operand broadcasts to the shape of the product.
static LogicalResult verifyExtra(ProductOp op, Value extra, ArrayRef<int64_t> shape) {
  FailureOr<SmallVector<int64_t>> both = broadcastShapes({shape, shapeOf(extra)});
  if (succeeded(both) && compatible(*both, shape)) // C2
    return success();
  return op.emitOpError("expected an extra operand that broadcasts to ")
         << shapeText(shape) << ", got " << extra.getType();
}

LogicalResult ProductOp::verify() {
  FailureOr<SmallVector<int64_t>> shape = verifyFactors(*this); // C1
  if (failed(shape))
    return failure();
  for (Value output : getOutputs())
    if (failed(verifyShape(*this, "results", output, *shape)) || failed(verifyComputed(*this, output))) // C1, C3
      return failure();
  for (Value extra : getExtras())
    if (failed(verifyExtra(*this, extra, *shape)) || failed(verifyComputed(*this, extra)))
      return failure();
  Block &body = getEpilogue().front();
  if (failed(verifyScalarRegion(*this, body, /*mayExtract=*/false))) // C4
    return failure();
  Type accumulator = accumulatorType(getA().getType().getElementType());
  auto isAccumulator = [&](Type type) { return type == accumulator; };
  if (body.getNumArguments() != 1 + getExtras().size() || !llvm::all_of(body.getArgumentTypes(), isAccumulator)) // C3
    return emitOpError("expected an epilogue that takes ")
           << 1 + getExtras().size() << " " << accumulator << ", got " << body.getArgumentTypes();
  TypeRange yielded = body.getTerminator()->getOperandTypes();
  if (yielded.size() != getNumResults() || !llvm::all_of(yielded, isAccumulator)) // C3
    return emitOpError("expected an epilogue that yields ")
           << getNumResults() << " " << accumulator << ", got " << yielded;
  return success();
}
