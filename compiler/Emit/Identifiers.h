//===- Identifiers.h - C identifiers from users' names ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns names into C identifiers, literals and comments. Names of models, entries and tensors are arbitrary UTF-8: they
// may contain quotes, newlines or ends of comments, be keywords, and have up to 64 KB. No other code writes names to
// headers.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_IDENTIFIERS_H
#define XF_COMPILER_EMIT_IDENTIFIERS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace mlir::xf {

/// Returns `text` as letters, digits and underscores, not starting with a digit. Distinct texts have distinct results.
/// Leaves ordinary names unchanged. Any other byte becomes _xNN, and names past 128 bytes end in a hash. The result may
/// be a keyword of C.
std::string cIdentifier(StringRef text);

/// The identifiers of one scope of C or C++. No two names get the same identifier. No identifier is a keyword or
/// reserved for the implementation.
class IdentifierScope {
public:
  /// Creates a scope in which the surrounding text already uses the identifiers `taken`.
  explicit IdentifierScope(ArrayRef<StringRef> taken = {});

  /// Returns an unused identifier for `name`, and marks the identifier as used. Returns cIdentifier(name) if this
  /// identifier is unused, else cIdentifier(name) with a suffix.
  std::string add(StringRef name);

private:
  llvm::StringSet<> used;
};

/// Returns `text` as a C string literal with quotes, in printable ASCII.
std::string cStringLiteral(StringRef text);

/// Returns `text` as one short line of printable ASCII that cannot end a comment around it.
std::string cCommentText(StringRef text);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_IDENTIFIERS_H
