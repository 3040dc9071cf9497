//===- Code.h - Decoded instructions of a module ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers, constants and special registers are rows of 32 lanes in the register file of a warp, so that an operation
// is a loop over lanes whatever its operands are. A row has 32-bit lanes; registers of 64 bits take two rows.
// Predicates are bit masks in a file of their own.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_CODE_H
#define XF_TEST_PTX_PARSING_CODE_H

#include "test/ptx/Module.h"
#include "test/ptx/parsing/Type.h"

#include <string>
#include <vector>

namespace xf::ptx {

struct Warp;
struct Instruction;

/// What became of an instruction: it is done, or waits and is tried again.
enum class Step { Done, Wait };
using Handler = Step (*)(Warp &warp, const Instruction &instruction, uint32_t mask);

/// A row or a predicate that instructions name.
struct Operand {
  enum Kind : uint8_t { None, Register, Predicate, Vector, Address, Target };
  Kind kind = None;
  bool negated = false; // a predicate after `!`
  bool isConstant = false;
  uint8_t bits = 0;   // of the register, as it is declared
  uint32_t slot = 0;  // of the row, of the predicate, or of the base of an address
  int64_t offset = 0; // of an address; the index of a target
  uint64_t value = 0; // of a constant
  std::vector<Operand> elements;
};

/// How control goes on after an instruction.
enum class Flow : uint8_t { Next, Branch, Table, Call, Return, Exit, Trap };

struct Instruction {
  Handler execute = nullptr;
  Flow flow = Flow::Next;
  bool aligned = false; // all lanes of the warp execute it together
  bool guardNegated = false;
  bool isImplicit = false; // not written in the text
  int32_t guard = -1;      // a predicate
  uint32_t line = 0;
  uint32_t opcode = 0; // index in Code::opcodes
  uint32_t function = 0;
  uint32_t variant[6] = {}; // what the handler makes of them
  std::vector<Operand> operands;
};

/// Where the value of a row comes from that no instruction writes.
enum class Source : uint8_t { Literal, Special, Shared, DynamicShared, Variable };

struct Constant {
  Source source = Source::Literal;
  bool wide = false; // 64 bits: two rows
  uint32_t slot = 0;
  uint32_t index = 0; // of the special register or variable
  uint64_t value = 0; // added to the address of a variable
};

/// Special registers that rows hold; %clock and the like are read when they are moved.
enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  NtidX,
  NtidY,
  NtidZ,
  CtaidX,
  CtaidY,
  CtaidZ,
  NctaidX,
  NctaidY,
  NctaidZ,
  Laneid,
  Warpid,
  Nwarpid,
  LanemaskEq,
  LanemaskLt,
  LanemaskLe,
  LanemaskGt,
  LanemaskGe,
  Zero,
  One,
  DynamicSharedSize,
  TotalSharedSize,
  Clock
};

struct SharedVariable {
  std::string name;
  uint32_t size = 0;
  uint32_t alignment = 1;
};

/// A parameter of a device function, in the local memory of its threads.
struct LocalRange {
  uint32_t offset = 0;
  uint32_t size = 0;
};

struct Function {
  std::string name;
  bool isKernel = false;
  bool isDefined = false;
  uint32_t first = 0, end = 0; // instructions
  uint32_t rows = 0;           // of registers and constants
  uint32_t predicates = 0;
  std::vector<Constant> constants;
  std::vector<LocalRange> parameters, results;
  std::vector<uint32_t> callees;
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Function> functions;
  std::vector<std::string> opcodes;
  std::vector<SharedVariable> shared;
  uint32_t localBytes = 0;           // of a thread
  uint32_t rows = 0, predicates = 0; // of a register file
  uint32_t dynamicSharedAlignment = 16;

  uint32_t opcodeIndex(const std::string &opcode);
};

/// Addresses in .param below this are those of a launch; above, local memory holds parameters of calls.
inline constexpr uint32_t localParameters = 1u << 20;
/// The first rows of every function swallow what `_` throws away.
inline constexpr uint32_t sinkRows = 2;

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_CODE_H
