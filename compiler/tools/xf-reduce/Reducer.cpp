//===- Reducer.cpp - A program that shrinks -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-reduce/Reducer.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::xf;

/// Erases unused ops, users first.
static void eraseDeadOps(func::FuncOp function) {
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

/// Erases unused arguments, except for those that a result updates.
static void eraseDeadArguments(func::FuncOp function) {
  DenseSet<Value> updated;
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    updated.insert(replacedArgument(function, number));
  llvm::BitVector dead(function.getNumArguments());
  for (BlockArgument argument : function.getArguments())
    dead[argument.getArgNumber()] = argument.use_empty() && !updated.contains(argument);
  (void)function.eraseArguments(dead);
}

static void eraseUnused(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    eraseDeadOps(function);
    if (SymbolTable::symbolKnownUseEmpty(function, module))
      eraseDeadArguments(function);
  }
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

bool Reducer::isInteresting() {
  ++tests;
  tested.insert(textOf(*best));
  return tester.isInteresting(*best).first == Tester::Interestingness::True;
}

bool Reducer::attempt(function_ref<bool(ModuleOp)> change, ModuleOp start) {
  OwningOpRef<ModuleOp> candidate = (start ? start : *best).clone();
  // Many changes give no valid program; what the verifier says of them is no news.
  ScopedDiagnosticHandler silent(candidate->getContext(), [](Diagnostic &) { return success(); });
  if (!change(*candidate))
    return false;
  eraseUnused(*candidate);
  if (failed(verify(*candidate)) || !tested.insert(textOf(*candidate)).second)
    return false;
  ++tests;
  if (tester.isInteresting(*candidate).first != Tester::Interestingness::True)
    return false;
  best = std::move(candidate);
  return true;
}
