//===- LanguageProgram.cpp - What is compiled, and what determines a run -*- C++ -* -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LanguageProgram.h"

using namespace byte_lm;

xf::Program byte_lm::makeProgram(const SparseTransformer &model, const Options &options) {
  int64_t context = options.model.context;
  bool isShared = !options.mesh.empty();
  xf::Program program =
      isShared ? xf::Program("byte_lm", model, xf::Mesh(options.mesh)) : xf::Program("byte_lm", model);
  xf::Dim rows = options.batch, length = context;
  xf::optim::AdamW optimizer{.beta2 = 0.95, .weight_decay = 0.1, .clip_norm = 1, .decay_vectors = false};
  for (const xf::Mesh::Axis &axis : options.mesh) {
    if (axis.name == "data")
      rows = rows.over(axis.name);
    else
      length = length.over(axis.name, options.placement);
    optimizer.state_over.push_back(axis.name);
  }
  xf::TensorSpec tokens{"tokens", xf::i32, {rows, length}}, targets{"targets", xf::i32, {rows, length}};
  auto loss = [&](xf::Tensor tokens, xf::Tensor targets) { return xf::cross_entropy(model(tokens), targets); };
  program.train_step("train", model, {tokens, targets}, loss, optimizer);
  program.entry("evaluate", {tokens, targets}, loss);
  program.entry("logits", {{"tokens", xf::i32, {1, context}}},
                [&](xf::Tensor tokens) { return xf::cast(model(tokens), xf::f32); });
  return program;
}

xf::Metadata byte_lm::describeRun(const Options &options, const xf::programs::Corpus &corpus) {
  const ModelOptions &model = options.model;
  auto number = [](auto value) { return std::to_string(value); };
  return {{"layers", number(model.layers)},
          {"width", number(model.width)},
          {"heads", number(model.heads)},
          {"context", number(model.context)},
          {"stride", number(model.stride)},
          {"summary", number(model.summary)},
          {"pattern", model.pattern == PatternKind::fixed ? "fixed" : "strided"},
          {"tied", number(model.tied)},
          {"dtype", xf::name(model.dtype)},
          {"batch", number(options.batch)},
          {"rate", number(options.rate)},
          {"seed", number(options.seed)},
          {"text", number(corpus.fingerprint())}};
}
