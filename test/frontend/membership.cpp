//===- membership.cpp - Pairs of patterns, against the counts of the specification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-membership | FileCheck %s

#include <xf/pattern.h>

#include <cstdio>

using namespace xf;

/// Queries are the last ones of the key axis; those past its keys lie before the first.
static void count(const Pattern &pattern, int64_t queries, int64_t keys, const char *end) {
  int64_t pairs = 0;
  for (int64_t i = keys - queries; i < keys; ++i)
    for (int64_t j = 0; j < keys; ++j)
      pairs += contains(pattern, 0, i, j, keys);
  std::printf("%lld%s", static_cast<long long>(pairs), end);
}
static void count(const Pattern &pattern, int64_t size, const char *end = " ") { count(pattern, size, size, end); }

static void countAll(int64_t size, int64_t l, int64_t c) {
  count(strided(l).local(), size);
  count(strided(l).column(), size);
  count(strided(l), size);
  count(fixed(l, c).local(), size);
  count(fixed(l, c).column(), size);
  count(fixed(l, c), size);
  count(causal(), size, "\n");
}

static void sets() {
  // CHECK: 70 40 82 40 28 64 136
  countAll(16, 4, 1);
  // CHECK-NEXT: 864 676 1348 442 1800 2170 5050
  countAll(100, 8, 3);
  // CHECK-NEXT: 33264 16896 48144 16896 128128 143872 524800
  countAll(1024, 32, 8);

  // Slots cut the columns into disjoint parts; algebra counts a pair once; a lambda is a pattern like any other.
  // CHECK-NEXT: 0 28
  count(fixed(4, 1).column() & fixed(4, 1).slot(1).column(), 16);
  count(fixed(4, 1).column() | fixed(4, 1).column(), 16, "\n");
  // CHECK-NEXT: 0 0
  Pattern own = pattern([](Index i, Index j) { return j <= i && (i - j <= 4 || (i - j) % 4 == 0); });
  count(own - strided(4), 100);
  count(strided(4) - own, 100, "\n");
  // Blocks of 4 by 4 on and below the diagonal; the last of 10 is short. A global token's row and column.
  // CHECK-NEXT: 68 19
  count(block(4, causal()), 10);
  count(global({-1}), 10, "\n");
  // CHECK-NEXT: 70 20
  count(prefix(6), 10); // 6 x 10 and the triangle of 4
  count(keys({{1, 3}}, 5) - queries({{5, 10}}), 10, "\n");
}

int main() {
  sets();
  // Of a 3 x 4 grid: neighbours, always 9 of them where clamped; rows; shifted windows of 2 x 2, cut where tokens wrap.
  // CHECK-NEXT: 70 108 36 30
  count(window_nd({.extents = {3, 4}, .radius = {1, 1}}), 12);
  count(window_nd({.extents = {3, 4}, .radius = {1, 1}, .clamp = true}), 12);
  count(lift({.extents = {4, 3}, .axis = 0, .of = window(0)}), 12);
  count(swin({.extents = {3, 4}, .window = {2, 2}, .shift = {1, 1}}), 12, "\n");
  // Windows of 2 x 3 from (-1, -2) on, cut where the grid ends.
  // CHECK-NEXT: 50
  count(swin({.extents = {3, 4}, .window = {2, 3}, .shift = {1, 1}}), 12, "\n");
  // Five queries before the grid: what is clamped moves inside, the others lie a row or two above it.
  // CHECK-NEXT: 51 30 80 96 60
  count(window_nd({.extents = {3, 4}, .radius = {0, 1}, .clamp = true}), 17, 12, " ");
  count(window_nd({.extents = {3, 4}, .radius = {0, 1}}), 17, 12, " ");
  count(window_nd({.extents = {3, 4}, .radius = {1, 1}}), 17, 12, " ");
  count(lift({.extents = {3, 4}, .axis = 0, .of = causal()}), 17, 12, " ");
  count(swin({.extents = {3, 4}, .window = {2, 3}, .shift = {1, 1}}), 17, 12, "\n");
  // CHECK-NEXT: 10 0
  count(permute({3, 2, 1, 0}, causal()), 4);
  count(permute({3, 2, 1, 0}, causal()) - pattern([](Index i, Index j) { return j >= i; }), 4, "\n");
  // Of 4 positions in 3 layers: what is not later, by position in both orders and by token; depth only; the top layer.
  // CHECK-NEXT: 90 90 78 36 30
  count(grid({.layers = 3, .of = causal(), .granularity = Granularity::position}), 12);
  count(grid({.layers = 3, .of = causal(), .granularity = Granularity::position, .order = GridOrder::layer}), 12);
  count(grid({.layers = 3, .of = causal()}), 12);
  count(grid({.layers = 3, .of = dense(), .factorised = true}), 12);
  Grid top{.layers = 3, .of = causal(), .granularity = Granularity::position, .queries = GridQueries::top};
  count(grid(top), 12, "\n");
  // The last of 10 tokens in 3 layers stands alone at its position.
  // CHECK-NEXT: 64 28
  count(grid({.layers = 3, .of = causal(), .granularity = Granularity::position}), 10);
  count(grid({.layers = 3, .of = dense(), .factorised = true}), 10, "\n");
  try {
    contains(kernelized({}), 0, 0, 0, 1);
  } catch (const Error &error) {
    // CHECK-NEXT: expected a static pattern, got one with run-time parts, or one that is no set
    std::puts(error.message().c_str());
  }
}
