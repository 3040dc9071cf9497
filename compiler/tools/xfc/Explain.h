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

/// Reports what a program costs, for `xfc explain`: pieces, pairs, work and memory of each attention, launches and
/// arena of each entry. Returns lines for people or, with options.json, an array of objects. Leaves `module` as the
/// stage `pattern` does. Fails after an error of a stage.
FailureOr<std::string> explain(ModuleOp module, const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_EXPLAIN_H
