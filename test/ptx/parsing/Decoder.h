//===- Decoder.h - From written instructions to handlers --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every family of instructions registers how its opcodes are decoded. A decoder takes the modifiers that it knows, then
// the operands in order; what is left over is an error, so nothing is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_DECODER_H
#define XF_TEST_PTX_PARSING_DECODER_H

#include "test/ptx/parsing/Code.h"
#include "test/ptx/parsing/Scope.h"
#include "test/ptx/parsing/Syntax.h"

#include <initializer_list>
#include <unordered_map>

namespace xf::ptx {

class Decoder {
public:
  Decoder(Scope &scope, Code &code) : scope(scope), code(code) {}

  /// Empty, or "expected .., got ..".
  std::string decode(const SyntaxInstruction &syntax, Instruction &instruction);

  /// Always false, so that a decoder may return it. The first failure counts.
  bool fail(const std::string &message);
  bool expected(const std::string &what, const std::string &got) {
    return fail("expected " + what + ", got '" + got + "'");
  }

  // Modifiers. `take` is true when the modifier is there, and takes it.
  bool take(std::string_view modifier);
  /// The index of the first of `modifiers` that is there, -1 for none.
  int takeOneOf(std::initializer_list<std::string_view> modifiers);
  /// The first modifier that is a type; a failure and Type::None where there is none.
  Type takeType();
  /// The first modifier that begins with `prefix`, empty where there is none.
  std::string takePrefix(std::string_view prefix);
  /// What takes an opcode's name apart beyond that.
  const std::string &text() const { return syntax->opcode; }

  // Operands, one after the other.
  size_t operandsLeft() const { return syntax->operands.size() - next; }
  const SyntaxOperand &peek() const { return syntax->operands[next]; }
  /// A register to write. `allowWider`: it may have more bits than the type.
  bool write(Type type, bool allowWider = false);
  /// A register, special register, number, or address of a variable.
  bool read(Type type, bool allowWider = false);
  /// A number that is known when the module is read, of at most `limit`.
  bool readConstant(uint64_t limit);
  /// `p|q` or `r|p`: both are written; `_` or nothing for the second throws it away.
  bool writePair(Type first, Type second);
  /// `{a, b}` of one of the lengths, or without braces where 1 is allowed.
  bool vector(Type type, std::initializer_list<uint32_t> lengths, bool writes, bool allowWider = false);
  /// `[base+offset]`. `coordinates`: `[base, {x, y}]` with at most that many, which become elements.
  bool address(uint32_t coordinates = 0);
  bool target();

  Scope &scope;
  Code &code;
  Instruction *instruction = nullptr;

  const SyntaxInstruction &current() const { return *syntax; }
  const SyntaxOperand *takeOperand(); // null and a failure at the end

private:
  bool addRead(const SyntaxOperand &operand, Type type, bool allowWider, Operand &result);
  bool addWrite(const SyntaxOperand &operand, Type type, bool allowWider, Operand &result);
  bool readName(const SyntaxOperand &operand, Type type, bool allowWider, Operand &result);
  bool readSpecial(const SyntaxOperand &operand, Type type, Operand &result);
  bool registerOf(const std::string &name, Type type, bool allowWider, Operand &result);
  bool finish();

  const SyntaxInstruction *syntax = nullptr;
  std::vector<std::string> modifiers; // taken ones are empty
  size_t next = 0;
  std::string failure;
};

using Decode = bool (*)(Decoder &decoder, Instruction &instruction);
using OpcodeTable = std::unordered_map<std::string_view, Decode>;

/// `add`, `sub`, `mul`, .. that integers and floats share, of an integer type.
bool decodeIntegerForm(Decoder &decoder, Instruction &instruction, std::string_view name, Type type);
/// The same of f16, bf16 and pairs of them.
bool decodeHalfForm(Decoder &decoder, Instruction &instruction, std::string_view name, Type type);
/// cp.async.bulk, for cp.async.
bool decodeBulkCopy(Decoder &decoder, Instruction &instruction);
bool decodeIntegerOp(Decoder &decoder, Instruction &instruction, int op, Type type, int sources);

/// All families; each is in a file of its own.
const OpcodeTable &opcodeTable();
void addAddressOps(OpcodeTable &table);
void addAtomicOps(OpcodeTable &table);
void addCountOps(OpcodeTable &table);
void addSelectOps(OpcodeTable &table);
void addIntegerOps(OpcodeTable &table);
void addLogicOps(OpcodeTable &table);
void addFloatOps(OpcodeTable &table);
void addCompareOps(OpcodeTable &table);
void addConvertOps(OpcodeTable &table);
void addMoveOps(OpcodeTable &table);
void addControlOps(OpcodeTable &table);
void addMemoryOps(OpcodeTable &table);
void addLaneOps(OpcodeTable &table);
void addBarrierOps(OpcodeTable &table);
void addMbarrierOps(OpcodeTable &table);
void addFenceOps(OpcodeTable &table);
void addMatrixOps(OpcodeTable &table);
void addWarpgroupOps(OpcodeTable &table);
void addCopyOps(OpcodeTable &table);

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_DECODER_H
