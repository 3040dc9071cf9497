//===- NamePattern.h - Patterns of names -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_NAMEPATTERN_H
#define XFRT_SUPPORT_NAMEPATTERN_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xfrt {

/// Returns whether `name` as a whole matches `pattern`. Each `*` in the pattern stands for any characters, or none. The
/// time is at most the product of both lengths.
bool matchesName(std::string_view pattern, std::string_view name);

/// Returns whether `name` matches one of the patterns.
bool matchesAny(const std::vector<std::string> &patterns, std::string_view name);

/// A prefix of names and its replacement. A `*` in the prefix matches the characters up to the next '.'. The n-th `*`
/// of the replacement stands for the text that the n-th `*` of the prefix matched.
using RenameRule = std::pair<std::string, std::string>;

/// Replaces the prefix of `name` by the first rule that matches, and returns the index of this rule. If no rule
/// matches, leaves `name` unchanged and returns rules.size().
size_t renameByFirst(const std::vector<RenameRule> &rules, std::string &name);

} // namespace xfrt

#endif // XFRT_SUPPORT_NAMEPATTERN_H
