//===- Decoder.cpp - From written instructions to handlers ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Decoder.h"

using namespace xf::ptx;

std::string Decoder::decode(const SyntaxInstruction &written, Instruction &result) {
  syntax = &written;
  instruction = &result;
  next = 0;
  failure.clear();
  modifiers.clear();
  size_t dot = written.opcode.find('.');
  std::string base = written.opcode.substr(0, dot);
  while (dot != std::string::npos) {
    size_t end = written.opcode.find('.', dot + 1);
    modifiers.push_back(written.opcode.substr(dot + 1, end - dot - 1));
    dot = end;
  }
  const OpcodeTable &table = opcodeTable();
  auto found = table.find(base);
  if (found == table.end())
    return "expected an opcode that this machine knows, got '" + written.opcode + "'";
  if (found->second(*this, result) && failure.empty())
    finish();
  return failure;
}

bool Decoder::fail(const std::string &message) {
  if (failure.empty())
    failure = message;
  return false;
}

bool Decoder::finish() {
  for (const std::string &modifier : modifiers)
    if (!modifier.empty())
      return expected("modifiers that this machine knows of " + syntax->opcode, "." + modifier);
  if (next < syntax->operands.size())
    return fail("expected " + std::to_string(next) + " operands of " + syntax->opcode + ", got " +
                std::to_string(syntax->operands.size()));
  return true;
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

bool Decoder::take(std::string_view modifier) {
  for (std::string &other : modifiers) {
    if (other != modifier)
      continue;
    other.clear();
    return true;
  }
  return false;
}

int Decoder::takeOneOf(std::initializer_list<std::string_view> candidates) {
  int index = 0;
  for (std::string_view candidate : candidates) {
    if (take(candidate))
      return index;
    ++index;
  }
  return -1;
}

Type Decoder::takeType() {
  for (std::string &modifier : modifiers) {
    Type type = typeNamed(modifier);
    if (type == Type::None)
      continue;
    modifier.clear();
    return type;
  }
  expected("a type", syntax->opcode);
  return Type::None;
}

std::string Decoder::takePrefix(std::string_view prefix) {
  for (std::string &modifier : modifiers) {
    if (modifier.compare(0, prefix.size(), prefix) != 0)
      continue;
    std::string taken = modifier;
    modifier.clear();
    return taken;
  }
  return "";
}
