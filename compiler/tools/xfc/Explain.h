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

/// `xfc explain`: for each attention its pieces, pairs, work and memory, and for each entry its launches and arena; as
/// lines for people or, with options.json, an array of objects. `module` is then as the stage `pattern` leaves it.
/// Failure after an error of a stage.
FailureOr<std::string> explain(ModuleOp module, const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_EXPLAIN_H
