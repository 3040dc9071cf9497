//===- XfTrainingOps.cpp - Embeddings, loss, optimisers: syntax and verification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult EmbeddingOp::verify() { return success(); }
LogicalResult CrossEntropyOp::verify() { return success(); }
LogicalResult DropoutOp::verify() { return success(); }

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
  if (TypeRange(body.getArgumentTypes()) != TypeRange(getInputs().getTypes()))
    return emitOpError("expected block arguments of types ")
           << getInputs().getTypes() << ", got " << body.getArgumentTypes();
  TypeRange yielded = body.getTerminator()->getOperandTypes();
  if (yielded != TypeRange(getResultTypes()))
    return emitOpError("expected the region to yield ") << getResultTypes() << ", got " << yielded;
  return success();
}

//===----------------------------------------------------------------------===//
// xf.gradient, xf.vjp
//===----------------------------------------------------------------------===//

static bool isFloatTensor(Type type) { return isa<FloatType>(getElementTypeOrSelf(type)); }

/// C1 and C2; the function, or null after an error.
template <typename OpTy>
static FunctionOpInterface verifyCallee(OpTy op, SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, op.getCalleeAttr());
  if (!callee || callee.getFunctionBody().empty()) {
    op.emitOpError("expected a function with a body, got ") << op.getCalleeAttr();
    return {};
  }
  if (!callee.getFunctionBody().hasOneBlock()) {
    (op.emitOpError("expected a function of one block, got ") << op.getCalleeAttr()).attachNote(callee.getLoc());
    return {};
  }
  if (TypeRange(callee.getArgumentTypes()) != op.getInputs().getTypes()) {
    op.emitOpError("expected operands of types ") << callee.getArgumentTypes() << ", got " << op.getInputs().getTypes();
    return {};
  }
  return callee;
}

/// C4 and C5.
template <typename OpTy>
static LogicalResult verifyDerivative(OpTy op, FunctionOpInterface callee) {
  SmallVector<Type> expected(callee.getResultTypes());
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t number : op.getWrt()) {
    if (number < 0 || number >= static_cast<int64_t>(callee.getNumArguments()))
      return op.emitOpError("expected numbers of ") << callee.getNumArguments() << " arguments, got " << number;
    Type type = callee.getArgumentTypes()[number];
    if (!isFloatTensor(type))
      return op.emitOpError("expected a floating-point argument ") << number << ", got " << type;
    if (!seen.insert(number).second)
      return op.emitOpError("expected each argument once, got ") << number << " twice";
    expected.push_back(type);
  }
  if (TypeRange(expected) != op.getResultTypes())
    return op.emitOpError("expected results of types ") << expected << ", got " << op.getResultTypes();
  return success();
}

LogicalResult GradientOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FunctionOpInterface callee = verifyCallee(*this, symbols);
  if (!callee)
    return failure();
  ArrayRef<Type> results = callee.getResultTypes();
  auto loss = results.empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(results.front());
  if (!loss || loss.getRank() != 0 || !isFloatTensor(loss)) {
    InFlightDiagnostic error = emitOpError("expected a function whose first result is a floating-point scalar, got ");
    return results.empty() ? error << "no result" : error << results.front();
  }
  return verifyDerivative(*this, callee);
}

LogicalResult VjpOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FunctionOpInterface callee = verifyCallee(*this, symbols);
  if (!callee)
    return failure();
  SmallVector<Type> expected(llvm::make_filter_range(callee.getResultTypes(), isFloatTensor));
  if (TypeRange(expected) != getCotangents().getTypes())
    return emitOpError("expected cotangents of types ") << expected << ", got " << getCotangents().getTypes();
  return verifyDerivative(*this, callee);
}
