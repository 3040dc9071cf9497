//===- ReadProgram.h - The text of a program, fit for the parser -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_TEXT_READPROGRAM_H
#define XF_DIALECTS_XF_TEXT_READPROGRAM_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace mlir::xf {

/// The text of the file `path`, or of standard input for "-", on which MLIR's parser is known to hold (ScanSource.h).
/// Failure after one line on stderr that names the tool or the place in the text: a folder, a device that never ends, a
/// file that cannot be read, a hostile text.
FailureOr<std::unique_ptr<llvm::MemoryBuffer>> readProgram(StringRef tool, StringRef path);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_READPROGRAM_H
