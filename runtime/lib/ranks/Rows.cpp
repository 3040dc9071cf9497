//===- Rows.cpp - Rows of tokens in memory --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include <algorithm>
#include <cstring>

using namespace xfrt;
using plan::Interval;
using plan::TokenSet;

Rows::Rows(char *data, TokenSet tokens, Interval heads, int64_t headBytes)
    : data(data), set(std::move(tokens)), heads(heads), headBytes(headBytes) {
  firstRow.push_back(0);
  for (const Interval &interval : set)
    firstRow.push_back(firstRow.back() + interval.size());
}

char *Rows::find(int64_t token, int64_t head) const {
  auto next = std::upper_bound(set.begin(), set.end(), token, [](int64_t t, const Interval &i) { return t < i.begin; });
  if (next == set.begin() || token >= (next - 1)->end || head < heads.begin || head >= heads.end)
    return nullptr;
  int64_t row = firstRow[size_t(next - 1 - set.begin())] + token - (next - 1)->begin;
  return data + row * rowBytes() + (head - heads.begin) * headBytes;
}

/// Calls visit(rows, bytes) for each run of bytes of some heads, in the order of tokens.
template <typename Visit>
void Rows::visit(const TokenSet &tokens, Interval some, Visit visit) const {
  for (const Interval &interval : tokens) {
    char *first = find(interval.begin, some.begin);
    if (some == heads) {
      visit(first, interval.size() * rowBytes());
      continue;
    }
    for (int64_t t = 0; t < interval.size(); ++t)
      visit(first + t * rowBytes(), some.size() * headBytes);
  }
}

void Rows::pack(const TokenSet &tokens, Interval some, char *packed) const {
  visit(tokens, some, [&](const char *rows, int64_t bytes) {
    std::memcpy(packed, rows, size_t(bytes));
    packed += bytes;
  });
}

void Rows::merge(const TokenSet &tokens, Interval some, const char *packed, Merge merge) const {
  visit(tokens, some, [&](char *rows, int64_t bytes) {
    for (int64_t at = 0; at < bytes; at += headBytes, packed += headBytes)
      merge(rows + at, packed, headBytes);
  });
}

void Rows::copy(const TokenSet &tokens, const Rows &to) const {
  for (const Interval &interval : tokens) // which lies within an interval of either set
    std::memcpy(to.find(interval.begin, heads.begin), find(interval.begin, heads.begin),
                size_t(interval.size() * rowBytes()));
}
