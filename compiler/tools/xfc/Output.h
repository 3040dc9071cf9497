//===- Output.h - Writing files whole or not at all ------------*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_OUTPUT_H
#define XF_COMPILER_TOOLS_XFC_OUTPUT_H

#include "mlir/Support/LLVM.h"
#include <string>

namespace mlir::xf {

/// Writes `bytes` to `path` (stdout for "-" and ""): a temporary file in the same folder, then a rename. On failure `error` says why and nothing of
/// an older file is lost.
LogicalResult writeWhole(StringRef path, StringRef bytes, std::string &error);

/// Links an object into a shared library or an archive with a tool of the system (ld.lld, ld or cc; llvm-ar or ar), started without a shell.
LogicalResult linkShared(StringRef object, StringRef path, std::string &error);
LogicalResult archive(StringRef object, StringRef name, StringRef path, std::string &error);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OUTPUT_H
