//===- Report.h - A program's costs as a page ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_REPORT_H
#define XF_COMPILER_TOOLS_XFC_REPORT_H

#include "compiler/tools/xfc/Explain.h"

namespace mlir::xf {

/// Returns a page of HTML that shows what `xfc explain` says, with pictures: patterns, launches, the arena, work beside
/// bytes. It loads nothing; its data are one block of JSON, and its style and script are the files of the folder
/// report. `module` is the program after the stage `pattern`, `program` its text. Fails, after an error, if a pattern
/// has no solution at the size that the options ask for.
FailureOr<std::string> writeReport(ModuleOp module, const Explanation &explanation, StringRef program,
                                   const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_REPORT_H
