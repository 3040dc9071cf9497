//===- NearestWord.h - What a misspelt word may mean -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_NEARESTWORD_H
#define XFRT_SUPPORT_NEARESTWORD_H

#include <string>
#include <string_view>
#include <vector>

namespace xfrt {

/// Returns the candidate with the smallest edit distance to `word`. Returns "" if `word` is unlikely to be a typo of
/// any candidate.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

/// Returns the end of an error about `word`, "; did you mean 'NEAREST'?", or "" if no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string> &candidates);

} // namespace xfrt

#endif // XFRT_SUPPORT_NEARESTWORD_H
