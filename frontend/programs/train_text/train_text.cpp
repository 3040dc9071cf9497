//===- train_text.cpp - Language models of bytes ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: train_text FILE.. [--model=NAME] [options]; see --help.
//
//===----------------------------------------------------------------------===//

#include "../Program.h"
#include "../training/OutputFolder.h"
#include "../training/Resume.h"
#include "../training/Trainer.h"
#include "Models.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

using namespace xf;
using namespace xf::programs;

namespace {
struct Options {
  std::vector<std::string> text;
  std::string model = "gpt2", optimizer = "adamw", schedule = "cosine", dtype = "f32", device = "cpu";
  std::string output = "train_text.out", prompt = "The ";
  ModelSizes sizes;
  int64_t batch = 4, accumulate = 1, steps = 1000, warmup = 50, evaluateEvery = 0, checkpointEvery = 100, sample = 200,
          seed = 1, threads = 0;
  double rate = 2e-3, decay = .1, clip = 1, heldOut = .1;
  bool restart = false;
};
} // namespace

static void declare(xfrt::tools::CommandLine &line, Options &o) {
  constexpr int64_t most = 1 << 30;
  line.positionals("FILE", o.text);
  line.choice("model", o.model, modelNames(), "what is trained (default gpt2)");
  line.integer("width", o.sizes.width, 1, most, "of the residual stream (default 128)");
  line.integer("layers", o.sizes.layers, 1, most, "default 2");
  line.integer("heads", o.sizes.heads, 1, most, "of an attention (default 4)");
  line.integer("hidden", o.sizes.hidden, 0, most, "of a feed-forward (default: 4 widths; 8/3 where it has a gate)");
  line.integer("length", o.sizes.length, 1, most, "bytes that the model sees (default 256)");
  line.choice("dtype", o.dtype, {"f32", "bf16"}, "of weights (default f32; bf16 has masters in f32)");
  line.integer("steps", o.steps, 1, most, "updates of the weights (default 1000)");
  line.integer("batch", o.batch, 1, most, "windows of text in a call (default 4)");
  line.integer("accumulate", o.accumulate, 1, most, "calls in a step, whose gradients are added up (default 1)");
  line.choice("optimizer", o.optimizer, {"adamw", "adam", "lion", "adafactor", "sgd"}, "default adamw");
  line.real("rate", o.rate, "the highest learning rate (default .002)");
  line.choice("schedule", o.schedule, {"cosine", "linear", "constant", "inverse_sqrt"},
              "of the rate after the warm-up: cosine (default) and linear end at a tenth");
  line.integer("warmup", o.warmup, 0, most, "steps in which the rate rises (default 50)");
  line.real("weight-decay", o.decay, "of matrices (default .1)");
  line.real("clip", o.clip, "longest gradient (default 1; 0: any)");
  line.integer("seed", o.seed, 0, INT64_MAX, "of everything that is drawn (default 1)");
  line.real("held-out", o.heldOut, "share of the text, its end, for measuring (default .1)");
  line.integer("evaluate-every", o.evaluateEvery, 0, most, "steps between measurements (default 0: at the end only)");
  line.text("output", o.output, "FOLDER", "of checkpoints and weights (default train_text.out)");
  line.integer("checkpoint-every", o.checkpointEvery, 1, most, "steps between checkpoints (default 100)");
  line.flag("restart", o.restart, "begin again; the first new checkpoint replaces those that are there");
  line.integer("sample", o.sample, 0, most, "bytes of text to write at the end (default 200)");
  line.text("prompt", o.prompt, "TEXT", "what they follow (default 'The ')");
  line.integer("threads", o.threads, 0, 1024, "default: one for each CPU");
  line.text("device", o.device, "D", "cpu (default), cuda, cuda:N, or auto: a GPU where there is one");
}

static void check(const Options &o) {
  if (o.sizes.width % o.sizes.heads != 0)
    throw UsageError("--heads: expected a number that divides the width " + std::to_string(o.sizes.width) + ", got " +
                     std::to_string(o.sizes.heads));
  if (!(o.heldOut >= 0 && o.heldOut < 1))
    throw UsageError("--held-out: expected a number in [0, 1), got " + std::to_string(o.heldOut));
}

//===----------------------------------------------------------------------===//
// What a run is
//===----------------------------------------------------------------------===//

template <typename Optimizer>
static optim::Optimizer withOptions(Optimizer optimizer, const Options &o) {
  optimizer.weight_decay = o.decay;
  optimizer.clip_norm = o.clip;
  optimizer.accumulate = o.accumulate;
  optimizer.decay_vectors = false;
  return optimizer;
}

static optim::Optimizer makeOptimizer(const Options &o) {
  if (o.optimizer == "adamw")
    return withOptions(optim::AdamW{.beta2 = .95}, o);
  if (o.optimizer == "adam")
    return withOptions(optim::Adam{.beta2 = .95}, o);
  if (o.optimizer == "lion")
    return withOptions(optim::Lion{}, o);
  if (o.optimizer == "adafactor")
    return withOptions(optim::Adafactor{}, o);
  return withOptions(optim::SGD{.momentum = .9}, o);
}

static Schedule makeSchedule(const Options &o) {
  int64_t rest = std::max<int64_t>(o.steps - o.warmup, 1);
  Schedule after = o.schedule == "cosine"     ? schedule::cosine(rest, .1)
                   : o.schedule == "linear"   ? schedule::linear(rest, .1)
                   : o.schedule == "constant" ? schedule::constant(rest)
                                              : schedule::inverse_sqrt(std::max<int64_t>(o.warmup, 1));
  return o.warmup ? schedule::warmup(o.warmup) | after : after;
}

/// Returns all that determines the result.
static Metadata describe(const Options &o, const Corpus &corpus) {
  auto number = [](auto value) { return std::to_string(value); };
  return {{"model", o.model},
          {"width", number(o.sizes.width)},
          {"layers", number(o.sizes.layers)},
          {"heads", number(o.sizes.heads)},
          {"hidden", number(o.sizes.hidden)},
          {"length", number(o.sizes.length)},
          {"dtype", o.dtype},
          {"steps", number(o.steps)},
          {"batch", number(o.batch)},
          {"accumulate", number(o.accumulate)},
          {"optimizer", o.optimizer},
          {"rate", number(o.rate)},
          {"schedule", o.schedule},
          {"warmup", number(o.warmup)},
          {"weight-decay", number(o.decay)},
          {"clip", number(o.clip)},
          {"seed", number(o.seed)},
          {"text", number(corpus.fingerprint())}};
}

static Executable compile(const Options &o, const LanguageModel &model) {
  Program program("train_text", *model.module);
  std::vector<TensorSpec> batch{{"tokens", i32, {o.batch, o.sizes.length}},
                                {"targets", i32, {o.batch, o.sizes.length}}};
  auto loss = [&](const Tensor &tokens, const Tensor &targets) { return cross_entropy(model.logits(tokens), targets); };
  program.train_step("train", *model.module, batch, loss, makeOptimizer(o));
  program.entry("evaluate", batch, loss);
  program.entry("logits", {{"tokens", i32, {1, o.sizes.length}}},
                [&](const Tensor &tokens) { return cast(model.logits(tokens), f32); });
  return program.compile({.threads = static_cast<int>(o.threads), .device = parseDevice(o.device)});
}

static Corpus readText(const Options &o) {
  Corpus corpus = readCorpus({o.text.begin(), o.text.end()}, o.output, o.heldOut,
                             /*minimum=*/20 * static_cast<size_t>(o.sizes.length + 1), /*limit=*/size_t{1} << 28);
  std::printf("text: %zu files, %zu bytes to train on, %zu held out\n", corpus.files, corpus.training.size(),
              corpus.validation.size());
  return corpus;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

namespace {
/// A run from its text to the weights.
class Run {
public:
  Run(const Options &o)
      : options(o), folder(o.output), corpus(readText(o)), settings(describe(o, corpus)),
        measured(evenlySpaced(corpus.validation, measuredWindows, o.sizes.length)), model(makeModel(o.model, o.sizes)),
        trainer(start(), {o.batch, o.sizes.length, o.accumulate, static_cast<uint64_t>(o.seed)}, corpus),
        progress(stdout, 0, o.steps, tokensPerStep(), flopPerStep()) {}

  void operator()() {
    int64_t first = resume();
    progress = Progress(stdout, first, options.steps, tokensPerStep(), flopPerStep());
    Schedule schedule = makeSchedule(options);
    for (int64_t step = first; step < options.steps; ++step) {
      double bits = trainer.step(step, options.rate * schedule.at(step));
      int64_t done = step + 1;
      bool isLast = done == options.steps;
      progress.update(done, bits, isLast);
      if (isLast || done % options.checkpointEvery == 0)
        saveCheckpoint(options.output, trainer.checkpoint(number, done, settings));
      if (!isLast && options.evaluateEvery && done % options.evaluateEvery == 0)
        measure("step " + std::to_string(done) + ", ");
    }
    finish();
  }

private:
  /// Most windows of the held-out text whose loss is measured.
  static constexpr int64_t measuredWindows = 256;

  int64_t tokensPerStep() const { return options.accumulate * options.batch * options.sizes.length; }
  double flopPerStep() const { return static_cast<double>(options.accumulate) * trainer.flopPerStep(); }

  Executable start() const {
    model.module->to(options.dtype == "bf16" ? bf16 : f32);
    model.module->initialize(static_cast<uint64_t>(options.seed));
    std::printf("%s: %lld parameters\n", options.model.c_str(),
                static_cast<long long>(model.module->parameter_count()));
    std::fflush(stdout); // before compiling, which takes seconds
    return compile(options, model);
  }

  /// Returns the first step to make.
  int64_t resume() {
    std::optional<Checkpoint> checkpoint = findCheckpoint(options.output, options.restart, progress, number);
    if (!checkpoint)
      return 0;
    expectSettings(options.output, checkpoint->settings, settings);
    trainer.restore(*checkpoint);
    progress.print("resumed at step " + std::to_string(checkpoint->step));
    return checkpoint->step;
  }

  void measure(const std::string &when) {
    if (measured.empty())
      return;
    char line[64];
    std::snprintf(line, sizeof(line), "held out: %.3f bits/byte", trainer.measure(measured));
    progress.print(when + line);
  }

  void finish() {
    measure("");
    std::filesystem::path weights = std::filesystem::path(options.output) / "weights.safetensors";
    if (!model.config.empty()) {
      std::filesystem::path path = weights.parent_path() / "config.json";
      std::ofstream file(path);
      if (!(file << model.config).flush())
        throw std::runtime_error(path.string() + ": " + std::strerror(errno));
    }
    save_safetensors(weights, published(model, trainer.weights()));
    progress.print("weights: " + weights.string());
    if (options.sample > 0)
      progress.print("sample:\n" +
                     readable(trainer.sample(options.prompt, options.sample, static_cast<uint64_t>(options.seed))));
  }

  const Options &options;
  OutputFolder folder;
  Corpus corpus;
  Metadata settings;
  std::vector<uint8_t> measured;
  LanguageModel model;
  Trainer trainer;
  Progress progress;
  int64_t number = 0; ///< Checkpoint::run
};
} // namespace

int main(int argc, char **argv) {
  Options options;
  xfrt::tools::CommandLine line(
      "train_text", "Trains a language model of bytes on the text of files and folders. Killed, it goes on where it\n"
                    "was when started again with the same options, and ends with the same weights.");
  declare(line, options);
  return runProgram("train_text", line, argc, argv, [&] {
    check(options);
    Run run(options);
    run();
  });
}
