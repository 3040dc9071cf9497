//===- bert.cpp - BERT and sentence embeddings against transformers -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: models-bert %S/Inputs/bert.txt %S/Inputs/bert_residual.txt %t | FileCheck %s
// RUN: %compare %t reference f64 ids lengths types
// RUN: %compare %t reference f32 ids lengths types
// RUN: %compare %t cuda f32 ids lengths types
// RUN: %compare %t/residual reference f64 ids lengths types
// RUN: %compare %t/residual reference f32 ids lengths types
// RUN: %compare %t/residual cuda f32 ids lengths types

#include "models/Model.h"

using namespace xf;
using models::Bert, models::BertOptions;

/// The hidden states of valid tokens, whose number is that of the reference.
static test::Outputs run(const Bert &model, const std::vector<Tensor> &inputs) {
  Tensor ids = inputs[0], lengths = inputs[1], hidden = model(ids, lengths, inputs[2]);
  Tensor valid = reshape(arange(7, i32), {1, 7, 1}) < reshape(lengths, {2, 1, 1});
  test::Outputs outputs = {{"hidden", where(valid, hidden, 0.0)}, {"pooled", model.pooled(hidden)}};
  if (!model.residual_scores)
    outputs.push_back({"embeddings", model.embed(ids, lengths)});
  return outputs;
}

int main(int, char **arguments) {
  // CHECK: 109482240 335141888 22713216
  for (const BertOptions &options : {BertOptions::base(), BertOptions::large(), BertOptions::minilm_l6()})
    std::printf("%lld ", static_cast<long long>(Bert(options).parameter_count()));
  std::puts("parameters");
  BertOptions options{.vocabulary = 31, .positions = 11, .width = 16, .layers = 2, .heads = 4, .hidden = 24};
  // CHECK: f64: 3 of 3 results, 39 of 39 gradients, of 39 parameters
  // CHECK: f32: 3 of 3 results, 39 of 39 gradients, of 39 parameters
  test::check<Bert>({.golden = arguments[1],
                     .folder = arguments[3],
                     .make = [&] { return Bert(options); },
                     .checkpoint = Bert::checkpoint(),
                     .run = run});
  options.layers = 3;
  options.residual_scores = true;
  // CHECK: f64: 2 of 2 results, 55 of 55 gradients, of 55 parameters
  // CHECK: f32: 2 of 2 results, 55 of 55 gradients, of 55 parameters
  test::check<Bert>({.golden = arguments[2],
                     .folder = std::string(arguments[3]) + "/residual",
                     .make = [&] { return Bert(options); },
                     .checkpoint = Bert::checkpoint(),
                     .run = run});
}
