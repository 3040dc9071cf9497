//===- ParseBody.cpp - Reads bodies of functions of PTX -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Parser.h"

using namespace xf::ptx;

static constexpr uint64_t maxLocalBytes = 1 << 19;
static constexpr uint32_t maxDepth = 1000;

bool Parser::body() {
  if (!expect("{"))
    return false;
  uint32_t first = static_cast<uint32_t>(code.instructions.size());
  scope.function().first = first;
  for (uint32_t depth = 1; depth > 0;) {
    if (accept("{")) {
      scope.openBlock();
      if (++depth > maxDepth)
        return fail("expected at most " + std::to_string(maxDepth) + " open blocks");
    } else if (accept("}")) {
      if (--depth > 0)
        scope.closeBlock();
    } else if (!statement()) {
      return false;
    }
  }
  SyntaxInstruction end;
  end.line = token.line;
  end.opcode = "ret";
  Instruction last;
  decoder.decode(end, last);
  last.line = token.line;
  last.isImplicit = true;
  code.instructions.push_back(std::move(last));
  scope.function().end = static_cast<uint32_t>(code.instructions.size());
  uint32_t line = 0;
  std::string wrong = scope.endFunction(line);
  if (wrong.empty())
    return true;
  fail(wrong);
  failureLine = line;
  return false;
}

bool Parser::statement() {
  if (token.kind == Token::Word && token.text[0] == '.')
    return directive();
  if (token.is("@") || token.kind != Token::Word)
    return instruction();
  std::string name(token.text);
  Lexer after = lexer;
  if (after.next().is(":")) {
    advance();
    advance();
    if (accept(".branchtargets"))
      return branchTargets(name);
    if (token.is(".callprototype"))
      return fail("expected a direct call: this machine knows no prototypes");
    return scope.declareLabel(name, static_cast<uint32_t>(code.instructions.size())) ||
           fail("expected a new label, got '" + name + "' again");
  }
  return instruction();
}

bool Parser::branchTargets(const std::string &name) {
  std::vector<std::string> labels;
  do {
    if (!word(labels.emplace_back()))
      return false;
  } while (accept(","));
  scope.declareTargets(name, std::move(labels));
  return expect(";");
}

bool Parser::directive() {
  if (accept(".reg"))
    return registers();
  for (std::string_view space : {".local", ".shared", ".param"})
    if (accept(space))
      return storage(space);
  if (token.is(".loc") || token.is(".file")) {
    skipLine();
    return true;
  }
  if (accept(".pragma"))
    return skipTo(";");
  return expected("a directive of a function that this machine knows");
}

/// `.reg .b32 %r<10>, %x;`
bool Parser::registers() {
  std::string type, name;
  if (!word(type))
    return false;
  uint32_t bits = bitsOf(typeNamed(std::string_view(type).substr(1)));
  if (bits == 0)
    return fail("expected a type of a register, got '" + type + "'");
  do {
    uint64_t count = 1;
    if (!word(name))
      return false;
    bool isRange = accept("<");
    if (isRange && (!integer(count, ~0u) || !expect(">")))
      return false;
    if (!scope.declareRegisters(name, bits, static_cast<uint32_t>(count), isRange))
      return fail("expected a new name and fewer registers, got '" + name + "' of " + std::to_string(count));
  } while (accept(","));
  return expect(";");
}

uint64_t Parser::allocateLocal(const Declaration &declaration) {
  code.localBytes = (code.localBytes + declaration.alignment - 1) & ~(declaration.alignment - 1);
  uint64_t offset = code.localBytes;
  if (declaration.bytes() > maxLocalBytes - offset) {
    fail("expected at most " + std::to_string(maxLocalBytes) + " bytes of local memory");
    return 0;
  }
  code.localBytes += static_cast<uint32_t>(declaration.bytes());
  return offset;
}

bool Parser::storage(std::string_view space) {
  Declaration declared;
  if (!declaration(declared))
    return false;
  Symbol symbol;
  symbol.size = declared.bytes();
  if (space == ".shared") {
    symbol.kind = declared.isUnsized ? Symbol::DynamicShared : Symbol::Shared;
    symbol.index = static_cast<uint32_t>(code.shared.size());
    if (!declared.isUnsized)
      code.shared.push_back({declared.name, static_cast<uint32_t>(declared.bytes()), declared.alignment});
  } else {
    bool isLocal = space == ".local";
    symbol.kind = isLocal ? Symbol::Local : Symbol::Parameter;
    symbol.value = allocateLocal(declared) + (isLocal ? 0 : localParameters);
  }
  if (!failure.empty() || !scope.declare(declared.name, symbol))
    return fail("expected a new name, got '" + declared.name + "' again");
  return expect(";");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool Parser::instruction() {
  SyntaxInstruction syntax;
  syntax.line = token.line;
  if (accept("@")) {
    syntax.guardNegated = accept("!");
    if (!word(syntax.guard))
      return false;
    syntax.line = token.line;
  }
  if (!word(syntax.opcode))
    return expected("an instruction");
  while (!token.is(";")) {
    if (!operand(syntax.operands.emplace_back()))
      return false;
    if (!token.is(";") && !expect(","))
      return false;
  }
  Instruction result;
  result.line = syntax.line;
  result.function = static_cast<uint32_t>(code.functions.size() - 1);
  std::string wrong = decoder.decode(syntax, result);
  if (wrong.empty() && !syntax.guard.empty()) {
    std::optional<Symbol> symbol = scope.find(syntax.guard);
    if (!symbol || symbol->kind != Symbol::Register || symbol->bits != 1)
      wrong = "expected a predicate, got '" + syntax.guard + "'";
    else
      result.guard = static_cast<int32_t>(symbol->index);
    result.guardNegated = syntax.guardNegated;
  }
  if (!wrong.empty()) {
    fail(wrong);
    failureLine = syntax.line;
    return false;
  }
  result.opcode = code.opcodeIndex(syntax.opcode);
  code.instructions.push_back(std::move(result));
  return expect(";");
}

bool Parser::operandList(SyntaxOperand &result, std::string_view close) {
  while (!accept(close)) {
    if (!plainOperand(result.elements.emplace_back()))
      return false;
    if (!token.is(close) && !expect(","))
      return false;
  }
  return true;
}

bool Parser::operand(SyntaxOperand &result) {
  if (accept("{")) {
    result.kind = SyntaxOperand::Vector;
    return operandList(result, "}");
  }
  if (accept("(")) {
    result.kind = SyntaxOperand::List;
    return operandList(result, ")");
  }
  if (accept("["))
    return addressOperand(result);
  return plainOperand(result);
}

bool Parser::addressOperand(SyntaxOperand &result) {
  result.kind = SyntaxOperand::Address;
  if (!plainOperand(result.elements.emplace_back()))
    return false;
  if (accept(",") && (!expect("{") || !operandList(result, "}")))
    return false;
  return expect("]");
}

/// A name with an offset, `a|b`, `!p`, or a number.
bool Parser::plainOperand(SyntaxOperand &result) {
  result.negated = accept("!");
  bool negative = !result.negated && accept("-");
  if (token.kind == Token::Integer || token.kind == Token::Single || token.kind == Token::Double) {
    result.kind = token.kind == Token::Integer  ? SyntaxOperand::Integer
                  : token.kind == Token::Single ? SyntaxOperand::Single
                                                : SyntaxOperand::Double;
    if (negative && result.kind != SyntaxOperand::Integer)
      result.value = token.value ^ (uint64_t(1) << (result.kind == SyntaxOperand::Single ? 31 : 63));
    else
      result.value = negative ? 0 - token.value : token.value;
    advance();
    return !result.negated || fail("expected a predicate after '!'");
  }
  if (negative || token.kind != Token::Word)
    return expected("an operand");
  word(result.name);
  if (accept("|"))
    return word(result.second);
  bool minus = token.is("-");
  if (!minus && !token.is("+"))
    return true;
  advance();
  minus ^= accept("-");
  uint64_t offset = 0;
  if (!integer(offset, uint64_t(1) << 40))
    return false;
  result.offset = minus ? -static_cast<int64_t>(offset) : static_cast<int64_t>(offset);
  return true;
}
