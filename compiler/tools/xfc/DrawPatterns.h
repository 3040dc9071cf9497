//===- DrawPatterns.h - Pictures of a program's patterns ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_DRAWPATTERNS_H
#define XF_COMPILER_TOOLS_XFC_DRAWPATTERNS_H

#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/tools/xfc/Options.h"

namespace mlir::xf {

/// A row for every different pattern and size of a module that went through the stage `pattern`; patterns that are no
/// sets, or have run-time symbols, are left out. Fails with one error where nothing is left.
FailureOr<pattern::Picture> drawPatterns(ModuleOp module, const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_DRAWPATTERNS_H
