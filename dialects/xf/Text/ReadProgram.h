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

/// Reads the file `path`, or standard input if `path` is "-", provided that it is safe for MLIR's parser. Text and
/// bytecode are scanned for that (ScanSource.h). Bytecode, which may have ops of any dialect of the registry, is also
/// read once. Fails for a folder, an endless device, a file that cannot be read, and hostile contents. It then prints
/// one line to stderr, which names the tool or the place in the text.
FailureOr<std::unique_ptr<llvm::MemoryBuffer>> readProgram(StringRef tool, StringRef path,
                                                           const DialectRegistry &registry);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_READPROGRAM_H
