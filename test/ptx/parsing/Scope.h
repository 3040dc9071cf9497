//===- Scope.h - Names of a PTX module and its functions --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_PARSING_SCOPE_H
#define XF_TEST_PTX_PARSING_SCOPE_H

#include "test/ptx/parsing/Code.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace xf::ptx {

/// What a name stands for.
struct Symbol {
  enum Kind { Register, Shared, DynamicShared, Variable, Local, Parameter, Function };
  Kind kind = Register;
  uint32_t bits = 0;  // of a register, 1 for a predicate
  uint32_t index = 0; // slot, variable, function
  uint32_t count = 0; // of registers that %r<count> declares
  uint64_t value = 0; // offset of a local variable, address of a parameter
  uint64_t size = 0;
};

/// Names of the module, of the function that is read, and of the blocks that are open in it. Labels are known at the
/// end of their function, so branches to them are resolved there.
class Scope {
public:
  explicit Scope(Code &code) : code(code) {}

  void beginFunction(uint32_t index);
  /// Resolves branches. Empty, or what is wrong with the line at `line`.
  std::string endFunction(uint32_t &line);
  void openBlock();
  /// False when no block is open.
  bool closeBlock();
  uint32_t depth() const { return static_cast<uint32_t>(open.size()); }
  Function &function() { return code.functions[functionIndex]; }

  /// False when the name is taken in the innermost block, or by the module where `ofModule`.
  bool declare(const std::string &name, const Symbol &symbol, bool ofModule = false);
  /// `%r<count>` or one register. False when the name is taken or there are too many.
  bool declareRegisters(const std::string &name, uint32_t bits, uint32_t count, bool isRange);
  std::optional<Symbol> find(const std::string &name) const;

  bool declareLabel(const std::string &name, uint32_t pc);
  /// Makes the operand a target of instruction `pc`, to be resolved.
  void useLabel(const std::string &name, uint32_t pc, uint32_t operand, uint32_t line);
  /// The targets of `name: .branchtargets a, b;`
  void declareTargets(const std::string &name, std::vector<std::string> labels);

  /// A row with a value.
  Operand constant(Constant constant, uint32_t bits);
  Operand literal(uint64_t value, uint32_t bits);

private:
  struct Block {
    uint32_t parent = 0;
    std::unordered_map<std::string, Symbol> names, ranges;
    std::unordered_map<std::string, uint32_t> labels;
    std::unordered_map<std::string, std::vector<std::string>> targets;
  };
  struct Use {
    std::string label;
    uint32_t block, pc, operand, line;
  };
  std::optional<uint32_t> findLabel(const std::string &name, uint32_t block) const;
  const std::vector<std::string> *findTargets(const std::string &name, uint32_t block) const;

  Code &code;
  uint32_t functionIndex = 0;
  std::unordered_map<std::string, Symbol> moduleNames;
  std::vector<Block> blocks;  // of the function, also those that are closed
  std::vector<uint32_t> open; // from the outermost
  std::vector<Use> uses;
  std::map<std::tuple<int, uint32_t, uint64_t, bool>, uint32_t> constants; // to their slots
};

} // namespace xf::ptx

#endif // XF_TEST_PTX_PARSING_SCOPE_H
