//===- SolvePatterns.h - The pattern stage ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SOLVEPATTERNS_H
#define XF_COMPILER_PATTERN_SOLVEPATTERNS_H

#include "mlir/Pass/Pass.h"

namespace mlir::xf {

/// xf-solve-patterns: adds the attribute `solution` to every xf.attention and xf.attention_vjp (see SolvePatterns.cpp).
std::unique_ptr<Pass> createSolvePatternsPass();
void registerSolvePatternsPass();

} // namespace mlir::xf

#endif // XF_COMPILER_PATTERN_SOLVEPATTERNS_H
