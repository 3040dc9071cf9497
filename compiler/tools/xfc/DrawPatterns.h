//===- DrawPatterns.h - Pictures of a program's patterns ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_DRAWPATTERNS_H
#define XF_COMPILER_TOOLS_XFC_DRAWPATTERNS_H

#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/tools/xfc/options/Options.h"
#include "llvm/Support/JSON.h"

namespace mlir::xf {

/// Draws the patterns of a module after the stage `pattern`, in a picture with one row for each distinct pattern and
/// size. `attentions` are the JSON objects Explanation::attentions of this module, in order, from which the picture
/// takes the tiles. Leaves out patterns that are not sets, and those whose pairs depend on operands of a call. Fails,
/// after one error, if no pattern is left.
FailureOr<pattern::Picture> drawPatterns(ModuleOp module, const llvm::json::Array &attentions,
                                         const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_DRAWPATTERNS_H
