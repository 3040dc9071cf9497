//===- CheckProgram.h - Verification of input modules -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_CHECKPROGRAM_H
#define XF_COMPILER_PIPELINE_CHECKPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::xf {

/// Verifies the preconditions of all stages that no single op's verifier can check:
///   C1 the module holds functions with bodies, of ranked tensors of f32, f64, f16, bf16, i32, i64 or i1
///   C2 functions hold ops of the dialect xf and constants, and end in func.return
///   C3 no tensor has 2^63 elements or bytes, even where another of its sizes is 0
///   C4 names of entries, arguments and results hold no NUL; arguments (results) of an entry have different names
///   C5 xf.updates of a result names exactly one argument, of the same type, and no two results name one argument
///   C6 a range belongs to integers and is not empty
///   C7 constants are dense tensors
/// Fails after one error, at the first violation.
LogicalResult checkProgram(ModuleOp module);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_CHECKPROGRAM_H
