//===- ReduceFunctions.cpp - Fewer functions and results ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-reduce/Reducer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::xf;

static func::FuncOp functionOf(ModuleOp module, StringRef name) { return module.lookupSymbol<func::FuncOp>(name); }

static SmallVector<std::string> namesOf(ModuleOp module) {
  return llvm::map_to_vector(module.getOps<func::FuncOp>(),
                             [](func::FuncOp function) { return function.getName().str(); });
}

/// Tries to keep only one function. If that fails, drops each function that can be dropped.
static bool dropFunctions(Reducer &reducer) {
  SmallVector<std::string> names = namesOf(reducer.program());
  auto eraseOthers = [&](ModuleOp module, StringRef name) {
    for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (other.getName() != name)
        other.erase();
    return true;
  };
  if (names.size() > 1)
    for (StringRef name : names)
      if (reducer.attempt([&](ModuleOp module) { return eraseOthers(module, name); }))
        return true;
  bool isChanged = false;
  for (StringRef name : names)
    if (names.size() > 1)
      isChanged |= reducer.attempt([&](ModuleOp module) { return functionOf(module, name).erase(), true; });
  return isChanged;
}

static bool dropAttributes(Reducer &reducer, StringRef name) {
  bool isChanged = false;
  for (StringRef attribute : {"xf.autoregressive", "xf.vjp"})
    isChanged |= reducer.attempt(
        [&](ModuleOp module) { return static_cast<bool>(functionOf(module, name)->removeAttr(attribute)); });
  return isChanged;
}

/// Erases the results of a function whose bits are set in `erased`.
static bool eraseResults(func::FuncOp function, const llvm::BitVector &erased) {
  if (function.isExternal() || failed(function.eraseResults(erased)))
    return false;
  Operation *terminator = function.getBody().front().getTerminator();
  for (unsigned number = erased.size(); number-- > 0;)
    if (erased[number])
      terminator->eraseOperand(number);
  return true;
}

/// Tries to keep only one result of a function. If that fails, drops each result that can be dropped.
static bool dropResults(Reducer &reducer, StringRef name) {
  unsigned count = functionOf(reducer.program(), name).getNumResults();
  auto drop = [&](llvm::BitVector erased) {
    return reducer.attempt([&](ModuleOp module) { return eraseResults(functionOf(module, name), erased); });
  };
  for (unsigned number = 0; count > 1 && number < count; ++number)
    if (drop(llvm::BitVector(count, true).reset(number)))
      return true;
  bool isChanged = false;
  for (unsigned number = count; count > 2 && number-- > 0;) {
    llvm::BitVector one(functionOf(reducer.program(), name).getNumResults());
    isChanged |= drop(one.set(number));
  }
  return isChanged;
}

bool xf::reduceFunctions(Reducer &reducer) {
  bool isChanged = dropFunctions(reducer);
  for (StringRef name : namesOf(reducer.program())) {
    isChanged |= dropAttributes(reducer, name);
    isChanged |= dropResults(reducer, name);
  }
  return isChanged;
}
