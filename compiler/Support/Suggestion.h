//===- Suggestion.h - What a wrong word may have meant ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_SUGGESTION_H
#define XF_COMPILER_SUPPORT_SUGGESTION_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>

namespace mlir::xf {

/// Returns a suggestion that names the word of `words` nearest to `given`. Returns an empty text if no word is near:
/// half of the letters may differ, and three at most.
template <typename Words>
std::string suggestion(llvm::StringRef given, const Words &words) {
  llvm::StringRef best;
  unsigned bestDistance = 1 + std::clamp<unsigned>(given.ltrim("-").size() / 2, 1, 3);
  for (llvm::StringRef word : words)
    if (unsigned distance = given.edit_distance(word, true, bestDistance); distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  return best.empty() ? "" : ("; did you mean " + best + "?").str();
}

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_SUGGESTION_H
