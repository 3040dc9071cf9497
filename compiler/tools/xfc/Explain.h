//===- Explain.h - What a program's attentions cost ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_EXPLAIN_H
#define XF_COMPILER_TOOLS_XFC_EXPLAIN_H

#include "compiler/tools/xfc/options/Options.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// The report of `xfc explain` on a program: pieces, pairs, work and memory of each attention, and launches, copies and
/// arena of each entry.
struct Explanation {
  std::string text;                ///< readable lines or, with options.json, a JSON array of objects
  llvm::json::Array attentions;    ///< the objects of this array, with the tiles that pictures of the page show
  llvm::json::Array kernels;       ///< names and resources of the kernels, if the target limits resources
  OwningOpRef<ModuleOp> scheduled; ///< the program after the stage `memory`, or null if it cannot be compiled
};

/// Explains a program. Leaves `module` in the state after the stage `pattern`. Explanation::attentions are in the order
/// of this module. Fails, after an error, if a stage fails.
FailureOr<Explanation> explain(ModuleOp module, const XfcOptions &options);

/// Returns the location of an op as "file:line:column", or "unknown".
std::string locationText(Location location);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_EXPLAIN_H
