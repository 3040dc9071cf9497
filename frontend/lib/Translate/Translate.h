//===- Translate.h - Translating a graph to MLIR text -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Translates the graph to the text of an MLIR module. This is the boundary between the graph, whose code uses
// exceptions, and MLIR code, which is compiled without exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_TRANSLATE_TRANSLATE_H
#define XF_FRONTEND_TRANSLATE_TRANSLATE_H

#include "../Graph/ProgramData.h"

namespace xf::detail {

struct TranslatedText {
  std::string text;
  /// First error, as "file:line:column: message", where the module does not verify; empty otherwise.
  std::string error;
};

/// Translates the resolved entries of a program to the text of an MLIR module. With `withLocations`, every operation
/// has its source location in the user's program, so that errors of later stages name that line. On failure sets
/// `error` of the result.
TranslatedText translateToText(const ProgramData &program, const std::vector<ResolvedEntry> &entries, Scopes &scopes,
                               bool withLocations);

} // namespace xf::detail

#endif // XF_FRONTEND_TRANSLATE_TRANSLATE_H
