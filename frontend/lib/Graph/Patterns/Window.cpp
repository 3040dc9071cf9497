//===- Window.cpp - Dense, causal, windows and dilated windows -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MakePattern.h"

using namespace xf;
using namespace xf::detail;

static bool isInWindow(const Pair &pair, Bound left, Bound right) {
  return (!left.distance || pair.i - *left.distance <= pair.j) &&
         (!right.distance || pair.j <= pair.i + *right.distance);
}

static Properties propertiesOfWindow(Bound right) {
  return {.isCausal = right.distance && *right.distance <= 0, .isOfPositions = true};
}

static void expectWindow(Bound left, Bound right, Here here) {
  bool empty = left.distance && right.distance && -*left.distance > *right.distance;
  expect(!empty, here, "expected a window with -left <= right, got left = ", left.distance.value_or(0),
         ", right = ", right.distance.value_or(0));
}

Pattern xf::dense(Here here) { return makePattern(DenseSet(), here); }
bool DenseSet::has(const Pair &) const { return true; }
Properties DenseSet::properties() const { return propertiesOfWindow(unbounded); }

Pattern xf::causal(Here here) { return makePattern(CausalSet(), here); }
bool CausalSet::has(const Pair &pair) const { return pair.j <= pair.i; }
Properties CausalSet::properties() const { return propertiesOfWindow(0); }

Pattern xf::window(Bound left, Bound right, Here here) {
  expectWindow(left, right, here);
  return makePattern(WindowSet{left, right}, here);
}
bool WindowSet::has(const Pair &pair) const { return isInWindow(pair, left, right); }
Properties WindowSet::properties() const { return propertiesOfWindow(right); }

Pattern xf::dilated(Dilated parameters, Here here) {
  expectWindow(parameters.left, parameters.right, here);
  expectAtLeast(parameters.step, 1, "step", here);
  return makePattern(DilatedSet{parameters}, here);
}
bool DilatedSet::has(const Pair &pair) const {
  return isInWindow(pair, left, right) && floorMod(pair.i - pair.j, step) == 0;
}
Properties DilatedSet::properties() const { return propertiesOfWindow(right); }
