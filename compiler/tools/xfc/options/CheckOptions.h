//===- CheckOptions.h - What options of xfc go together --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_OPTIONS_CHECKOPTIONS_H
#define XF_COMPILER_TOOLS_XFC_OPTIONS_CHECKOPTIONS_H

#include "compiler/tools/xfc/options/Options.h"

namespace mlir::xf {

/// Verifies that the options are consistent and that no output would overwrite the program, before the program is read.
/// Also sets options that others imply: the model's name, the GPUs, the CPU and the mesh. Fails after printing one
/// line.
LogicalResult checkOptions(XfcOptions &options);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OPTIONS_CHECKOPTIONS_H
