//===- performer.cpp - Performer against performer-pytorch ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-performer %S/Inputs/performer.txt %S/Inputs/performer_hyperbolic.txt %S/Inputs/performer_bidirectional.txt %t | FileCheck %s
// RUN: %compare %t/favor reference f64 ids
// RUN: %compare %t/favor reference f32 ids
// RUN: %compare %t/hyperbolic reference f64 ids
// RUN: %compare %t/hyperbolic reference f32 ids
// RUN: %compare %t/favor cuda f32 ids
// RUN: %compare %t/hyperbolic cuda f32 ids
// RUN: %compare %t/sliced reference f64 ids
// RUN: %compare %t/bidirectional reference f64 ids targets
// RUN: %compare %t/bidirectional reference f32 ids targets
// RUN: %compare %t/bidirectional cuda f32 ids targets
// A gradient for 512 tokens in slices of 64 takes less than a third of the memory.
// RUN: xfc explain %t/memory.mlir | sed -n "s/.*entry '\(.*\)': .* arena of \([0-9]*\) bytes.*/\2 \1/p" > %t/arenas
// RUN: awk '{print ($2 == "sliced" ? 3 : 1) * $1, $2}' %t/arenas | sort -n | FileCheck %s --check-prefix=ARENA
// ARENA: sliced
// ARENA-NEXT: whole

#include "models/Model.h"

using namespace xf;
using models::Performer, models::PerformerOptions;

static PerformerOptions small(Feature feature, int64_t slice = 0) {
  return {.vocabulary = 29,
          .width = 16,
          .layers = 2,
          .heads = 2,
          .hidden = 64,
          .features = 12,
          .feature = feature,
          .slice = slice};
}

static test::Outputs outputs(const Performer &model, const std::vector<Tensor> &inputs) {
  test::Outputs all = {{"logits", model(inputs[0])}};
  if (!model.options.causal)
    all.push_back({"loss", model.masked_loss(inputs[0], inputs[1])});
  return all;
}

static void check(const PerformerOptions &options, const std::string &golden, const std::string &folder,
                  const std::vector<Dtype> &dtypes = {f64, f32}) {
  test::check<Performer>({.golden = golden,
                          .folder = folder,
                          .make = [&] { return Performer(options); },
                          .checkpoint = Performer::checkpoint(),
                          .run = outputs,
                          .dtypes = dtypes});
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

/// Saves gradients of the same model, computed at once and in slices.
static void saveGradients(const std::string &path) {
  Performer model({.vocabulary = 32, .width = 32, .layers = 3, .heads = 2, .hidden = 128, .features = 16});
  Program program("memory", model);
  auto loss = [&](const Tensor &ids, const Tensor &targets) { return cross_entropy(model(ids), targets); };
  for (auto [name, slice] : {std::pair("whole", 0), std::pair("sliced", 64)}) {
    model.options.slice = slice;
    program.entry(name, {{"ids", i32, {4, 512}}, {"targets", i32, {4, 512}}}, value_and_grad(model, loss));
  }
  program.save(path);
}

int main(int, char **arguments) {
  std::string folder = arguments[4];
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  check(small(Feature::favor), arguments[1], folder + "/favor");
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  check(small(Feature::hyperbolic), arguments[2], folder + "/hyperbolic");
  // The last of the slices is shorter.
  // CHECK: f64: 1 of 1 results, 31 of 31 gradients, of 31 parameters
  check(small(Feature::hyperbolic, 3), arguments[2], folder + "/sliced", {f64});
  // Masked tokens, and a loss of those alone.
  // CHECK: f64: 2 of 2 results, 31 of 31 gradients, of 31 parameters
  // CHECK: f32: 2 of 2 results, 31 of 31 gradients, of 31 parameters
  PerformerOptions bidirectional = small(Feature::favor);
  bidirectional.causal = false;
  check(bidirectional, arguments[3], folder + "/bidirectional");
  // CHECK: proteins: 76247069 parameters
  std::printf("proteins: %ld parameters\n", long(Performer(PerformerOptions::protein()).parameter_count()));
  // CHECK: another step: different
  // CHECK: another seed: different
  // CHECK: the first again: equal
  // CHECK: layers: different
  redraw();
  saveGradients(folder + "/memory.mlir");
}
