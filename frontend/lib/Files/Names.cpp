//===- Names.cpp - Names of tensors in checkpoints -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Names.h"
#include "../Graph/Node.h"
#include "xf/safetensors.h"

#include "runtime/support/NamePattern.h"

#include <algorithm>
#include <cstring>

using namespace xf;
using namespace xf::detail;

/// Returns a few of the names in `values`, for a message.
static std::string someNames(const StateDict &values) {
  constexpr int most = 3;
  std::string list;
  int count = 0;
  for (const auto &[name, value] : values)
    if (count++ < most)
      list += (list.empty() ? ": '" : ", '") + name + "'";
  return list + (count > most ? ", .." : "");
}

/// Returns the transpose of a matrix.
static Array transposed(const Array &matrix, Here here) {
  int64_t rows = matrix.shape()[0], columns = matrix.shape()[1];
  Array result(matrix.dtype(), {columns, rows}, here);
  size_t size = size_of(matrix.dtype());
  const std::byte *from = matrix.bytes().data();
  std::byte *to = result.bytes().data();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      std::memcpy(to + (column * rows + row) * size, from + (row * columns + column) * size, size);
  return result;
}

void xf::detail::transposeMatching(StateDict &values, const std::vector<std::string> &patterns, Here here) {
  for (const std::string &pattern : patterns)
    expect(std::any_of(values.begin(), values.end(),
                       [&](const auto &entry) { return xfrt::matchesName(pattern, entry.first); }),
           here, "expected a tensor to transpose, got '", pattern, "', which is none of ", values.size(),
           someNames(values));
  for (auto &[name, value] : values) {
    if (!xfrt::matchesAny(patterns, name))
      continue;
    expect(value.shape().size() == 2, here, "expected a matrix to transpose, got '", name, "' of shape ",
           Shape(value.shape().begin(), value.shape().end()));
    value = transposed(value, here);
  }
}

StateDict xf::rename(const StateDict &values, const std::vector<std::pair<std::string, std::string>> &rules,
                     Here here) {
  StateDict renamed;
  std::vector<bool> used(rules.size() + 1);
  for (const auto &[name, value] : values) {
    std::string target = name;
    used[xfrt::renameByFirst(rules, target)] = true;
    expect(renamed.emplace(target, value).second, here, "expected distinct names after renaming, got '", target,
           "' twice");
  }
  for (size_t rule = 0; rule < rules.size(); ++rule)
    expect(used[rule], here, "expected rules that apply to a name, got '", rules[rule].first,
           "', which applies to none of ", values.size(), someNames(values));
  return renamed;
}
