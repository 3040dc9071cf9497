//===- held.cpp - Weights that calls keep ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where calls keep weights in another order, new values still take effect: from a state dict, written into the arrays
// of state_dict, and from a training step.
//
// RUN: frontend-held | FileCheck %s

#include <xf/xf.h>

#include <cstdio>

using namespace xf;

static bool areEqual(const Array &a, const Array &b) {
  return std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin(), b.bytes().end());
}

int main() {
  nn::Linear model(64, 48, false);
  Program program("held", model);
  TensorSpec x{"x", f32, {1, 64}};
  program.entry("apply", {x}, model);
  program.train_step("train", model, {x}, [&](Tensor x) { return mean(square(model(x))); }, optim::SGD{.momentum = 0});
  Executable kept = program.compile({.hold_parameters = true}), read = program.compile();
  std::vector<float> values(64);
  for (size_t n = 0; n < values.size(); ++n)
    values[n] = float(n % 7) - 2;
  Array input(values, {1, 64}), last;
  auto show = [&](const char *what) {
    Array own = kept("apply", input), again = kept("apply", input);
    bool moves = !last.defined() || !areEqual(own, last);
    bool agrees = areEqual(own, read("apply", input)) && areEqual(own, again);
    std::printf("%s: %s, %s\n", what, moves ? "other values" : "the values of before", agrees ? "equal" : "different");
    last = own;
  };
  // CHECK: at first: other values, equal
  show("at first");
  // CHECK: loaded: other values, equal
  StateDict twice = {{"weight", Array(f32, {48, 64})}};
  for (size_t n = 0; n < 48 * 64; ++n)
    twice.at("weight").data<float>()[n] = float(n % 11) / 8 - .5f;
  for (const Executable &run : {kept, read})
    run.load_state_dict(twice);
  show("loaded");
  // CHECK: written: other values, equal
  for (const Executable &run : {kept, read})
    run.state_dict().at("weight").at<float>({3, 5}) = 9;
  show("written");
  // CHECK: trained: other values, equal
  for (const Executable &run : {kept, read})
    run("train", {input, .5f});
  show("trained");
  // CHECK: unchanged: the values of before, equal
  show("unchanged");
}
