//===- bigbird.cpp - BigBird's encoder against Hugging Face ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: models-bigbird %S/Inputs/bigbird.txt %t | FileCheck %s
// RUN: %python %S/Inputs/run_saved.py %t reference | FileCheck %s --check-prefix=OTHER
// RUN: %if simulator %{ %python %S/Inputs/run_saved.py %t cuda f32 | FileCheck %s --check-prefix=GPU %}
// OTHER-COUNT-2: reference: equal
// GPU: cuda: equal

#include "Golden.h"

#include <xf/models/bigbird.h>

using namespace xf;
using models::BigBirdOptions;

static models::BigBird make() {
  return models::BigBird({.width = 16,
                          .layers = 2,
                          .heads = 2,
                          .hidden = 32,
                          .vocabulary = 23,
                          .positions = 40,
                          .attention = {.block = 4, .random = 2, .seed = 5}});
}

/// The types of the golden case are absent, which means type 0: other types give other numbers, and lengths hide
/// tokens.
static void inputsCount() {
  models::BigBird model = make();
  Program program("bigbird", model);
  program.entry("states", {{"ids", i32, {1, 40}}, {"types", i32, {1, 40}}, {"lengths", i32, {1}}},
                [&](Tensor ids, Tensor types, Tensor lengths) {
                  return Results{{"plain", model(ids)},
                                 {"typed", model(ids, {.types = types})},
                                 {"short", model(ids, {.lengths = lengths})}};
                });
  Array ids(i32, {1, 40}), others(i32, {1, 40}), zeros(i32, {1, 40}), thirty(std::vector<int32_t>{30});
  for (size_t n = 30; n < 40; ++n)
    others.data<int32_t>()[n] = 7;
  Executable run = program.compile();
  Arrays first = run.call("states", {{"ids", ids}, {"types", zeros}, {"lengths", thirty}}),
         second = run.call("states", {{"ids", others}, {"types", zeros}, {"lengths", thirty}});
  auto same = [](const Array &a, const Array &b) {
    return std::equal(a.data<float>().begin(), a.data<float>().begin() + 30 * 16, b.data<float>().begin());
  };
  std::printf("type 0: %s, hidden tokens: %s\n", same(first.at("plain"), first.at("typed")) ? "equal" : "different",
              same(first.at("short"), second.at("short")) ? "hidden" : "seen");
}

int main(int argc, char **argv) {
  // CHECK: bigbird f64: 38 numbers, equal
  // CHECK: bigbird f32: 38 numbers, equal
  golden::compare(golden::settings(argc, argv), "bigbird", models::BigBird::huggingface(), make,
                  [](const models::BigBird &model, const std::vector<Tensor> &inputs) { return model(inputs[0]); });
  // CHECK: type 0: equal, hidden tokens: hidden
  inputsCount();
  // The numbers of Hugging Face's models without a pooler.
  // CHECK: base 126878208, large 358074368
  std::printf("base %ld, large %ld\n", long(models::BigBird(BigBirdOptions::base()).parameter_count()),
              long(models::BigBird(BigBirdOptions::large()).parameter_count()));
}
