//===- XfAttentionOps.cpp - Attention: syntax ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfUpdateTypes.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

using Captures = SmallVectorImpl<OpAsmParser::UnresolvedOperand>;
using Operand = OpAsmParser::UnresolvedOperand;

/// Parses the argument %s with its own type, because the types of the op follow after the region. A region can be
/// parsed only with the types of its arguments.
static ParseResult parseScoreArgument(OpAsmParser &parser, OpAsmParser::Argument &argument) {
  argument.type = parser.getBuilder().getIndexType();
  if (parser.parseArgument(argument))
    return failure();
  if (failed(parser.parseOptionalColon()))
    return success();
  return parser.parseType(argument.type);
}

/// Parses an optional captures(%argument = %operand : type, ..), and appends its operands, types and region arguments.
static ParseResult parseCaptures(OpAsmParser &parser, Captures &captures, SmallVectorImpl<Type> &types,
                                 SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  if (failed(parser.parseOptionalKeyword("captures")))
    return success();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(captures.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    argument.type = types.back();
    return success();
  });
}

static void printCaptures(OpAsmPrinter &printer, ArrayRef<BlockArgument> arguments, OperandRange captures,
                          TypeRange types) {
  if (captures.empty())
    return;
  printer << "captures(";
  llvm::interleaveComma(llvm::zip(arguments, captures, types), printer, [&](auto capture) {
    printer << std::get<0>(capture) << " = " << std::get<1>(capture) << " : " << std::get<2>(capture);
  });
  printer << ") ";
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
  if (parseCaptures(parser, captures, types, arguments))
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
  printCaptures(printer, arguments.drop_front(5), captures, types);
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

/// Parses an optional table(%offsets, %columns : type, type) or table(%columns : type).
static OptionalParseResult parseTable(OpAsmParser &parser, std::optional<OpAsmParser::UnresolvedOperand> &offsets,
                                      Type &offsetsType, std::optional<OpAsmParser::UnresolvedOperand> &columns,
                                      Type &columnsType) {
  if (failed(parser.parseOptionalKeyword("table")))
    return std::nullopt;
  if (parser.parseLParen() || parser.parseOperand(columns.emplace()))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    offsets = columns;
    if (parser.parseOperand(*columns) || parser.parseColonType(offsetsType) || parser.parseComma() ||
        parser.parseType(columnsType))
      return failure();
  } else if (parser.parseColonType(columnsType)) {
    return failure();
  }
  return parser.parseRParen();
}

static void printTable(OpAsmPrinter &printer, Operation *, Value offsets, Type offsetsType, Value columns,
                       Type columnsType) {
  if (!columns)
    return;
  printer << "table(";
  if (offsets)
    printer << offsets << ", " << columns << " : " << offsetsType << ", " << columnsType << ")";
  else
    printer << columns << " : " << columnsType << ")";
}

static OptionalParseResult parseFeature(OpAsmParser &parser, Captures &captures, SmallVectorImpl<Type> &types,
                                        Region &region) {
  if (failed(parser.parseOptionalKeyword("feature")))
    return std::nullopt;
  SmallVector<OpAsmParser::Argument> arguments(1);
  if (parser.parseLParen() || parser.parseArgument(arguments.front(), /*allowType=*/true) || parser.parseRParen() ||
      parseCaptures(parser, captures, types, arguments))
    return failure();
  return parser.parseRegion(region, arguments, /*enableNameShadowing=*/true);
}

static void printFeature(OpAsmPrinter &printer, Operation *, OperandRange captures, TypeRange types, Region &region) {
  if (region.empty())
    return;
  auto arguments = region.getArguments();
  printer << "feature(" << arguments.front() << " : " << arguments.front().getType() << ") ";
  printCaptures(printer, arguments.drop_front(), captures, types);
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

/// Assigns the operands (or types) `given` by their number. One is d_o, because kernelised attention has no lse. Two
/// are lse and d_o. Three are lse, d_o and d_lse.
template <typename T>
static void assignCotangents(ArrayRef<T> given, std::optional<T> &lse, T &dO, std::optional<T> &dLse) {
  if (given.size() > 1)
    lse = given.front();
  if (given.size() > 2)
    dLse = given.back();
  dO = given[given.size() > 1];
}

static ParseResult parseCotangents(OpAsmParser &parser, std::optional<Operand> &lse, Operand &dO,
                                   std::optional<Operand> &dLse) {
  SmallVector<Operand> given;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseOperandList(given))
    return failure();
  if (given.empty() || given.size() > 3)
    return parser.emitError(location, "expected d_o, lse and d_o, or lse, d_o and d_lse, got ")
           << given.size() << " operands";
  assignCotangents<Operand>(given, lse, dO, dLse);
  return success();
}

static void printCotangents(OpAsmPrinter &printer, Operation *, Value lse, Value dO, Value dLse) {
  if (lse)
    printer << lse << ", ";
  printer << dO;
  if (dLse)
    printer << ", " << dLse;
}

static ParseResult parseCotangentTypes(OpAsmParser &parser, Type &lse, Type &dO, Type &dLse) {
  SmallVector<Type> given;
  SMLoc location = parser.getCurrentLocation();
  if (parser.parseTypeList(given))
    return failure();
  if (given.size() > 3)
    return parser.emitError(location, "expected types of d_o, of lse and d_o, or of lse, d_o and d_lse, got ")
           << given.size();
  std::optional<Type> first, last;
  assignCotangents<Type>(given, first, dO, last);
  lse = first.value_or(Type());
  dLse = last.value_or(Type());
  return success();
}

static void printCotangentTypes(OpAsmPrinter &printer, Operation *, Type lse, Type dO, Type dLse) {
  if (lse)
    printer << lse << ", ";
  printer << dO;
  if (dLse)
    printer << ", " << dLse;
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

static void nameArguments(Region &region, ArrayRef<StringRef> names, OpAsmSetValueNameFn set) {
  for (auto [number, argument] : llvm::enumerate(region.getArguments()))
    set(argument, number < names.size() ? names[number].str() : ("c" + Twine(number - names.size())).str());
}

template <typename OpTy>
static void nameRegionArguments(OpTy op, Region &region, OpAsmSetValueNameFn set) {
  if (&region == &op.getFeature())
    nameArguments(region, {"row"}, set);
  else
    nameArguments(region, {"s", "b", "h", "i", "j"}, set);
}

void AttentionOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  nameRegionArguments(*this, region, set);
}
void AttentionVjpOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn set) {
  nameRegionArguments(*this, region, set);
}

// Here, because the generated parsers call the custom directives above.
#define GET_OP_CLASSES
#include "dialects/xf/IR/XfOps.cpp.inc"
