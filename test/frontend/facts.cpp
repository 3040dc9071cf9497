//===- facts.cpp - What the compiler proves of patterns -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-facts | FileCheck %s

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

static void count(const Pattern &pattern, int64_t tokens, int64_t head = 0) {
  try {
    std::printf("%lld\n", static_cast<long long>(pairs(pattern, tokens, head)));
  } catch (const Error &error) {
    std::printf("%s\n", error.what());
  }
}

static void prove(const Pattern &pattern) { std::printf("%s\n", is_causal(pattern) ? "causal" : "not causal"); }

int main() {
  // The specification's figures.
  // CHECK: 40
  count(strided(4).column(), 16);
  // CHECK-NEXT: 48144
  count(strided(32), 1024);
  // CHECK-NEXT: 549756338176
  count(causal(), 1 << 20);
  // CHECK-NEXT: 5050
  // CHECK-NEXT: 676
  count(heads({causal(), strided(8).column()}), 100, 0);
  count(heads({causal(), strided(8).column()}), 100, 3);
  // Each head draws its own keys.
  // CHECK-NEXT: 9
  // CHECK-NEXT: 11
  // CHECK-NEXT: 6
  for (int64_t head : {0, 1, 3})
    count(causal() & random(2, 5), 8, head);
  // CHECK-NEXT: {{.*}}facts.cpp:{{[0-9]+}}:{{.*}}expected from 1 to 1048576 tokens to count the pairs of, got 0
  // CHECK-NEXT: {{.*}}expected a pattern that is known without its operands to count, got #xf.segments
  // CHECK-NEXT: {{.*}}expected the number of a head, got -1
  count(causal(), 0);
  count(segments(), 16);
  count(causal(), 16, -1);

  // CHECK-NEXT: causal
  // CHECK-NEXT: causal
  // CHECK-NEXT: causal
  // CHECK-NEXT: not causal
  // CHECK-NEXT: not causal
  prove(strided(128));
  prove(segments() & causal());
  prove(pattern([](Index i, Index j) { return j <= i && (i - j) % 3 == 0; }));
  prove(dense());
  prove(causal() | global({0}));
}
