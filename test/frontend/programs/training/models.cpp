//===- models.cpp - Every model of train_text -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "train_text/Models.h"

#include <gtest/gtest.h>

using namespace xf;
using namespace xf::programs;

static constexpr ModelSizes small{.width = 16, .layers = 1, .heads = 2, .length = 30};

/// Records a training step and the logits. Throws where the model has no such thing.
static std::string record(const std::string &name, Dtype dtype) {
  LanguageModel model = makeModel(name, small);
  model.module->to(dtype);
  Program program("model", *model.module);
  TensorSpec tokens{"tokens", i32, {2, small.length}}, targets{"targets", i32, {2, small.length}};
  program.train_step(
      "train", *model.module, {tokens, targets},
      [&](const Tensor &x, const Tensor &y) { return cross_entropy(model.logits(x), y); }, optim::AdamW{});
  program.entry("logits", {tokens}, [&](const Tensor &x) { return cast(model.logits(x), f32); });
  return program.str();
}

TEST(Models, TrainInBothElementTypes) {
  EXPECT_EQ(modelNames().size(), 10u);
  for (const std::string &name : modelNames())
    for (Dtype dtype : {f32, bf16})
      EXPECT_NE(record(name, dtype).find("-> (tensor<2x30x256xf32>"), std::string::npos) << name;
}

TEST(Models, HaveNames) { EXPECT_THROW(makeModel("gpt5", small), std::runtime_error); }

TEST(Models, HaveTheLayoutOfPublishedFiles) {
  LanguageModel model = makeModel("gpt2", small);
  Array matrix({{1.f, 2.f, 3.f}, {4.f, 5.f, 6.f}});
  StateDict weights = published(model, {{"h.0.mlp.c_fc.weight", matrix}, {"wte.weight", matrix}});
  EXPECT_EQ(weights.at("wte.weight").shape(), (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(weights.at("h.0.mlp.c_fc.weight").shape(), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(weights.at("h.0.mlp.c_fc.weight").at<float>({2, 0}), 3);
  EXPECT_EQ(weights.at("h.0.mlp.c_fc.weight").at<float>({0, 1}), 4);
}
