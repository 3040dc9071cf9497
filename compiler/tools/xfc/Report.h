//===- Report.h - A program's costs as a page ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_REPORT_H
#define XF_COMPILER_TOOLS_XFC_REPORT_H

#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/tools/xfc/Explain.h"

namespace mlir::xf {

/// Returns an HTML page that shows the output of `xfc explain`, with pictures of patterns, of launches, of the arena,
/// and of work in relation to bytes. The page loads nothing: it contains its data as one block of JSON, and the style
/// and script files of the folder report. `module` is the program after the stage `pattern`, and `program` its text.
/// The page also shows the picture `maps` of weights, unless it is empty.
/// Fails, after an error, if a pattern has no solution at the size that the options ask for.
FailureOr<std::string> writeReport(ModuleOp module, const Explanation &explanation, const pattern::Picture &maps,
                                   StringRef program, const XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_REPORT_H
