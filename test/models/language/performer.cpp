//===- performer.cpp - Performer against performer-pytorch ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-performer %S/Inputs/performer.txt %S/Inputs/performer_hyperbolic.txt %t | FileCheck %s
// RUN: %compare %t/favor reference f64 ids
// RUN: %compare %t/favor reference f32 ids
// RUN: %compare %t/hyperbolic reference f64 ids
// RUN: %compare %t/hyperbolic reference f32 ids
// RUN: %compare %t/favor cuda f32 ids
// RUN: %compare %t/hyperbolic cuda f32 ids

#include "models/Model.h"

using namespace xf;
using models::Performer, models::PerformerOptions;

static PerformerOptions small(Feature feature) {
  return {.vocabulary = 29, .width = 16, .layers = 2, .heads = 2, .hidden = 64, .features = 12, .feature = feature};
}

static void check(Feature feature, const std::string &golden, const std::string &folder) {
  test::check<Performer>(
      {.golden = golden,
       .folder = folder,
       .make = [&] { return Performer(small(feature)); },
       .checkpoint = Performer::checkpoint(),
       .run = [](const Performer &model,
                 const std::vector<Tensor> &inputs) { return test::Outputs{{"logits", model(inputs[0])}}; }});
}

/// Draws the features of a running program anew.
static void redraw() {
  Performer model(small(Feature::favor));
  Program program("performer", model);
  program.entry("logits", {{"ids", i32, {1, 5}}}, model);
  Executable run = program.compile();
  auto logits = [&](uint64_t seed, uint64_t step) {
    model.redraw(run.state_dict(), seed, step);
    Array ids(std::vector<int32_t>{3, 1, 28, 0, 14}, {1, 5});
    return test::doubles(run.call("logits", {{"ids", ids}}).at("logits"));
  };
  std::vector<double> first = logits(1, 5);
  std::printf("another step: %s\n", logits(1, 6) == first ? "equal" : "different");
  std::printf("another seed: %s\n", logits(2, 5) == first ? "equal" : "different");
  std::printf("the first again: %s\n", logits(1, 5) == first ? "equal" : "different");
  StateDict values = run.state_dict();
  std::printf("layers: %s\n",
              test::doubles(values.at(Performer::name(0))) == test::doubles(values.at(Performer::name(1)))
                  ? "equal"
                  : "different");
}

int main(int, char **arguments) {
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  check(Feature::favor, arguments[1], std::string(arguments[3]) + "/favor");
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  check(Feature::hyperbolic, arguments[2], std::string(arguments[3]) + "/hyperbolic");
  // CHECK: another step: different
  // CHECK: another seed: different
  // CHECK: the first again: equal
  // CHECK: layers: different
  redraw();
}
