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

/// Writes files that belong together: all of them as temporary files beside their places first, then a rename each. On
/// failure `error` says why, and older files are as they were. What is no regular file (/dev/null, a pipe) is written
/// in place.
LogicalResult writeWhole(ArrayRef<OutputFile> files, std::string &error);

/// Whether everything that was printed has arrived; otherwise `error` says why it has not.
LogicalResult finishOutput(std::string &error);

/// Whether `path` names something other than a regular file that exists or is to be made.
bool isWrittenInPlace(StringRef path);

/// The bytes of a shared library made of an object by a linker of the system (ld.lld, ld or cc), started without a
/// shell.
LogicalResult linkShared(StringRef object, std::string &bytes, std::string &error);

/// The bytes of an archive with the object as its member `name`.
LogicalResult archive(StringRef object, StringRef name, std::string &bytes, std::string &error);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_OUTPUT_H
