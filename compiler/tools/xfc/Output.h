//===- Output.h - Writing files whole or not at all ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_OUTPUT_H
#define XF_COMPILER_TOOLS_XFC_OUTPUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::xf {

struct OutputFile {
  std::string path; ///< "-" and "" are stdout
  StringRef bytes;
};

/// Writes files that belong together. First writes each to a temporary file beside its path, then renames all temporary
/// files. On failure, `error` says why, and older files are unchanged. If a path is a symbolic link, the link stays,
/// and the file to which it leads is replaced.
LogicalResult writeWhole(ArrayRef<OutputFile> files, std::string &error);

/// Flushes stdout. Fails if some printed text could not be written, and stores the reason in `error`.
LogicalResult finishOutput(std::string &error);

/// Returns whether `path` is written in place instead of being replaced: stdout ("-" or ""), an open file of the
/// process
/// (/dev/stdout, /dev/fd/3), or an existing file that is not regular (/dev/null, a pipe).
bool isWrittenInPlace(StringRef path);

/// Links an object into a shared library and stores the library in `bytes`. Runs a linker of the system (ld.lld, ld or
/// cc) without a shell. On failure, `error` says why.
LogicalResult linkShared(StringRef object, std::string &bytes, std::string &error);

/// Stores in `bytes` an archive with one member, the object `object`, which has the name `name` in the archive. On
/// failure, `error` says why.
LogicalResult archive(StringRef object, StringRef name, std::string &bytes, std::string &error);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OUTPUT_H
