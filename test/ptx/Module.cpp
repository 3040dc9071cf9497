//===- Module.cpp - A parsed PTX module -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/Module.h"
#include "test/ptx/execution/Cta.h"
#include "test/ptx/parsing/Parser.h"

#include <set>

using namespace xf::ptx;

Module::Module() : decoded(std::make_unique<Code>()) {}
Module::~Module() = default;

std::unique_ptr<Module> Module::parse(std::string_view text, std::string name, std::string &error) {
  std::unique_ptr<Module> module(new Module());
  module->name = std::move(name);
  Parser parser(text, *module, *module->decoded);
  if (!parser.parse()) {
    error = module->name + parser.error();
    return nullptr;
  }
  for (Kernel &kernel : module->kernels)
    for (uint32_t index = 0; index < module->decoded->functions.size(); ++index)
      if (module->decoded->functions[index].isKernel && module->decoded->functions[index].name == kernel.name)
        kernel.sharedBytes = layOutShared(*module->decoded, index) - sharedBase;
  return module;
}

const Kernel *Module::kernel(std::string_view name) const {
  for (const Kernel &kernel : kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

std::vector<std::string> Module::opcodes() const {
  std::set<std::string> found;
  for (const Instruction &instruction : decoded->instructions)
    if (!instruction.isImplicit)
      found.insert(decoded->opcodes[instruction.opcode]);
  return {found.begin(), found.end()};
}

uint32_t Code::opcodeIndex(const std::string &opcode) {
  for (uint32_t i = 0; i < opcodes.size(); ++i)
    if (opcodes[i] == opcode)
      return i;
  opcodes.push_back(opcode);
  return static_cast<uint32_t>(opcodes.size() - 1);
}
