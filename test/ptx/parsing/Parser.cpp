//===- Parser.cpp - Reads a module of PTX ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Parser.h"

#include <string.h>

using namespace xf::ptx;

/// Of one variable; device memory has its own limit.
static constexpr uint64_t maxVariableBytes = uint64_t(1) << 28;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::fail(const std::string &message) {
  if (failure.empty()) {
    failure = message;
    failureLine = token.line;
  }
  return false;
}

bool Parser::expected(const std::string &what) {
  return fail("expected " + what + ", got " +
              (token.kind == Token::End ? "the end" : "'" + std::string(token.text) + "'"));
}

bool Parser::accept(std::string_view text) {
  if (!token.is(text))
    return false;
  advance();
  return true;
}

bool Parser::expect(std::string_view text) { return accept(text) || expected("'" + std::string(text) + "'"); }

bool Parser::integer(uint64_t &value, uint64_t limit) {
  if (token.kind != Token::Integer || token.value > limit)
    return expected("an integer of at most " + std::to_string(limit));
  value = token.value;
  advance();
  return true;
}

bool Parser::word(std::string &name) {
  if (token.kind != Token::Word)
    return expected("a name");
  name = token.text;
  advance();
  return true;
}

bool Parser::skipTo(std::string_view end) {
  while (token.kind != Token::End && !token.is(end))
    advance();
  return expect(end);
}

/// Directives for debuggers end with their line.
void Parser::skipLine() {
  for (uint32_t line = token.line; token.kind != Token::End && token.line == line;)
    advance();
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

bool Parser::parse() {
  advance();
  if (!version() || !target())
    return false;
  while (token.kind != Token::End)
    if (!moduleItem())
      return false;
  return finish();
}

bool Parser::version() {
  if (!expect(".version"))
    return false;
  std::string text(token.text);
  if (token.kind != Token::Double || sscanf(text.c_str(), "%u.%u", &module.majorVersion, &module.minorVersion) != 2)
    return expected("a version");
  if (module.majorVersion < 7 || module.majorVersion > 9)
    return expected("a version of 7.0 to 9.x");
  advance();
  return true;
}

bool Parser::target() {
  if (!expect(".target") || !word(module.target))
    return false;
  if (module.target.compare(0, 3, "sm_") != 0)
    return fail("expected a target sm_.., got '" + module.target + "'");
  std::string option;
  while (accept(","))
    if (!word(option))
      return false;
  uint64_t bits = 64;
  if (accept(".address_size") && !integer(bits, 64))
    return false;
  return bits == 64 || fail("expected addresses of 64 bits, got " + std::to_string(bits));
}

bool Parser::moduleItem() {
  bool isExternal = false;
  while (token.is(".visible") || token.is(".weak") || token.is(".extern") || token.is(".common")) {
    isExternal |= token.is(".extern");
    advance();
  }
  for (std::string_view space : {".global", ".const", ".shared"})
    if (accept(space))
      return moduleVariable(space, isExternal);
  if (accept(".entry"))
    return functionItem(true);
  if (accept(".func"))
    return functionItem(false);
  if (token.is(".file") || token.is(".loc")) {
    skipLine();
    return true;
  }
  if (accept(".pragma"))
    return skipTo(";");
  if (accept(".section"))
    return skipTo("}");
  return expected("a directive of a module that this machine knows");
}

bool Parser::declaration(Declaration &result) {
  uint64_t value = 0;
  if (accept(".align")) {
    if (!integer(value, 1024))
      return false;
    if (value == 0 || (value & (value - 1)))
      return fail("expected an alignment that is a power of two, got " + std::to_string(value));
    result.alignment = static_cast<uint32_t>(value);
  }
  std::string type;
  if (accept(".v2") || accept(".v4"))
    return fail("expected a scalar type: this machine knows no variables of vectors");
  if (!word(type))
    return false;
  result.type = typeNamed(std::string_view(type).substr(1));
  if (result.type == Type::None || result.type == Type::Pred)
    return fail("expected a type of a variable, got '" + type + "'");
  if (accept(".ptr"))
    while (token.is(".global") || token.is(".shared") || token.is(".const") || token.is(".local") ||
           token.is(".align")) {
      bool isAlign = token.is(".align");
      advance();
      if (isAlign && !integer(value, 1 << 30))
        return false;
    }
  if (!word(result.name))
    return false;
  while (accept("[")) {
    if (accept("]")) {
      result.isUnsized = true;
      continue;
    }
    if (!integer(value, maxVariableBytes) || !expect("]"))
      return false;
    result.count = result.count > maxVariableBytes ? result.count : result.count * value;
  }
  if (result.bytes() > maxVariableBytes)
    return fail("expected a variable of at most " + std::to_string(maxVariableBytes) + " bytes, got " +
                std::to_string(result.bytes()));
  result.alignment = std::max(result.alignment, bytesOf(result.type));
  return true;
}

/// `= 5` or `= {1, 2}`: elements, the rest zero.
bool Parser::initialiser(const Declaration &declaration, Variable &variable) {
  variable.initial.assign(variable.size, 0);
  bool isList = accept("{");
  uint64_t index = 0;
  do {
    if (isList && token.is("}"))
      break;
    bool negative = accept("-");
    if (token.kind != Token::Integer && token.kind != Token::Single && token.kind != Token::Double)
      return expected("a number: this machine knows no other initial values");
    uint64_t value = negative ? 0 - token.value : token.value;
    advance();
    if (index >= declaration.count)
      return fail("expected at most " + std::to_string(declaration.count) + " initial values");
    memcpy(&variable.initial[index++ * bytesOf(declaration.type)], &value, bytesOf(declaration.type));
  } while (isList && accept(","));
  return !isList || expect("}");
}

bool Parser::moduleVariable(std::string_view space, bool isExternal) {
  Declaration declared;
  if (!declaration(declared))
    return false;
  Symbol symbol;
  symbol.size = declared.bytes();
  if (space == ".shared" && declared.isUnsized) {
    symbol.kind = Symbol::DynamicShared;
    code.dynamicSharedAlignment = std::max(code.dynamicSharedAlignment, declared.alignment);
  } else if (space == ".shared") {
    symbol.kind = Symbol::Shared;
    symbol.index = static_cast<uint32_t>(code.shared.size());
    code.shared.push_back({declared.name, static_cast<uint32_t>(declared.bytes()), declared.alignment});
  } else {
    if (isExternal || declared.isUnsized)
      return fail("expected a variable that this module defines, got '" + declared.name + "'");
    symbol.kind = Symbol::Variable;
    symbol.index = static_cast<uint32_t>(module.variables.size());
    Variable variable{declared.name, declared.bytes(), declared.alignment, space == ".const", {}};
    // Variables of PTX are zero where no initial value is written.
    if (accept("=") ? !initialiser(declared, variable) : (variable.initial.assign(variable.size, 0), false))
      return false;
    module.variables.push_back(std::move(variable));
  }
  if (!scope.declare(declared.name, symbol, true))
    return fail("expected a new name, got '" + declared.name + "' again");
  return expect(";");
}
