//===- Explain.h - What a program's attentions cost ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_EXPLAIN_H
#define XF_COMPILER_TOOLS_XFC_EXPLAIN_H

#include "compiler/tools/xfc/Options.h"

namespace mlir::xf {

/// Returns a report for `xfc explain` on what a program costs: pieces, pairs, work and memory of each attention, and
/// launches, copies and arena of each entry. The report consists of readable lines or, with options.json, of a JSON
/// array of objects. Leaves `module` in the state after the stage `pattern`. Fails, after an error, if a stage fails.
FailureOr<std::string> explain(ModuleOp module, const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_EXPLAIN_H
