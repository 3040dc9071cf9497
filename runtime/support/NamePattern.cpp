//===- NamePattern.cpp - Patterns of names --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NamePattern.h"

#include <algorithm>

using namespace xfrt;

bool xfrt::matchesName(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = std::string_view::npos, begin = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      begin = n; // the star stands for nothing so far
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++begin; // the last star takes one more character; earlier ones need not change
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool xfrt::matchesAny(const std::vector<std::string> &patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string &pattern) { return matchesName(pattern, name); });
}

/// Matches `prefix` with the beginning of `name`, and appends the text that each '*' matched to `parts`. Returns the
/// length of the matched text, or npos if the prefix does not match.
static size_t matchPrefix(const std::string &prefix, const std::string &name, std::vector<std::string> &parts) {
  size_t at = 0;
  for (char letter : prefix) {
    if (letter == '*') {
      size_t end = std::min(name.find('.', at), name.size());
      parts.push_back(name.substr(at, end - at));
      at = end;
    } else if (at < name.size() && name[at] == letter) {
      ++at;
    } else {
      return std::string::npos;
    }
  }
  return at;
}

/// Replaces the n-th '*' of `target` by the n-th of `parts`.
static std::string substitute(const std::string &target, const std::vector<std::string> &parts) {
  std::string result;
  size_t next = 0;
  for (char letter : target) {
    if (letter != '*')
      result += letter;
    else if (next < parts.size())
      result += parts[next++];
  }
  return result;
}

size_t xfrt::renameByFirst(const std::vector<RenameRule> &rules, std::string &name) {
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    std::vector<std::string> parts;
    size_t length = matchPrefix(rules[rule].first, name, parts);
    if (length == std::string::npos)
      continue;
    name = substitute(rules[rule].second, parts) + name.substr(length);
    return rule;
  }
  return rules.size();
}
