//===- XftOperandGroups.cpp - Optional operands by name -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/Ops/XftOperandGroups.h"

using namespace mlir;
using namespace mlir::xft;

namespace {
/// The keyword of an operand group, and the largest number of operands that it may have (-1 for any number).
struct Group {
  StringLiteral name;
  int64_t most;
};
} // namespace

static constexpr Group attendClauses[attendClauseCount] = {
    {"lengths", 1}, {"query_lengths", 1}, {"symbols", -1}, {"data", -1}, {"captures", -1}, {"seed", 1}, {"part", 1}};
static constexpr Group rowState[rowStateCount] = {{"lse", 1}, {"sums", 2}, {"accumulator", 1}, {"kept", 3}};
static constexpr Group vjpGradients[vjpGradientCount] = {{"d_q", -1}, {"d_k", 1}, {"d_v", 1}, {"d_captures", -1}};
static constexpr Group scanClauses[scanClauseCount] = {{"weights", 1},  {"lengths", 1}, {"query_lengths", 1},
                                                       {"segments", 2}, {"decay", 1},   {"beta", 1},
                                                       {"state", 1},    {"scratch", 1}};
static constexpr Group scanGradients[scanGradientCount] = {
    {"d_weights", 1}, {"d_decay", 1}, {"d_beta", 1}, {"d_state", 1}};

static ParseResult parseGroups(OpAsmParser &parser, ArrayRef<Group> groups, OperandGroups &operands,
                               TypeGroups &types) {
  operands.resize(groups.size());
  types.resize(groups.size());
  for (auto [group, members, memberTypes] : llvm::zip(groups, operands, types))
    if (succeeded(parser.parseOptionalKeyword(group.name)) &&
        (parser.parseLParen() || parser.parseOperandList(members) || parser.parseColonTypeList(memberTypes) ||
         parser.parseRParen()))
      return failure();
  return success();
}

static void printGroups(OpAsmPrinter &printer, ArrayRef<Group> groups, OperandRangeRange operands) {
  bool isFirst = true;
  for (auto [group, members] : llvm::zip(groups, operands)) {
    if (members.empty())
      continue;
    printer << (isFirst ? "" : " ") << group.name << '(' << members << " : " << members.getTypes() << ')';
    isFirst = false;
  }
}

static LogicalResult verifyGroups(Operation *op, ArrayRef<Group> groups, OperandRangeRange operands) {
  if (operands.size() != groups.size())
    return op->emitOpError("expected ") << groups.size() << " groups of operands, got " << operands.size();
  for (auto [group, members] : llvm::zip(groups, operands))
    if (group.most >= 0 && static_cast<int64_t>(members.size()) > group.most)
      return op->emitOpError("expected at most ")
             << group.most << " operands in " << group.name << ", got " << members.size();
  return success();
}

#define XFT_GROUPS(Name, groups)                                                                                       \
  ParseResult xft::parse##Name(OpAsmParser &parser, OperandGroups &operands, TypeGroups &types) {                      \
    return parseGroups(parser, groups, operands, types);                                                               \
  }                                                                                                                    \
  void xft::print##Name(OpAsmPrinter &printer, Operation *, OperandRangeRange operands, TypeRangeRange) {              \
    printGroups(printer, groups, operands);                                                                            \
  }                                                                                                                    \
  LogicalResult xft::verify##Name(Operation *op, OperandRangeRange operands) {                                         \
    return verifyGroups(op, groups, operands);                                                                         \
  }

XFT_GROUPS(AttendClauses, attendClauses)
XFT_GROUPS(RowState, rowState)
XFT_GROUPS(VjpGradients, vjpGradients)
XFT_GROUPS(ScanClauses, scanClauses)
XFT_GROUPS(ScanGradients, scanGradients)
