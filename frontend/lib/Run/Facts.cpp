//===- Facts.cpp - Properties that the compiler proves -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/facts.h"
#include "../Graph/Node.h"
#include "../Translate/Facts.h"

using namespace xf;
using namespace xf::detail;

int64_t xf::pairs(const Pattern &pattern, int64_t tokens, int64_t head, Here here) {
  Fact fact = countPairs(*pattern.node, tokens, head);
  expect(fact.error.empty(), here, fact.error);
  return fact.value;
}

bool xf::is_causal(const Pattern &pattern, Here here) {
  Fact fact = proveCausal(*pattern.node);
  expect(fact.error.empty(), here, fact.error);
  return fact.value != 0;
}
