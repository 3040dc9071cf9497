//===- XfAttentionOps.cpp - Attention: syntax ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

using Captures = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;

/// %s has a type of its own: the types of the op come after the region, which needs its arguments' types to be parsed.
static ParseResult parseScoreArgument(OpAsmParser &parser, OpAsmParser::Argument &argument) {
  argument.type = parser.getBuilder().getIndexType();
  if (parser.parseArgument(argument))
    return failure();
  if (failed(parser.parseOptionalColon()))
    return success();
  return parser.parseType(argument.type);
}

static OptionalParseResult parseScore(OpAsmParser &parser, Captures &captures, SmallVectorImpl<Type> &types,
                                      Region &region) {
  if (failed(parser.parseOptionalKeyword("score")))
    return std::nullopt;
  SmallVector<OpAsmParser::Argument> arguments;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&] { return parseScoreArgument(parser, arguments.emplace_back()); }))
    return failure();
  if (arguments.size() != 5)
    return ParseResult(parser.emitError(location, "expected score(%s : type, %b, %h, %i, %j), got ")
                       << arguments.size() << " arguments");
  auto parseCapture = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(captures.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    argument.type = types.back();
    return success();
  };
  if (succeeded(parser.parseOptionalKeyword("captures")) &&
      parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, parseCapture))
    return failure();
  return parser.parseRegion(region, arguments, /*enableNameShadowing=*/true);
}

static void printScore(OpAsmPrinter &printer, Operation *, OperandRange captures, TypeRange types, Region &region) {
  if (region.empty())
    return;
  auto arguments = region.getArguments();
  printer << "score(";
  llvm::interleaveComma(arguments.take_front(5), printer, [&](BlockArgument argument) {
    printer << argument;
    if (!argument.getType().isIndex())
      printer << " : " << argument.getType();
  });
  printer << ") ";
  if (!captures.empty()) {
    printer << "captures(";
    llvm::interleaveComma(llvm::zip(arguments.drop_front(5), captures, types), printer, [&](auto capture) {
      printer << std::get<0>(capture) << " = " << std::get<1>(capture) << " : " << std::get<2>(capture);
    });
    printer << ") ";
  }
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

static ParseResult parseResults(OpAsmParser &parser, Type &o, Type &lse) {
  if (failed(parser.parseOptionalLParen()))
    return parser.parseType(o);
  if (parser.parseType(o) || (succeeded(parser.parseOptionalComma()) && parser.parseType(lse)))
    return failure();
  return parser.parseRParen();
}

static void printResults(OpAsmPrinter &printer, Operation *, Type o, Type lse) {
  if (lse)
    printer << "(" << o << ", " << lse << ")";
  else
    printer << o;
}

static void nameScoreArguments(Region &region, OpAsmSetValueNameFn set) {
  for (auto [argument, name] : llvm::zip(region.getArguments(), ArrayRef<StringRef>{"s", "b", "h", "i", "j"}))
    set(argument, name);
  for (auto [number, argument] :
       llvm::enumerate(region.getArguments().drop_front(std::min<size_t>(5, region.getNumArguments()))))
    set(argument, ("c" + Twine(number)).str());
}

void AttentionOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) { nameScoreArguments(region, set); }
void AttentionVjpOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  nameScoreArguments(region, set);
}

// Here, because the generated parsers call the custom directives above.
#define GET_OP_CLASSES
#include "dialects/xf/IR/XfOps.cpp.inc"
