//===- Identifiers.h - Users' names in C ---------------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of models, entries and tensors are any UTF-8: quotes, newlines, comment ends, keywords, 64 KB. What C sees of
// them is made here and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EMIT_IDENTIFIERS_H
#define XF_COMPILER_EMIT_IDENTIFIERS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace mlir::xf {

/// Letters, digits and underscores, not starting with a digit; distinct names give distinct results. Ordinary names
/// stay as they are; any other byte becomes _xNN, and names past 128 bytes end in a hash. May be a keyword of C.
std::string cIdentifier(StringRef text);

/// The identifiers of one scope of C or C++, each used once, none a keyword or reserved to the implementation.
class IdentifierScope {
public:
  /// `taken`: identifiers that the surrounding text uses itself.
  explicit IdentifierScope(ArrayRef<StringRef> taken = {});

  /// An identifier for `name`: its cIdentifier where that is free, else that with a suffix.
  std::string add(StringRef name);

private:
  llvm::StringSet<> used;
};

/// `text` as a literal of C, quotes included, in printable ASCII.
std::string cStringLiteral(StringRef text);

/// `text` for a comment: one short line of printable ASCII that cannot end the comment.
std::string cCommentText(StringRef text);

} // namespace mlir::xf

#endif // XF_COMPILER_EMIT_IDENTIFIERS_H
