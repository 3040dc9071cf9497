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

/// A program, and the test that decides which smaller programs may take its place.
class Reducer {
public:
  /// `tester` must outlive the reducer.
  Reducer(ModuleOp program, const Tester &tester) : best(program.clone()), tester(tester) {}

  /// Returns the smallest program that was interesting so far.
  ModuleOp program() const { return best.get(); }

  /// Tests the program as it is.
  bool isInteresting();

  /// Applies `change`, which returns whether it changed anything, to a copy of `start` or, without one, of the program,
  /// and erases what nothing uses any more. If the copy is then valid, interesting, and was never tested before, it
  /// becomes the program. Returns whether it did.
  bool attempt(function_ref<bool(ModuleOp)> change, ModuleOp start = nullptr);

  unsigned numTests() const { return tests; }

private:
  OwningOpRef<ModuleOp> best;
  const Tester &tester;
  llvm::StringSet<> tested; ///< texts of programs
  unsigned tests = 0;
};

/// Each step below changes a kind of thing as long as the program stays interesting. Returns whether it changed any.
/// Functions and their results: erases other functions, drops attributes of functions, and results.
bool reduceFunctions(Reducer &reducer);
/// What a function computes: returns earlier values in place of its results, takes later ones as arguments.
bool cutFunctions(Reducer &reducer);
/// Single ops: replaces them by operands, drops clauses, takes simpler patterns.
bool simplifyOps(Reducer &reducer);
/// Sizes of dimensions, wherever they occur.
bool shrinkSizes(Reducer &reducer);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XF_REDUCE_REDUCER_H
