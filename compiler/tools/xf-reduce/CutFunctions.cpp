//===- CutFunctions.cpp - A part of what a function computes --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-reduce/Reducer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Identifies a function in any copy of the module. It does so by name, because each copy has its own function object.
struct Place {
  std::string function;

  func::FuncOp in(ModuleOp module) const { return module.lookupSymbol<func::FuncOp>(function); }
  Block &body(ModuleOp module) const { return in(module).getBody().front(); }
  Operation *op(ModuleOp module, unsigned number) const { return &*std::next(body(module).begin(), number); }
  /// Returns the number of ops before the terminator.
  unsigned numOps(ModuleOp module) const { return body(module).getOperations().size() - 1; }
};
} // namespace

/// Returns whether the value may become an argument. Integers may not: a test draws random numbers for arguments, and
/// random integers would be meaningless as positions.
static bool canBeArgument(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && type.getElementType().isFloat();
}

static void becomeArgument(func::FuncOp function, Value value) {
  unsigned number = function.getNumArguments();
  (void)function.insertArgument(number, value.getType(), {}, value.getLoc());
  value.replaceAllUsesWith(function.getArgument(number));
}

/// Makes the function return the results of `op` instead of its present results. Returns false if it returns the
/// results of `op` already, or if these are not tensors.
static bool returnResultsOf(func::FuncOp function, Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isTensor))
    return false;
  Operation *terminator = function.getBody().front().getTerminator();
  if (llvm::equal(terminator->getOperands(), op->getResults()))
    return false;
  terminator->setOperands(op->getResults());
  function.setType(FunctionType::get(function.getContext(), function.getArgumentTypes(), op->getResultTypes()));
  function.removeResAttrsAttr();
  return true;
}

/// Turns values into arguments: those that ops before op number `number` compute, and that this op or later ones use.
/// Returns false if there are none.
static bool takeAllBefore(const Place &place, ModuleOp module, unsigned number) {
  Block &body = place.body(module);
  Operation *first = place.op(module, number);
  auto isUsedLater = [&](Value value) {
    return llvm::any_of(value.getUsers(),
                        [&](Operation *user) { return !body.findAncestorOpInBlock(*user)->isBeforeInBlock(first); });
  };
  SmallVector<Value> values;
  for (Operation &op : llvm::make_range(body.begin(), first->getIterator()))
    llvm::copy_if(op.getResults(), std::back_inserter(values),
                  [&](Value value) { return canBeArgument(value) && isUsedLater(value); });
  for (Value value : values)
    becomeArgument(place.in(module), value);
  return !values.empty();
}

/// Finds, by bisection, the first op whose results are interesting, and makes the function return them. Bisection works
/// because an op that reads wrong numbers mostly computes wrong numbers.
static bool cutEnd(Reducer &reducer, const Place &place) {
  OwningOpRef<ModuleOp> start = reducer.program().clone();
  bool isChanged = false;
  for (unsigned first = 0, last = place.numOps(*start); first < last;) {
    unsigned middle = first + (last - first) / 2;
    auto cut = [&](ModuleOp module) { return returnResultsOf(place.in(module), place.op(module, middle)); };
    if (reducer.attempt(cut, *start))
      last = middle, isChanged = true;
    else
      first = middle + 1;
  }
  return isChanged;
}

/// Finds, by bisection, the last op before which all values may be arguments, and makes them arguments.
static bool cutStart(Reducer &reducer, const Place &place) {
  OwningOpRef<ModuleOp> start = reducer.program().clone();
  bool isChanged = false;
  for (unsigned first = 0, last = place.numOps(*start); first + 1 < last;) {
    unsigned middle = first + (last - first) / 2;
    if (reducer.attempt([&](ModuleOp module) { return takeAllBefore(place, module, middle); }, *start))
      first = middle, isChanged = true;
    else
      last = middle;
  }
  return isChanged;
}

/// Turns the results of an op into arguments, for one op after the other. This removes the ops that only these results
/// need. Begins with the last ops, because this removes the most.
static bool cutOps(Reducer &reducer, const Place &place) {
  bool isChanged = false;
  for (unsigned number = place.numOps(reducer.program()); number-- > 0;) {
    if (number >= place.numOps(reducer.program())) // ops before it went, too
      continue;
    isChanged |= reducer.attempt([&](ModuleOp module) {
      Operation *op = place.op(module, number);
      if (!llvm::all_of(op->getResults(), canBeArgument))
        return false;
      for (Value value : op->getResults())
        if (!value.use_empty())
          becomeArgument(place.in(module), value);
      return true;
    });
  }
  return isChanged;
}

/// Replaces each argument by the first argument of the same type.
static bool mergeArguments(Reducer &reducer, const Place &place) {
  bool isChanged = false;
  for (unsigned number = place.in(reducer.program()).getNumArguments(); number-- > 1;)
    isChanged |= reducer.attempt([&](ModuleOp module) {
      func::FuncOp function = place.in(module);
      if (number >= function.getNumArguments())
        return false;
      BlockArgument argument = function.getArgument(number);
      auto *same =
          llvm::find_if(function.getArguments(), [&](Value other) { return other.getType() == argument.getType(); });
      if (*same == argument)
        return false;
      argument.replaceAllUsesWith(*same);
      return true;
    });
  return isChanged;
}

/// Returns the functions with a body and without callers.
static SmallVector<Place> entriesOf(ModuleOp module) {
  SmallVector<Place> entries;
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, module))
      entries.push_back({function.getName().str()});
  return entries;
}

bool xf::cutFunctions(Reducer &reducer) {
  bool isChanged = false;
  for (const Place &place : entriesOf(reducer.program())) {
    isChanged |= cutEnd(reducer, place);
    isChanged |= cutStart(reducer, place);
    isChanged |= cutOps(reducer, place);
    isChanged |= mergeArguments(reducer, place);
  }
  return isChanged;
}
