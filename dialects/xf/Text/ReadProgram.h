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

/// Reads a program for MLIR's parser from the file `path`, or from standard input if `path` is "-". Scans the program
/// for contents on which the parser is known to crash (ScanSource.h). Also parses bytecode once, with the dialects of
/// `registry`, to find damage that ends the process. Fails if it finds such contents or damage. Also fails for a
/// folder, an endless device, or a file that cannot be read. On failure, prints one line to stderr, which begins with
/// `tool` or with the position in the text.
FailureOr<std::unique_ptr<llvm::MemoryBuffer>> readProgram(StringRef tool, StringRef path,
                                                           const DialectRegistry &registry);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_READPROGRAM_H
