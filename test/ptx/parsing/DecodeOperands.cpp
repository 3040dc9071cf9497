//===- DecodeOperands.cpp - From written operands to rows -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Decoder.h"

#include <string.h>

using namespace xf::ptx;

const SyntaxOperand *Decoder::takeOperand() {
  if (next < syntax->operands.size())
    return &syntax->operands[next++];
  fail("expected more operands of " + syntax->opcode + ", got " + std::to_string(syntax->operands.size()));
  return nullptr;
}

bool Decoder::registerOf(const std::string &name, Type type, bool allowWider, Operand &result) {
  std::optional<Symbol> symbol = scope.find(name);
  if (!symbol || symbol->kind != Symbol::Register)
    return expected("a register", name);
  uint32_t bits = bitsOf(type);
  if (symbol->bits != bits && !(allowWider && symbol->bits > bits && bits > 1))
    return fail("expected a register of " + std::to_string(bits) + " bits, got '" + name + "' of " +
                std::to_string(symbol->bits));
  result.kind = symbol->bits == 1 ? Operand::Predicate : Operand::Register;
  result.bits = static_cast<uint8_t>(symbol->bits);
  result.slot = symbol->index;
  return true;
}

bool Decoder::addWrite(const SyntaxOperand &operand, Type type, bool allowWider, Operand &result) {
  if (operand.kind != SyntaxOperand::Name || operand.negated || operand.offset)
    return expected("a register to write", operand.name);
  if (operand.name != "_")
    return registerOf(operand.name, type, allowWider, result);
  result.kind = type == Type::Pred ? Operand::Predicate : Operand::Register;
  result.bits = static_cast<uint8_t>(bitsOf(type));
  return true;
}

bool Decoder::readName(const SyntaxOperand &operand, Type type, bool allowWider, Operand &result) {
  if (operand.name == "WARP_SZ") {
    result = scope.literal(32, bitsOf(type));
    return true;
  }
  std::optional<Symbol> symbol = scope.find(operand.name);
  if (!symbol && operand.name[0] == '%')
    return readSpecial(operand, type, result);
  if (!symbol)
    return expected("a declared name", operand.name);
  if (symbol->kind == Symbol::Register)
    return operand.offset ? expected("a register alone", operand.name)
                          : registerOf(operand.name, type, allowWider, result);
  if (bitsOf(type) < 32 || symbol->kind == Symbol::Function)
    return expected("a value", operand.name);
  Constant constant;
  constant.index = symbol->index;
  constant.value = symbol->value + static_cast<uint64_t>(operand.offset);
  switch (symbol->kind) {
  case Symbol::Shared:
    constant.source = Source::Shared;
    break;
  case Symbol::DynamicShared:
    constant.source = Source::DynamicShared;
    break;
  case Symbol::Variable:
    constant.source = Source::Variable;
    break;
  default:
    break;
  }
  result = scope.constant(constant, bitsOf(type));
  return true;
}

bool Decoder::addRead(const SyntaxOperand &operand, Type type, bool allowWider, Operand &result) {
  switch (operand.kind) {
  case SyntaxOperand::Name:
    if (operand.negated && type != Type::Pred)
      return expected("no '!'", operand.name);
    if (!operand.second.empty())
      return expected("one register", operand.name + "|" + operand.second);
    if (!readName(operand, type, allowWider, result))
      return false;
    result.negated = operand.negated;
    return true;
  case SyntaxOperand::Integer:
    if (type == Type::Pred || isFloat(type))
      return expected("an operand of type " + std::string(nameOf(type)), std::to_string(operand.value));
    result = scope.literal(operand.value, bitsOf(type));
    return true;
  case SyntaxOperand::Single:
    if (bitsOf(type) != 32)
      return expected("an operand of type " + std::string(nameOf(type)), "0f..");
    result = scope.literal(operand.value, 32);
    return true;
  case SyntaxOperand::Double: {
    if (bitsOf(type) == 64) {
      result = scope.literal(operand.value, 64);
      return true;
    }
    if (type != Type::F32)
      return expected("an operand of type " + std::string(nameOf(type)), "a number of double precision");
    double wide;
    memcpy(&wide, &operand.value, 8);
    float narrow = static_cast<float>(wide);
    uint32_t bits;
    memcpy(&bits, &narrow, 4);
    result = scope.literal(bits, 32);
    return true;
  }
  default:
    return fail("expected a value, got an address or a vector");
  }
}

bool Decoder::write(Type type, bool allowWider) {
  const SyntaxOperand *operand = takeOperand();
  if (!operand)
    return false;
  if (!operand->second.empty())
    return expected("one register", operand->name + "|" + operand->second);
  return addWrite(*operand, type, allowWider, instruction->operands.emplace_back());
}

bool Decoder::writePair(Type first, Type second) {
  const SyntaxOperand *operand = takeOperand();
  if (!operand || !addWrite(*operand, first, false, instruction->operands.emplace_back()))
    return false;
  SyntaxOperand other;
  other.name = operand->second.empty() ? "_" : operand->second;
  return addWrite(other, second, false, instruction->operands.emplace_back());
}

bool Decoder::read(Type type, bool allowWider) {
  const SyntaxOperand *operand = takeOperand();
  return operand && addRead(*operand, type, allowWider, instruction->operands.emplace_back());
}

bool Decoder::readConstant(uint64_t limit) {
  const SyntaxOperand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind != SyntaxOperand::Integer || operand->value > limit)
    return fail("expected a number of at most " + std::to_string(limit) + " in " + syntax->opcode);
  instruction->operands.push_back(scope.literal(operand->value, 64));
  return true;
}

bool Decoder::vector(Type type, std::initializer_list<uint32_t> lengths, bool writes, bool allowWider) {
  const SyntaxOperand *operand = takeOperand();
  if (!operand)
    return false;
  bool isVector = operand->kind == SyntaxOperand::Vector;
  Operand result;
  result.kind = Operand::Vector;
  result.elements.resize(isVector ? operand->elements.size() : 1);
  bool fits = false;
  for (uint32_t length : lengths)
    fits |= length == result.elements.size();
  if (!fits)
    return fail("expected another number of elements in " + syntax->opcode + ", got " +
                std::to_string(result.elements.size()));
  for (size_t i = 0; i < result.elements.size(); ++i) {
    const SyntaxOperand &element = isVector ? operand->elements[i] : *operand;
    if (!(writes ? addWrite(element, type, allowWider, result.elements[i])
                 : addRead(element, type, allowWider, result.elements[i])))
      return false;
  }
  instruction->operands.push_back(std::move(result));
  return true;
}

bool Decoder::address(uint32_t coordinates) {
  const SyntaxOperand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind != SyntaxOperand::Address || operand->elements.empty())
    return expected("an address in brackets", operand->name);
  SyntaxOperand base = operand->elements[0];
  int64_t offset = base.offset;
  Operand result;
  if (base.kind == SyntaxOperand::Name) {
    base.offset = 0;
    std::optional<Symbol> symbol = scope.find(base.name);
    bool wide = symbol && (symbol->kind == Symbol::Variable || symbol->bits == 64);
    if (!addRead(base, wide ? Type::B64 : Type::B32, false, result))
      return false;
  } else if (base.kind == SyntaxOperand::Integer) {
    result = scope.literal(base.value, 64);
  } else {
    return fail("expected a register, a variable or a number as an address");
  }
  result.kind = Operand::Address;
  result.offset = offset;
  if (operand->elements.size() - 1 > coordinates)
    return fail("expected at most " + std::to_string(coordinates) + " coordinates in " + syntax->opcode);
  for (size_t i = 1; i < operand->elements.size(); ++i)
    if (!addRead(operand->elements[i], Type::B32, false, result.elements.emplace_back()))
      return false;
  instruction->operands.push_back(std::move(result));
  return true;
}

bool Decoder::target() {
  const SyntaxOperand *operand = takeOperand();
  if (!operand)
    return false;
  if (operand->kind != SyntaxOperand::Name)
    return fail("expected a label");
  Operand &result = instruction->operands.emplace_back();
  result.kind = Operand::Target;
  scope.useLabel(operand->name, static_cast<uint32_t>(code.instructions.size()),
                 static_cast<uint32_t>(instruction->operands.size() - 1), syntax->line);
  return true;
}
