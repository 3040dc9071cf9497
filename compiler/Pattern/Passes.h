//===- Passes.h - The pattern stage -----------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_PASSES_H
#define XF_COMPILER_PATTERN_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Pattern/Passes.h.inc"

} // namespace mlir::xf

#endif // XF_COMPILER_PATTERN_PASSES_H
