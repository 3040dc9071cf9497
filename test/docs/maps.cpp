//===- maps.cpp - The picture of a trained model in docs/learning.md ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: rm -rf %t && mkdir %t
// RUN: %cxx -std=c++20 -O1 -I%source/frontend/include %s -L%runtime_lib -Wl,-rpath,%runtime_lib -lxf -o %t/maps
// RUN: %t/maps %t/copying.svg | FileCheck %s
// RUN: grep -c 'head [01], darkest' %t/copying.svg | FileCheck %s --check-prefix=HEADS
// HEADS: 2
//
// Weights differ in their last digits from machine to machine, so the committed picture is not compared. To make it
// anew, run the second command with docs/figures/copying.svg.

#include <xf/xf.h>

#include <cstdio>
#include <random>

using namespace xf;

namespace {
/// Half of a sequence, which is repeated; and the number of symbols.
constexpr int64_t half = 12, tokens = 2 * half - 1, symbols = 16, batch = 32;

/// One causal block with two heads.
struct Model : nn::Module {
  nn::Embedding words{symbols, 32};
  nn::PositionEmbedding positions{tokens, 32};
  nn::LayerNorm norm1{32}, norm2{32};
  nn::MultiheadAttention attention{{.width = 32, .heads = 2, .pattern = causal()}};
  nn::MLP mlp{{.width = 32, .hidden = 64}};
  nn::Linear head{32, symbols};
  XF_MEMBERS(words, positions, norm1, attention, norm2, mlp, head)

  Tensor operator()(const Tensor &ids) const {
    Tensor x = positions(words(ids));
    x = x + attention(norm1(x));
    return head(x + mlp(norm2(x)));
  }
};
} // namespace

/// Draws symbols, twice in a row: all but the last one are inputs. Targets are the next symbols of the second half.
static Arrays draw(std::mt19937 &random) {
  Array ids(i64, {batch, tokens}), targets(i64, {batch, tokens});
  for (int64_t b = 0; b < batch; ++b) {
    std::vector<int64_t> drawn;
    for (int64_t n = 0; n < half; ++n)
      drawn.push_back(static_cast<int64_t>(random() % symbols));
    for (int64_t n = 0; n < tokens; ++n) {
      ids.at<int64_t>({b, n}) = drawn[n % half];
      targets.at<int64_t>({b, n}) = n + 1 < half ? -100 : drawn[(n + 1) % half];
    }
  }
  return {{"ids", ids}, {"targets", targets}};
}

int main(int, char **arguments) {
  Model model;
  Program program("copying", model);
  program.train_step(
      "train", model, {{"ids", i64, {batch, tokens}}, {"targets", i64, {batch, tokens}}},
      [&](Tensor ids, Tensor targets) { return cross_entropy(model(ids), targets); },
      optim::AdamW{.learning_rate = 0.01});
  program.entry("logits", {{"ids", i64, {batch, tokens}}}, model);
  program.attention_maps("logits");
  Executable run = program.compile();
  std::mt19937 random(1);
  float loss = 0;
  for (int step = 0; step < 300; ++step)
    loss = run("train", draw(random)).item<float>();
  // CHECK: loss below 0.2: yes
  std::printf("loss below 0.2: %s\n", loss < 0.2f ? "yes" : "no");

  Array maps = run("logits_maps", draw(random).at("ids")), first(f32, {2, tokens, tokens});
  std::copy_n(maps.data<float>().begin(), first.count(), first.data<float>().begin());
  // In the second half, a query attends to the symbol behind its own first occurrence.
  int64_t right = 0;
  for (int64_t i = half - 1; i < tokens; ++i) {
    auto weight = [&](int64_t j) { return std::max(first.at<float>({0, i, j}), first.at<float>({1, i, j})); };
    right += weight(i - half + 1) > 0.5f;
  }
  // CHECK-NEXT: rows that look at what they copy: {{1[0-2]}} of 12
  std::printf("rows that look at what they copy: %d of 12\n", static_cast<int>(right));
  xf::draw(first, {.title = "weights of a model that copies"}).save(arguments[1]);
}
