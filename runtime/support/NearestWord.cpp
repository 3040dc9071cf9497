//===- NearestWord.cpp - What a misspelt word may mean --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NearestWord.h"

#include <algorithm>

/// Returns the Levenshtein distance of two words. Keeps one row of the table of distances at a time.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string xfrt::nearest(std::string_view word, const std::vector<std::string> &candidates) {
  std::string best;
  size_t distance = std::min((word.size() + 2) / 3 + 1, word.size()); // a word with all letters replaced is no typo
  if (word.size() > 256)                                              // no typo of anything
    return best;
  for (const std::string &candidate : candidates)
    if (size_t d = editDistance(word, candidate); d < distance) {
      distance = d;
      best = candidate;
    }
  return best;
}

std::string xfrt::suggestion(std::string_view word, const std::vector<std::string> &candidates) {
  std::string near = nearest(word, candidates);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}
