//===- XfTrainingOps.cpp - Embeddings, loss, optimisers: syntax and verification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"

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
