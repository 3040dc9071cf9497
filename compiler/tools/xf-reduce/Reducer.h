//===- Reducer.h - A program that shrinks -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XF_REDUCE_REDUCER_H
#define XF_COMPILER_TOOLS_XF_REDUCE_REDUCER_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Reducer/Tester.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::xf {

/// A program, and the test that decides which smaller programs may replace it.
class Reducer {
public:
  /// `tester` must outlive the reducer.
  Reducer(ModuleOp program, const Tester &tester) : best(program.clone()), tester(tester) {}

  /// Returns the smallest interesting program so far.
  ModuleOp program() const { return best.get(); }

  /// Returns whether the test finds the current program interesting.
  bool isInteresting();

  /// Applies `change` to a copy of `start` or, if `start` is null, of the current program. Then erases all that is
  /// unused. `change` returns whether it changed anything. The copy becomes the current program if it is valid, was
  /// never tested before, and is interesting. Returns whether it became the current program.
  bool attempt(function_ref<bool(ModuleOp)> change, ModuleOp start = nullptr);

  unsigned numTests() const { return tests; }

private:
  OwningOpRef<ModuleOp> best;
  const Tester &tester;
  llvm::StringSet<> tested; ///< the texts of tested programs
  unsigned tests = 0;
};

/// Erases functions, results of functions, and attributes of functions that are not needed. Like the three steps below,
/// repeats each kind of change as long as the program stays interesting, and returns whether it changed anything.
bool reduceFunctions(Reducer &reducer);
/// Shortens functions: returns earlier values in place of results, and takes later values as arguments.
bool cutFunctions(Reducer &reducer);
/// Simplifies single ops: replaces them by operands, drops clauses, and takes simpler patterns.
bool simplifyOps(Reducer &reducer);
/// Makes sizes of dimensions smaller, wherever they occur.
bool shrinkSizes(Reducer &reducer);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XF_REDUCE_REDUCER_H
