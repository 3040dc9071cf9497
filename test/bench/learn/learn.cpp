//===- learn.cpp - What attentions learn -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   learn TASK ATTENTION [--size=64] [--layers=2] [--width=64] [--heads=4] [--batch=32] [--steps=1000] [--every=100]
//         [--seed=1] [--rate=1000]
//
// Trains one encoder on a task of Tasks.h (listops, recall) and prints a line of JSON every so many steps: mean loss of
// the steps, and accuracy on sequences of another seed. The model, its data, initial weights and optimiser are those of
// every attention: pre-norm layers, learned positions, AdamW with a warm-up and a cosine; a class is that of the mean
// over the tokens. Attentions: dense, local, fixed and strided (causal, as in the Sparse Transformer), bigbird, linear
// and performer (FAVOR+, features that stay as they are drawn; published: with the epsilon and guard of the published
// code), and omninet, a stack of dense layers every fourth of which attends to the three before it; the last line then
// has the share of the maxima in its pool that come from each layer.
//
//===----------------------------------------------------------------------===//

#include "Tasks.h"

#include <xf/xf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace xf;

namespace {
struct Options {
  std::string task, attention;
  int64_t size = 64, layers = 2, width = 64, heads = 4, batch = 32, steps = 1000, every = 100, seed = 1;
  int64_t rate = 1000; ///< highest learning rate, in millionths
  bool isPerformer() const { return attention == "performer" || attention == "published"; }
  int64_t features() const { return 4 * width / heads; }
};

struct Layer : nn::Module {
  Pattern pattern;
  nn::LayerNorm norm1, norm2;
  nn::MultiheadAttention attention;
  Parameter projection;
  nn::MLP mlp;
  XF_MEMBERS(norm1, norm2, attention, projection, mlp)

  Layer(const Options &o, const Pattern &pattern)
      : pattern(pattern), norm1(o.width), norm2(o.width), attention({.width = o.width, .heads = o.heads}),
        mlp({.width = o.width, .hidden = 4 * o.width}) {
    if (o.isPerformer())
      projection = Parameter({o.features(), o.width / o.heads}, features_init());
  }
  Tensor operator()(Tensor x, const Tensor &lengths) const {
    AttentionOptions clauses{.pattern = pattern, .lengths = lengths};
    if (projection.defined())
      clauses.parameters = {projection};
    Tensor normal = norm1(x);
    x = x + attention(normal, normal, clauses);
    return x + mlp(norm2(x));
  }
};

/// The share of the maxima over the layers that come from each of them, in the pools of a stack that is applied to x.
/// Computes what nn::OmniNetBlock does.
Tensor poolShares(const nn::OmniNet &stack, const Tensor &x) {
  std::vector<Tensor> outputs = {x};
  Tensor shares;
  int64_t period = stack.options.partition, count = period - 1;
  for (size_t n = 0; n < stack.blocks.size(); ++n) {
    const nn::OmniNetBlock &block = stack.blocks[n];
    if ((static_cast<int64_t>(n) + 1) % period != 0) {
      outputs.push_back(block(outputs.back()));
      continue;
    }
    std::vector<Tensor> layers(outputs.end() - count, outputs.end());
    Tensor rows = stack_layers(layers), normal = block.norm1(rows);
    rows = rows + block.attention(normal, normal, {.pattern = block.attention.options.pattern});
    rows = rows + block.mlp(block.norm2(rows));
    Tensor from = pool_shares(rows, count);
    shares = shares.defined() ? shares + from : from;
    outputs.push_back(block(layers));
  }
  return shares * (static_cast<double>(period) / static_cast<double>(stack.blocks.size()));
}

struct Encoder : nn::Module {
  nn::Embedding words, positions;
  std::vector<Layer> layers;
  std::optional<nn::OmniNet> stack;
  nn::LayerNorm norm;
  nn::Linear head;
  bench::Task task;
  XF_MEMBERS(words, positions, layers, stack, norm, head)

  Encoder(const Options &o, const bench::Task &task, const Pattern &pattern)
      : words(task.vocabulary, o.width, 0.5), positions(task.size, o.width, 0.5), norm(o.width),
        head(o.width, task.classes), task(task) {
    if (o.attention == "omninet")
      stack.emplace(nn::OmniNetOptions{.width = o.width, .heads = o.heads, .layers = 4, .partition = 4});
    else
      for (int64_t layer = 0; layer < o.layers; ++layer)
        layers.emplace_back(o, pattern);
  }
  Tensor embed(const Tensor &tokens) const { return words(tokens) + positions.weight; }
  /// Logits, rows x classes or rows x size x classes.
  Tensor operator()(const Tensor &tokens, const Tensor &lengths) const {
    Tensor x = embed(tokens);
    if (stack)
      x = (*stack)(x);
    for (const Layer &layer : layers)
      x = layer(x, lengths);
    x = norm(x);
    if (!task.isClassifier)
      return head(x);
    Tensor inside = cast(reshape(cast(arange(task.size), i32), {1, task.size}) < reshape(lengths, {-1, 1}), f32);
    return head(sum(x * reshape(inside, {-1, task.size, 1}), 1) / cast(reshape(lengths, {-1, 1}), f32));
  }
};
} // namespace

static const std::map<std::string, Pattern> &patterns() {
  static const std::map<std::string, Pattern> all = {
      {"dense", dense()},
      {"local", block(8, window(0))},
      {"fixed", fixed(8, 2)},
      {"strided", strided(8)},
      {"bigbird", bigbird({.block = 4, .random = 2})},
      {"linear", kernelized({.feature = Feature::elu})},
      {"performer", kernelized({.feature = Feature::favor, .epsilon = 0, .guard = 0})},
      {"published", kernelized({.feature = Feature::favor})},
      {"omninet", dense()},
  };
  return all;
}

static Program makeProgram(const Encoder &model, const Options &o) {
  Program program("learn", model);
  Shape targets = model.task.isClassifier ? Shape{o.batch} : Shape{o.batch, o.size};
  std::vector<TensorSpec> inputs{
      {"tokens", i32, {o.batch, o.size}}, {"targets", i32, targets}, {"lengths", i32, {o.batch}}};
  auto loss = [&](const Tensor &tokens, const Tensor &targets, const Tensor &lengths) {
    Tensor logits = model(tokens, lengths);
    Tensor right = sum(cast(cast(argmax(logits), i32) == targets, f32)); // no class is -100
    return Losses{cross_entropy(logits, targets), {{"right", right}}};
  };
  program.train_step(
      "train", model, inputs, loss,
      optim::AdamW{
          .learning_rate = 1e-6 * static_cast<double>(o.rate), .beta2 = .98, .weight_decay = .01, .clip_norm = 1},
      schedule::warmup(std::max<int64_t>(o.steps / 10, 1)) | schedule::cosine(o.steps));
  program.entry("evaluate", inputs, loss);
  if (model.stack)
    program.entry("pool", {inputs[0]},
                  [&](const Tensor &tokens) { return poolShares(*model.stack, model.embed(tokens)); });
  return program;
}

/// Trains and prints.
static void learn(const Options &o) {
  bench::Task task = o.task == "listops" ? bench::Task::listops(o.size) : bench::Task::recall(o.size);
  Encoder model(o, task, patterns().at(o.attention));
  model.initialize(static_cast<uint64_t>(o.seed));
  Executable run = makeProgram(model, o).compile({.threads = 1});
  int64_t answers = o.batch * (task.isClassifier ? 1 : o.size - task.pairs);
  auto arrays = [&](const bench::Batch &batch) {
    std::vector<int64_t> shape{o.batch, o.size}, targets = task.isClassifier ? std::vector{o.batch} : shape;
    return Arrays{{"tokens", Array(batch.tokens, shape)},
                  {"targets", Array(batch.targets, targets)},
                  {"lengths", Array(batch.lengths)}};
  };
  std::mt19937_64 random(static_cast<uint64_t>(o.seed));
  double loss = 0;
  for (int64_t step = 1; step <= o.steps; ++step) {
    loss += run.call("train", arrays(drawBatch(task, o.batch, random))).at("loss").item<double>();
    if (step % o.every != 0)
      continue;
    std::mt19937_64 other(static_cast<uint64_t>(o.seed) + 1'000'000);
    constexpr int64_t batches = 16;
    double right = 0;
    for (int64_t n = 0; n < batches; ++n)
      right += run.call("evaluate", arrays(drawBatch(task, o.batch, other))).at("right").item<double>();
    std::printf("{\"step\": %lld, \"loss\": %.5f, \"accuracy\": %.5f}\n", static_cast<long long>(step),
                loss / static_cast<double>(o.every), right / static_cast<double>(batches * answers));
    std::fflush(stdout);
    loss = 0;
  }
  if (!model.stack)
    return;
  Array shares = run("pool", arrays(drawBatch(task, o.batch, random)).at("tokens"));
  std::printf("{\"shares\": [");
  for (int64_t n = 0; n < shares.count(); ++n)
    std::printf("%s%.4f", n ? ", " : "", static_cast<double>(shares.at<float>({n})));
  std::printf("]}\n");
}

static bool parse(int argc, char **argv, Options &o) {
  const std::map<std::string, int64_t *> numbers = {
      {"--size", &o.size},   {"--layers", &o.layers}, {"--width", &o.width},
      {"--heads", &o.heads}, {"--batch", &o.batch},   {"--steps", &o.steps},
      {"--every", &o.every}, {"--seed", &o.seed},     {"--rate", &o.rate}};
  std::vector<std::string> words;
  for (int n = 1; n < argc; ++n) {
    std::string word = argv[n];
    size_t equals = word.find('=');
    auto found = numbers.find(word.substr(0, equals));
    if (word[0] != '-')
      words.push_back(word);
    else if (found == numbers.end() || equals == std::string::npos)
      return false;
    else if ((*found->second = std::atoll(word.c_str() + equals + 1)) < 1)
      return false;
  }
  if (words.size() != 2 || (words[0] != "listops" && words[0] != "recall") || !patterns().count(words[1]))
    return false;
  o.task = words[0], o.attention = words[1];
  return true;
}

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options))
    return std::fputs(
               "usage: learn listops|recall dense|local|fixed|strided|bigbird|linear|performer|published|omninet\n"
               "             [--size=N] [--layers=N] [--width=N] [--heads=N] [--batch=N] [--steps=N] [--every=N] "
               "[--seed=N] [--rate=MILLIONTHS]\n",
               stderr),
           2;
  try {
    learn(options);
  } catch (const Error &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
