//===- Scope.cpp - Names of a PTX module and its functions ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Scope.h"

using namespace xf::ptx;

/// Registers of one function, so that a register file stays below 64 MiB a warp.
static constexpr uint32_t maxRows = 1u << 19;

void Scope::beginFunction(uint32_t index) {
  functionIndex = index;
  blocks.assign(1, {});
  open.assign(1, 0);
  uses.clear();
  constants.clear();
  function().rows = sinkRows;
  function().predicates = 1; // the first swallows what `_` throws away
}

void Scope::openBlock() {
  blocks.push_back({open.back(), {}, {}, {}, {}});
  open.push_back(static_cast<uint32_t>(blocks.size() - 1));
}

bool Scope::closeBlock() {
  if (open.empty())
    return false;
  open.pop_back();
  return true;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool Scope::declare(const std::string &name, const Symbol &symbol, bool ofModule) {
  auto &names = ofModule || open.empty() ? moduleNames : blocks[open.back()].names;
  return names.emplace(name, symbol).second;
}

bool Scope::declareRegisters(const std::string &name, uint32_t bits, uint32_t count, bool isRange) {
  Symbol symbol;
  symbol.bits = bits;
  symbol.count = count;
  uint32_t rows = bits == 64 ? 2 : 1;
  uint32_t &next = bits == 1 ? function().predicates : function().rows;
  if (count > maxRows || next + uint64_t(count) * rows > maxRows)
    return false;
  symbol.index = next;
  next += count * rows;
  auto &names = isRange ? blocks[open.back()].ranges : blocks[open.back()].names;
  return names.emplace(name, symbol).second;
}

/// `%r12` is the twelfth of `%r`.
static std::optional<Symbol> inRange(const std::unordered_map<std::string, Symbol> &ranges, const std::string &prefix,
                                     uint64_t number) {
  auto found = ranges.find(prefix);
  if (found == ranges.end() || number >= found->second.count)
    return std::nullopt;
  Symbol symbol = found->second;
  symbol.index += static_cast<uint32_t>(number) * (symbol.bits == 64 ? 2 : 1);
  return symbol;
}

std::optional<Symbol> Scope::find(const std::string &name) const {
  size_t digits = name.find_last_not_of("0123456789") + 1;
  bool numbered = digits < name.size() && name.size() - digits < 10;
  std::string prefix = name.substr(0, digits);
  uint64_t number = numbered ? strtoull(name.c_str() + digits, nullptr, 10) : 0;
  for (size_t i = open.size(); i-- > 0;) {
    const Block &block = blocks[open[i]];
    if (auto found = block.names.find(name); found != block.names.end())
      return found->second;
    if (auto found = numbered ? inRange(block.ranges, prefix, number) : std::nullopt)
      return found;
  }
  auto found = moduleNames.find(name);
  return found == moduleNames.end() ? std::nullopt : std::optional(found->second);
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

bool Scope::declareLabel(const std::string &name, uint32_t pc) {
  return blocks[open.back()].labels.emplace(name, pc).second;
}

void Scope::declareTargets(const std::string &name, std::vector<std::string> labels) {
  blocks[open.back()].targets[name] = std::move(labels);
}

void Scope::useLabel(const std::string &name, uint32_t pc, uint32_t operand, uint32_t line) {
  uses.push_back({name, open.back(), pc, operand, line});
}

std::optional<uint32_t> Scope::findLabel(const std::string &name, uint32_t block) const {
  for (;; block = blocks[block].parent) {
    if (auto found = blocks[block].labels.find(name); found != blocks[block].labels.end())
      return found->second;
    if (block == 0)
      return std::nullopt;
  }
}

const std::vector<std::string> *Scope::findTargets(const std::string &name, uint32_t block) const {
  for (;; block = blocks[block].parent) {
    if (auto found = blocks[block].targets.find(name); found != blocks[block].targets.end())
      return &found->second;
    if (block == 0)
      return nullptr;
  }
}

std::string Scope::endFunction(uint32_t &line) {
  open.clear();
  for (const Use &use : uses) {
    line = use.line;
    Operand &operand = code.instructions[use.pc].operands[use.operand];
    if (auto label = findLabel(use.label, use.block)) {
      operand.offset = *label;
      continue;
    }
    const std::vector<std::string> *targets = findTargets(use.label, use.block);
    if (!targets)
      return "expected a label, got '" + use.label + "'";
    for (const std::string &target : *targets) {
      auto label = findLabel(target, use.block);
      if (!label)
        return "expected a label, got '" + target + "'";
      Operand element;
      element.kind = Operand::Target;
      element.offset = *label;
      operand.elements.push_back(element);
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Operand Scope::constant(Constant constant, uint32_t bits) {
  constant.wide = bits == 64;
  auto key = std::make_tuple(static_cast<int>(constant.source), constant.index, constant.value, constant.wide);
  auto found = constants.find(key);
  if (found == constants.end()) {
    constant.slot = function().rows;
    function().rows += constant.wide ? 2 : 1;
    function().constants.push_back(constant);
    found = constants.emplace(key, constant.slot).first;
  }
  Operand operand;
  operand.kind = Operand::Register;
  operand.isConstant = true;
  operand.bits = static_cast<uint8_t>(bits);
  operand.slot = found->second;
  operand.value = constant.value;
  return operand;
}

Operand Scope::literal(uint64_t value, uint32_t bits) {
  Constant constant;
  constant.value = bits < 64 ? value & ((uint64_t(1) << bits) - 1) : value;
  return this->constant(constant, bits);
}
