//===- minilm.cpp - Sentence embeddings from published weights ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: models-minilm WEIGHTS < IDS
//
// IDS are `batch tokens`, then for each sentence the number of its tokens and `tokens` ids. Prints an embedding a line.
// ../../minilm.py compares them; no test runs this program, since the weights are not the project's.
//
//===----------------------------------------------------------------------===//

#include <xf/models/bert.h>
#include <xf/xf.h>

#include <cstdio>
#include <iostream>

using namespace xf;

static Executable compile(const std::string &weights) {
  models::Bert model(models::BertOptions::minilm_l6());
  model.load_state_dict(load_safetensors(weights, models::Bert::checkpoint()));
  Dim batch = dim("batch", {.min = 1, .max = 256}), tokens = dim("tokens", {.min = 1, .max = 512});
  Program program("minilm", model);
  program.entry("embed", {{"ids", i32, {batch, tokens}}, {"lengths", i32, {batch}}},
                [&](Tensor ids, Tensor lengths) { return model.embed(ids, lengths); });
  return program.compile();
}

int main(int count, char **arguments) {
  if (count != 2)
    return std::puts("usage: models-minilm WEIGHTS < IDS"), 2;
  int64_t batch = 0, tokens = 0;
  std::cin >> batch >> tokens;
  Array ids(i32, {batch, tokens}), lengths(i32, {batch});
  for (int64_t n = 0; n < batch; ++n) {
    std::cin >> lengths.at<int32_t>({n});
    for (int64_t t = 0; t < tokens; ++t)
      std::cin >> ids.at<int32_t>({n, t});
  }
  try {
    Array embeddings = compile(arguments[1])("embed", {ids, lengths});
    for (int64_t n = 0; n < batch; ++n)
      for (int64_t d = 0; d < embeddings.shape()[1]; ++d)
        std::printf("%.9g%c", static_cast<double>(embeddings.at<float>({n, d})),
                    d + 1 < embeddings.shape()[1] ? ' ' : '\n');
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
