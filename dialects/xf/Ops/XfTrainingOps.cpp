//===- XfTrainingOps.cpp - Embeddings, losses, optimisers -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfVerifiers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr double unbounded = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Embeddings
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::verify() {
  if (failed(verifyRow(*this, {"a table", "ids", "a result"}))) // C1
    return failure();
  return verifyOneElementType(*this, {getTable(), getY()}); // C2
}

LogicalResult EmbeddingVjpOp::verify() {
  if (getDTable().getType().getRank() > 0 && getDTable().getType().isDynamicDim(0)) // C1
    return emitOpError("expected the gradient of a table with a static number of rows, got ") << getDTable().getType();
  if (getInitial() && getInitial().getType() != getDTable().getType()) // C3
    return emitOpError("expected an initial table of type ")
           << getDTable().getType() << ", got " << getInitial().getType();
  if (failed(verifyRow(*this, {"ids", "d_y", "an initial table", "d_table"}))) // C1
    return failure();
  return verifyOneElementType(*this, {getDTable(), getDY()}); // C2
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static LogicalResult verifyLoss(Operation *op, ArrayRef<StringRef> names) {
  ArrayRef<int64_t> shape = shapeOf(op->getOperand(0));
  if (shape.empty() || shape.back() == 0) // C1
    return op->emitOpError("expected logits of at least one class, got ") << op->getOperand(0).getType();
  return verifyRow(op, names); // C1
}

LogicalResult CrossEntropyOp::verify() { return verifyLoss(*this, {"logits", "targets", "a loss", "lse"}); }

LogicalResult CrossEntropyVjpOp::verify() {
  if (failed(verifyLoss(*this, {"logits", "targets", "lse", "d_loss", "d_logits"}))) // C1, C2
    return failure();
  return verifyOneElementType(*this, {getLogits(), getDLogits()}); // C2
}

//===----------------------------------------------------------------------===//
// Dropout, optimisers
//===----------------------------------------------------------------------===//

LogicalResult DropoutOp::verify() {
  if (failed(verifyRow(*this, {"x", "a seed", "y"}))) // C1
    return failure();
  return verifyNumber(*this, "p", getP(), 0, 1); // C2
}

LogicalResult ClipScaleOp::verify() {
  if (getGradients().empty()) // C1
    return emitOpError("expected at least one gradient, got none");
  if (failed(verifyShape(*this, "a scale", getScale(), {}))) // C1
    return failure();
  return verifyNumber(*this, "max_norm", getMaxNorm(), 0, unbounded); // C2
}

/// Verifies that beta, the decay rate of an average of past values, is in [0, 1).
static LogicalResult verifyBeta(Operation *op, StringRef what, const APFloat &beta) {
  double value = beta.convertToDouble();
  if (value >= 0 && value < 1) // C2
    return success();
  return op->emitOpError("expected ") << what << " in [0, 1), got " << std::to_string(value);
}

/// Verifies the master of an update, if there is one. A master is a copy of the parameter in a wider type. `state` is
/// another tensor that the update keeps for the parameter, such as a moment.
static LogicalResult verifyMaster(Operation *op, Value parameter, Value state, Value master, Value newMaster) {
  auto type = cast<RankedTensorType>(parameter.getType());
  if (!master && !newMaster) {
    if (state.getType() != type) // C4
      return op->emitOpError("expected state of the parameter's type ") << type << ", got " << state.getType();
    return success();
  }
  if (!type.getElementType().isF16() && !type.getElementType().isBF16()) // C5
    return op->emitOpError("expected a master of f16 or bf16 only, got one of ") << type.getElementType();
  Type wide = type.clone(Float32Type::get(op->getContext()));
  for (Value value : {master, newMaster, state}) {
    Type found = value ? value.getType() : NoneType::get(op->getContext());
    if (found != wide) // C5
      return op->emitOpError("expected master, new master and state of type ") << wide << ", got " << found;
  }
  return success();
}

LogicalResult AdamWOp::verify() {
  if (failed(verifyMaster(*this, getParameter(), getFirst(), getMaster(), getNewMaster())))
    return failure();
  return success(
      succeeded(verifyRow(*this, {"", "", "", "", "a rate", "a step", "a clip", "", "", "", "", ""})) && // C1
      succeeded(verifyBeta(*this, "beta1", getBeta1())) && succeeded(verifyBeta(*this, "beta2", getBeta2())) &&
      succeeded(verifyNumber(*this, "eps", getEps(), 0, unbounded)) &&          // C2
      succeeded(verifyNumber(*this, "decay", getWeightDecay(), 0, unbounded))); // C2
}

LogicalResult SgdOp::verify() {
  if (failed(verifyMaster(*this, getParameter(), getVelocity(), getMaster(), getNewMaster())))
    return failure();
  return success(succeeded(verifyRow(*this, {"", "", "", "a rate", "a clip", "", "", "", ""})) && // C1
                 succeeded(verifyNumber(*this, "momentum", getMomentum(), 0, unbounded)) &&       // C2
                 succeeded(verifyNumber(*this, "decay", getWeightDecay(), 0, unbounded)));
}

//===----------------------------------------------------------------------===//
// xf.checkpoint
//===----------------------------------------------------------------------===//

ParseResult CheckpointOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  auto parseInput = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(operands.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    argument.type = types.back();
    return success();
  };
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseInput) || parser.parseArrow() ||
      parser.parseLParen() || parser.parseTypeList(result.types) || parser.parseRParen() ||
      parser.parseRegion(*result.addRegion(), arguments, /*enableNameShadowing=*/true) ||
      parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return parser.resolveOperands(operands, types, location, result.operands);
}

void CheckpointOp::print(OpAsmPrinter &printer) {
  printer << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : " << std::get<1>(pair).getType();
  });
  printer << ") -> (" << getResultTypes() << ") ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict((*this)->getAttrs());
}

LogicalResult CheckpointOp::verify() {
  Block &body = getBody().front();
  if (TypeRange(body.getArgumentTypes()) != TypeRange(getInputs().getTypes())) // C1
    return emitOpError("expected block arguments of types ")
           << getInputs().getTypes() << ", got " << body.getArgumentTypes();
  for (Operation &op : body.without_terminator()) // C2
    if (!isa<arith::ConstantOp>(op) && !isa_and_present<XfDialect>(op.getDialect()))
      return op.emitOpError("expected an op of the dialect xf or a constant inside xf.checkpoint");
  if (!isa<YieldOp>(body.back())) // C3
    return body.back().emitOpError("expected xf.yield at the end of the region of xf.checkpoint");
  TypeRange yielded = body.getTerminator()->getOperandTypes();
  if (yielded != TypeRange(getResultTypes())) // C3
    return emitOpError("expected the region to yield ") << getResultTypes() << ", got " << yielded;
  return success();
}

//===----------------------------------------------------------------------===//
// xf.gradient, xf.vjp
//===----------------------------------------------------------------------===//

static bool isFloatTensor(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

/// Emits an error at xf.gradient or xf.vjp, with a note at the function that it differentiates.
template <typename OpTy>
static InFlightDiagnostic emitErrorWith(FunctionOpInterface callee, OpTy op, const Twine &message) {
  InFlightDiagnostic error = op.emitOpError(message);
  error.attachNote(callee.getLoc()) << "the function is defined here";
  return error;
}

/// Verifies the function and the operands of xf.gradient or xf.vjp. Returns the function, or null after an error.
template <typename OpTy>
static FunctionOpInterface verifyCallee(OpTy op, SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, op.getCalleeAttr());
  if (!callee || callee.getFunctionBody().empty()) { // C1
    op.emitOpError("expected a function with a body, got ") << op.getCalleeAttr();
    return {};
  }
  if (!callee.getFunctionBody().hasOneBlock()) { // C1
    emitErrorWith(callee, op, "expected a function of one block, got ") << op.getCalleeAttr();
    return {};
  }
  if (TypeRange(callee.getArgumentTypes()) != op.getInputs().getTypes()) { // C2
    emitErrorWith(callee, op, "expected operands of types ")
        << callee.getArgumentTypes() << ", got " << op.getInputs().getTypes();
    return {};
  }
  return callee;
}

/// Verifies the result types of xf.gradient or xf.vjp, and the indices of the arguments by which `op` differentiates.
template <typename OpTy>
static LogicalResult verifyDerivative(OpTy op, FunctionOpInterface callee) {
  SmallVector<Type> expected(callee.getResultTypes());
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t number : op.getWrt()) {
    if (number < 0 || number >= static_cast<int64_t>(callee.getNumArguments())) // C4
      return op.emitOpError("expected numbers of ") << callee.getNumArguments() << " arguments, got " << number;
    Type type = callee.getArgumentTypes()[number];
    if (!isFloatTensor(type)) // C4
      return emitErrorWith(callee, op, "expected a floating-point argument ") << number << ", got " << type;
    if (!seen.insert(number).second) // C4
      return op.emitOpError("expected each argument once, got ") << number << " twice";
    expected.push_back(type);
  }
  if (TypeRange(expected) != op.getResultTypes()) // C5
    return emitErrorWith(callee, op, "expected results of types ") << expected << ", got " << op.getResultTypes();
  return success();
}

LogicalResult GradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FunctionOpInterface callee = verifyCallee(*this, symbols);
  if (!callee)
    return failure();
  ArrayRef<Type> results = callee.getResultTypes();
  auto loss = results.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(results.front());
  if (!loss || loss.getRank() != 0 || !isFloatTensor(loss)) { // C3
    InFlightDiagnostic error =
        emitErrorWith(callee, *this, "expected a function whose first result is a floating-point scalar, got ");
    return results.empty() ? error << "no result" : error << results.front();
  }
  return verifyDerivative(*this, callee);
}

LogicalResult VjpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FunctionOpInterface callee = verifyCallee(*this, symbols);
  if (!callee)
    return failure();
  SmallVector<Type> expected(llvm::make_filter_range(callee.getResultTypes(), isFloatTensor));
  if (TypeRange(expected) != getCotangents().getTypes()) // C3
    return emitErrorWith(callee, *this, "expected cotangents of types ")
           << expected << ", got " << getCotangents().getTypes();
  return verifyDerivative(*this, callee);
}
