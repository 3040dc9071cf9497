//===- Pipeline.h - From a module to an object ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PIPELINE_PIPELINE_H
#define XF_COMPILER_PIPELINE_PIPELINE_H

#include "compiler/Pipeline/CompileOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

namespace mlir::xf {

/// Returns the names of the stages, in order.
ArrayRef<StringRef> stageNames();

/// Registers all dialects and translations that a compilation needs.
void registerForCompiling(DialectRegistry &registry);

/// Compiles a verified module of xf functions, and changes the module. Fails after an error, emitted at an operation.
FailureOr<Compiled> compile(ModuleOp module, const CompileOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_PIPELINE_PIPELINE_H
