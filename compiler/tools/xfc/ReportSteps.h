//===- ReportSteps.h - Launches and memory in a page ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_REPORTSTEPS_H
#define XF_COMPILER_TOOLS_XFC_REPORTSTEPS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// Returns an object for each entry of a module after the stage `memory`. It has the steps of the host program, in
/// order, with the buffers that each step may read or write. It also has all buffers, with their offsets in the arena.
/// A launch of an attention has the number of the attention (Explanation::attentions).
llvm::json::Array reportSteps(ModuleOp module);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_REPORTSTEPS_H
