//===- ParseFunction.cpp - Reads the heads of functions of PTX ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/parsing/Parser.h"

using namespace xf::ptx;

static constexpr uint32_t maxParameterBytes = 32764;

bool Parser::functionItem(bool isKernel) {
  Function function;
  function.isKernel = isKernel;
  // A declaration and the definition share their entry; names of parameters are those of the definition.
  uint32_t index = static_cast<uint32_t>(code.functions.size());
  code.functions.push_back(function);
  scope.beginFunction(index);
  Function found;
  if (!isKernel && token.is("(") && !results(found))
    return false;
  std::string name;
  if (!word(name))
    return false;
  Kernel kernel;
  kernel.name = name;
  if (!parameters(found, isKernel ? &kernel : nullptr) || !performanceDirectives(isKernel ? &kernel : nullptr))
    return false;
  Function &entry = code.functions[index];
  entry.name = name;
  entry.parameters = found.parameters;
  entry.results = found.results;
  Symbol symbol;
  symbol.kind = Symbol::Function;
  symbol.index = index;
  if (std::optional<Symbol> declared = scope.find(name)) {
    Function &other = code.functions[declared->index];
    if (declared->kind != Symbol::Function || other.isDefined || token.is(";"))
      return fail("expected a new name, got '" + name + "' again");
    other.callees.push_back(index); // calls of the declaration are calls of this
  } else {
    scope.declare(name, symbol, true);
  }
  if (accept(";"))
    return !isKernel || fail("expected a body of kernel '" + name + "'");
  entry.isDefined = true;
  if (!body())
    return false;
  if (isKernel)
    module.kernels.push_back(std::move(kernel));
  return true;
}

bool Parser::results(Function &function) {
  if (!expect("("))
    return false;
  if (accept(")"))
    return true;
  Declaration declared;
  if (!expect(".param") || !declaration(declared))
    return false;
  uint64_t offset = allocateLocal(declared);
  function.results.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(declared.bytes())});
  Symbol symbol;
  symbol.kind = Symbol::Parameter;
  symbol.value = localParameters + offset;
  scope.declare(declared.name, symbol);
  return expect(")");
}

bool Parser::parameters(Function &function, Kernel *kernel) {
  if (!accept("("))
    return true;
  while (!accept(")")) {
    Declaration declared;
    if (!expect(".param") || !declaration(declared))
      return false;
    Symbol symbol;
    symbol.kind = Symbol::Parameter;
    if (kernel) {
      uint32_t offset = (kernel->parameterBytes + declared.alignment - 1) & ~(declared.alignment - 1);
      if (offset + declared.bytes() > maxParameterBytes)
        return fail("expected parameters of at most " + std::to_string(maxParameterBytes) + " bytes");
      kernel->parameters.push_back(
          {declared.name, offset, static_cast<uint32_t>(declared.bytes()), declared.alignment});
      kernel->parameterBytes = offset + static_cast<uint32_t>(declared.bytes());
      symbol.value = offset;
    } else {
      uint64_t offset = allocateLocal(declared);
      function.parameters.push_back({static_cast<uint32_t>(offset), static_cast<uint32_t>(declared.bytes())});
      symbol.value = localParameters + offset;
    }
    if (!scope.declare(declared.name, symbol))
      return fail("expected a new name, got '" + declared.name + "' again");
    if (!token.is(")") && !expect(","))
      return false;
  }
  return true;
}

bool Parser::dimensions(uint32_t (&values)[3]) {
  uint64_t value = 1;
  for (int i = 0; i < 3; ++i) {
    values[i] = 1;
    if (i > 0 && !accept(","))
      continue;
    if (!integer(value, 1 << 30))
      return false;
    values[i] = static_cast<uint32_t>(value);
  }
  return true;
}

bool Parser::performanceDirectives(Kernel *kernel) {
  Kernel ignored;
  Kernel &result = kernel ? *kernel : ignored;
  uint64_t value = 0;
  for (;;) {
    bool good = true;
    if (accept(".maxntid")) {
      good = dimensions(result.maxThreads);
    } else if (accept(".reqntid")) {
      good = dimensions(result.requiredThreads);
    } else if (accept(".minnctapersm")) {
      good = integer(value, 1 << 16);
      result.minBlocks = static_cast<uint32_t>(value);
    } else if (accept(".maxnreg")) {
      good = integer(value, 255);
      result.maxRegisters = static_cast<uint32_t>(value);
    } else if (accept(".pragma")) {
      good = skipTo(";");
    } else if (!accept(".noreturn")) {
      return true;
    }
    if (!good)
      return false;
  }
}

/// Moves the registers of device functions behind those of all kernels: both are live at a time.
bool Parser::finish() {
  uint32_t rows = 0, predicates = 0;
  for (const Function &function : code.functions) {
    rows = std::max(rows, function.isKernel ? function.rows : 0);
    predicates = std::max(predicates, function.isKernel ? function.predicates : 0);
  }
  auto move = [&](Operand &operand) {
    if (operand.kind == Operand::Register || operand.kind == Operand::Address)
      operand.slot += rows;
    else if (operand.kind == Operand::Predicate)
      operand.slot += predicates;
  };
  for (Function &function : code.functions) {
    if (function.isKernel || !function.isDefined)
      continue;
    for (uint32_t pc = function.first; pc < function.end; ++pc) {
      Instruction &instruction = code.instructions[pc];
      instruction.guard += instruction.guard >= 0 ? static_cast<int32_t>(predicates) : 0;
      for (Operand &operand : instruction.operands) {
        move(operand);
        for (Operand &element : operand.elements)
          move(element);
      }
    }
    for (Constant &constant : function.constants)
      constant.slot += rows;
    rows += function.rows;
    predicates += function.predicates;
  }
  code.rows = rows;
  code.predicates = predicates;
  return true;
}
