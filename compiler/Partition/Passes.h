//===- Passes.h - The partition stage ---------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_PASSES_H
#define XF_COMPILER_PARTITION_PASSES_H

#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::xf {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/Partition/Passes.h.inc"

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_PASSES_H
