//===- ScanSource.h - A scan of text before MLIR parses it ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_TEXT_SCANSOURCE_H
#define XF_DIALECTS_XF_TEXT_SCANSOURCE_H

#include "mlir/Support/LLVM.h"
#include <optional>
#include <string>

namespace mlir::xf {

/// The largest number of bytes that a program may have.
inline constexpr uint64_t maxSourceBytes = 256ull << 20;

struct SourceProblem {
  unsigned line, column; ///< counted from 1
  std::string message;
};

/// Looks for text on which MLIR's parser is known to abort, read out of bounds or overflow its stack: a NUL byte, an
/// unterminated string, brackets nested deeper than 256, `{-#` file metadata, a result number above 2^16 in `%x#n`.
/// Also looks for control characters and bytes that are no UTF-8, because messages show lines of the text on terminals.
/// Returns the first problem, in time linear in the text.
std::optional<SourceProblem> scanSource(StringRef text);

/// Looks for brackets in MLIR's bytecode that are nested so deeply that the parser is known to overflow its stack.
/// Bytecode holds some attributes and types as text, which the parser reads. The first problem is at line 1, and its
/// column is the number of the byte.
std::optional<SourceProblem> scanBytecode(StringRef bytes);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_TEXT_SCANSOURCE_H
