//===- Translate.h - From the graph to the text of a module -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The border between two worlds: the graph is ordinary C++ with exceptions, everything behind this header is MLIR
// without.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_TRANSLATE_H
#define XF_FRONTEND_TRANSLATE_TRANSLATE_H

#include "../Graph/ProgramData.h"

namespace xf::detail {

struct TranslatedText {
  std::string text;
  /// "file:line:column: ..", where the module does not verify; empty otherwise.
  std::string error;
};

/// `withLocations`: every operation names the user's line, so that later errors do.
TranslatedText translateToText(const std::string &name, const std::vector<ResolvedEntry> &entries, Scopes &scopes,
                               bool withLocations);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_TRANSLATE_H
