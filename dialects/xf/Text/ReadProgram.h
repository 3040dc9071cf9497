//===- ReadProgram.h - Reading a program for the parser ---------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_TEXT_READPROGRAM_H
#define XF_DIALECTS_XF_TEXT_READPROGRAM_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace mlir::xf {

/// Reads the file `path`, or standard input if `path` is "-", provided that its text or bytecode is safe for MLIR's
/// parser (ScanSource.h); of bytecode, which may have any dialect of the registry, by reading it once. Fails for a
/// folder, an endless device, a file that cannot be read, and a hostile text. It then prints one line to stderr, which
/// names the tool or the place in the text.
FailureOr<std::unique_ptr<llvm::MemoryBuffer>> readProgram(StringRef tool, StringRef path,
                                                           const DialectRegistry &registry);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_READPROGRAM_H
