//===- train_text.cpp - Language models of bytes ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: train_text [FILE..] [--model=NAME] [options]; see --help.
//
//===----------------------------------------------------------------------===//

#include "../Program.h"
#include "../training/ContextModel.h"
#include "../training/OutputFolder.h"
#include "../training/Resume.h"
#include "MeshOptions.h"
#include "Models.h"
#include "runtime/support/File.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>

using namespace xf;
using namespace xf::programs;

namespace {
/// Options of the optimiser and the learning rate.
struct UpdateOptions {
  std::string optimizer = "adamw", schedule = "cosine";
  int64_t warmup = 50;
  double rate = 2e-3, decay = .1, clip = 1;
};

struct Options {
  std::vector<std::string> text;
  std::string model = "gpt2", dtype = "f32", device = "cpu", f32Products = "exact";
  std::string output = "train_text.out", prompt = "The ", losses, mlir;
  ModelSizes sizes;
  UpdateOptions update;
  MeshOptions mesh;
  int64_t batch = 4, accumulate = 1, steps = 1000, evaluateEvery = 0, checkpointEvery = 100, sample = 200, seed = 1,
          threads = 0;
  double heldOut = .1, minutes = 0;
  bool restart = false;
};
} // namespace

static void declare(xfrt::tools::CommandLine &line, Options &o) {
  constexpr int64_t most = 1 << 30;
  line.positionals("FILE", o.text, /*required=*/false);
  line.choice("model", o.model, modelNames(), "what is trained (default gpt2)");
  line.integer("width", o.sizes.width, 1, most, "of the residual stream (default 128)");
  line.integer("layers", o.sizes.layers, 1, most, "default 2");
  line.integer("heads", o.sizes.heads, 1, most, "of an attention (default 4)");
  line.integer("hidden", o.sizes.hidden, 0, most, "of a feed-forward (default: 4 widths; 8/3 where it has a gate)");
  line.integer("length", o.sizes.length, 1, most, "bytes that the model sees (default 256)");
  line.choice("dtype", o.dtype, {"f32", "bf16"}, "of weights (default f32; bf16 has masters in f32)");
  line.integer("steps", o.steps, 1, most, "updates of the weights (default 1000)");
  line.real("minutes", o.minutes, "train for about so long, in as many steps as fit, not --steps");
  line.integer("batch", o.batch, 1, most, "windows of text in a call (default 4)");
  line.integer("accumulate", o.accumulate, 1, most, "calls in a step, whose gradients are added up (default 1)");
  line.choice("optimizer", o.update.optimizer, {"adamw", "adam", "lion", "adafactor", "sgd"}, "default adamw");
  line.real("rate", o.update.rate, "the highest learning rate (default .002)");
  line.choice("schedule", o.update.schedule, {"cosine", "linear", "constant", "inverse_sqrt"},
              "of the rate after the warm-up: cosine (default) and linear end at a tenth");
  line.integer("warmup", o.update.warmup, 0, most, "steps in which the rate rises (default 50)");
  line.real("weight-decay", o.update.decay, "of matrices (default .1)");
  line.real("clip", o.update.clip, "longest gradient (default 1; 0: any)");
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
  line.choice("f32-products", o.f32Products, {"exact", "tf32", "bf16x3"}, "of a GPU, as in xfc (default exact)");
  o.mesh.declare(line);
  line.text("losses", o.losses, "FILE", "write the loss of each step to a file, one a line");
  line.text("emit-mlir", o.mlir, "FILE", "write the program for xfc and stop");
}

static void check(const Options &o) {
  if (o.sizes.width % o.sizes.heads != 0)
    throw UsageError("--heads: expected a number that divides the width " + std::to_string(o.sizes.width) + ", got " +
                     std::to_string(o.sizes.heads));
  if (!(o.heldOut >= 0 && o.heldOut < 1))
    throw UsageError("--held-out: expected a number in [0, 1), got " + std::to_string(o.heldOut));
  if (o.f32Products != "exact" && o.device == "cpu")
    throw UsageError("--f32-products: expected --device=cuda or auto beside it, got cpu, which multiplies exactly");
  if (o.minutes > 0 && o.update.warmup < 10) // in which the rate does not depend on the number of steps
    throw UsageError("--warmup: expected at least 10 beside --minutes, got " + std::to_string(o.update.warmup));
}

//===----------------------------------------------------------------------===//
// What a run is
//===----------------------------------------------------------------------===//

template <typename Optimizer>
static optim::Optimizer withOptions(Optimizer optimizer, const Options &o) {
  optimizer.weight_decay = o.update.decay;
  optimizer.clip_norm = o.update.clip;
  optimizer.accumulate = o.accumulate;
  optimizer.decay_vectors = false;
  for (const Mesh::Axis &axis : o.mesh.axes)
    optimizer.state_over.push_back(axis.name);
  return optimizer;
}

static optim::Optimizer makeOptimizer(const Options &o) {
  if (o.update.optimizer == "adamw")
    return withOptions(optim::AdamW{.beta2 = .95}, o);
  if (o.update.optimizer == "adam")
    return withOptions(optim::Adam{.beta2 = .95}, o);
  if (o.update.optimizer == "lion")
    return withOptions(optim::Lion{}, o);
  if (o.update.optimizer == "adafactor")
    return withOptions(optim::Adafactor{}, o);
  return withOptions(optim::SGD{.momentum = .9}, o);
}

static Schedule makeSchedule(const Options &o, int64_t steps) {
  int64_t rest = std::max<int64_t>(steps - o.update.warmup, 1);
  Schedule after = o.update.schedule == "cosine"     ? schedule::cosine(rest, .1)
                   : o.update.schedule == "linear"   ? schedule::linear(rest, .1)
                   : o.update.schedule == "constant" ? schedule::constant(rest)
                                                     : schedule::inverse_sqrt(std::max<int64_t>(o.update.warmup, 1));
  return o.update.warmup ? schedule::warmup(o.update.warmup) | after : after;
}

/// Returns all settings that determine the result, except the number of steps.
static Metadata describe(const Options &o, const Corpus &corpus) {
  auto number = [](auto value) { return std::to_string(value); };
  return {{"model", o.model},
          {"width", number(o.sizes.width)},
          {"layers", number(o.sizes.layers)},
          {"heads", number(o.sizes.heads)},
          {"hidden", number(o.sizes.hidden)},
          {"length", number(o.sizes.length)},
          {"dtype", o.dtype},
          {"batch", number(o.batch)},
          {"accumulate", number(o.accumulate)},
          {"optimizer", o.update.optimizer},
          {"rate", number(o.update.rate)},
          {"schedule", o.update.schedule},
          {"warmup", number(o.update.warmup)},
          {"weight-decay", number(o.update.decay)},
          {"clip", number(o.update.clip)},
          {"seed", number(o.seed)},
          {"text", number(corpus.fingerprint())}};
}

static LanguageModel makeTyped(const Options &o) {
  LanguageModel model = makeModel(o.model, o.sizes);
  model.module->to(o.dtype == "bf16" ? bf16 : f32);
  return model;
}

static Program makeProgram(const Options &o, const LanguageModel &model) {
  const std::vector<Mesh::Axis> &axes = o.mesh.axes;
  Program program =
      axes.empty() ? Program("train_text", *model.module) : Program("train_text", *model.module, Mesh(axes));
  Dim rows = o.batch, length = o.sizes.length;
  for (const Mesh::Axis &axis : axes)
    if (axis.name == "data")
      rows = rows.over(axis.name);
    else
      length = length.over(axis.name, o.mesh.placement);
  std::vector<TensorSpec> batch{{"tokens", i32, {rows, length}}, {"targets", i32, {rows, length}}};
  auto loss = [&](const Tensor &tokens, const Tensor &targets) { return cross_entropy(model.logits(tokens), targets); };
  program.train_step("train", *model.module, batch, loss, makeOptimizer(o));
  program.entry("evaluate", batch, loss);
  program.entry("logits", {{"tokens", i32, {1, o.sizes.length}}},
                [&](const Tensor &tokens) { return cast(model.logits(tokens), f32); });
  return program;
}

static Corpus readText(const Options &o) {
  std::vector<std::filesystem::path> named(o.text.begin(), o.text.end());
  Corpus corpus = readCorpus(named.empty() ? defaultSources() : named, o.output, o.heldOut,
                             /*minimum=*/20 * static_cast<size_t>(o.sizes.length + 1), /*limit=*/size_t{1} << 28);
  std::printf("text: %zu files, %zu bytes to train on, %zu held out\n", corpus.files, corpus.training.size(),
              corpus.validation.size());
  return corpus;
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// Writes a file atomically: afterwards, it is either the old file or the complete new one.
static void writeWhole(const std::string &path, const std::string &text) {
  xfrt::OutputFile file;
  std::string error;
  if (!file.create(path, error) || !file.write(text.data(), static_cast<int64_t>(text.size()), error) ||
      !file.commit(error))
    throw std::runtime_error(error);
}

namespace {
/// A training run, from the text to the weights. If several ranks train, each makes a Run, and the first rank writes
/// the files.
class Run {
public:
  Run(const Options &o, const Ranks &ranks)
      : options(o), ranks(ranks), corpus(readText(o)), folder(openFolder()), settings(describe(o, corpus)),
        measured(evenlySpaced(corpus.validation, measuredWindows, o.sizes.length)), model(makeTyped(o)),
        trainer(start(),
                {.rows = o.batch,
                 .length = o.sizes.length,
                 .accumulate = o.accumulate,
                 .seed = static_cast<uint64_t>(o.seed),
                 .ownRows = o.mesh.rowsOf(ranks.rank()),
                 .ownLength = o.mesh.lengthOf(ranks.rank())},
                corpus),
        progress(stdout, 0, steps, 0, 0) {}

  void operator()() {
    const int64_t timed = options.update.warmup / 2, warm = timed / 5;
    int64_t first = resume();
    std::ofstream losses = openLosses();
    progress = Progress(stdout, first, steps, options.accumulate * options.batch * options.sizes.length,
                        static_cast<double>(options.accumulate) * trainer.flopPerStep() * ranks.size());
    Clock::time_point warmed = Clock::now();
    for (int64_t step = first; steps == 0 || step < steps; ++step) {
      if (step == warm)
        warmed = Clock::now();
      double bits = trainer.step(step, options.update.rate * makeSchedule(options, steps).at(step));
      losses << bits << '\n';
      int64_t done = step + 1;
      if (steps == 0 && done >= timed)
        steps = ranks.first(stepsFor(secondsSince(warmed) / static_cast<double>(done - std::max(warm, first)), done));
      progress.setSteps(steps);
      finishStep(done, bits);
    }
    if (losses.is_open() && !losses.flush())
      throw std::runtime_error("expected to write the losses to '" + options.losses + "', got an error");
    finish();
  }

private:
  using Clock = std::chrono::steady_clock;

  /// The largest number of windows of held-out text whose loss is measured.
  static constexpr int64_t measuredWindows = 256;

  bool isFirst() const { return ranks.rank() == 0; }
  static double secondsSince(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  std::unique_ptr<OutputFolder> openFolder() const {
    auto opened = isFirst() ? std::make_unique<OutputFolder>(options.output) : nullptr;
    ranks.first(0); // the others read the folder when it is there
    return opened;
  }

  /// Opens the file for the loss of each step, if the user wants one.
  std::ofstream openLosses() const {
    std::ofstream losses;
    if (options.losses.empty() || !isFirst())
      return losses;
    losses.open(options.losses);
    losses.precision(9); // of an f32
    if (!losses)
      throw std::runtime_error("expected a file for losses that can be written, got '" + options.losses + "'");
    return losses;
  }

  Executable start() const {
    model.module->initialize(static_cast<uint64_t>(options.seed));
    std::printf("%s: %lld parameters\n", options.model.c_str(),
                static_cast<long long>(model.module->parameter_count()));
    std::fflush(stdout); // before compiling, which takes seconds
    Executable executable = makeProgram(options, model)
                                .compile({.threads = static_cast<int>(options.threads),
                                          .device = parseDevice(options.device),
                                          .f32_products = options.f32Products,
                                          .ranks = ranks});
    if (executable.device() != cpu())
      std::printf("device: cuda:%d\n", executable.device().number);
    else if (!executable.fallback().empty())
      std::printf("device: cpu, because of: %s\n", executable.fallback().c_str());
    size_t bytes = 0; // of what is kept for each parameter
    for (const auto &[name, value] : executable.optimizer_state())
      bytes += value.shape().empty() ? 0 : value.bytes().size();
    if (ranks.size() > 1)
      std::printf("processes: %d, each with %zu bytes of the optimiser's state\n", ranks.size(), bytes);
    return executable;
  }

  /// Restores the newest checkpoint. Returns the number of steps that are done. Throws std::runtime_error if ranks find
  /// different checkpoints.
  int64_t resume() {
    std::optional<Checkpoint> checkpoint = findCheckpoint(options.output, options.restart, progress, number);
    int64_t found = checkpoint ? checkpoint->step : 0, first = ranks.first(found);
    if (found != first)
      throw std::runtime_error("expected the checkpoint of step " + std::to_string(first) +
                               ", from which the first process goes on, in '" + options.output + "', got " +
                               (checkpoint ? "that of step " + std::to_string(found) : "none") +
                               "; all processes need the same folder");
    if (!checkpoint)
      return 0;
    Metadata own = settings;
    own["steps"] = steps == 0 ? checkpoint->settings.at("steps") : std::to_string(steps);
    expectSettings(options.output, checkpoint->settings, own);
    steps = std::stoll(own["steps"]);
    trainer.restore(*checkpoint);
    progress.print("resumed at step " + std::to_string(checkpoint->step));
    return checkpoint->step;
  }

  /// Returns the total number of steps that --minutes allows, including the `done` ones, and at least done + 1.
  /// Reserves time for measuring and sampling at the end.
  int64_t stepsFor(double secondsPerStep, int64_t done) const {
    // A forward pass takes a third of a step's time, and a single window uses the machine less efficiently than a
    // batch.
    double windows = measuredWindows + 2.0 * static_cast<double>(options.sample);
    double ending = windows / static_cast<double>(3 * options.batch * options.accumulate);
    double left = (options.minutes * 60 - secondsSince(started)) / secondsPerStep - ending;
    return done + std::max<int64_t>(1, static_cast<int64_t>(left));
  }

  /// Prints progress, saves a checkpoint and measures the loss, as far as these are due after `done` steps.
  void finishStep(int64_t done, double bits) {
    bool isLast = done == steps;
    progress.update(done, bits, isLast);
    if (steps != 0 && (isLast || done % options.checkpointEvery == 0)) {
      Metadata all = settings;
      all["steps"] = std::to_string(steps);
      Checkpoint checkpoint = trainer.checkpoint(number, done, all);
      if (isFirst())
        saveCheckpoint(options.output, checkpoint);
    }
    if (!isLast && options.evaluateEvery && done % options.evaluateEvery == 0)
      measure("step " + std::to_string(done) + ", ", "");
  }

  void measure(const std::string &when, const std::string &beside) {
    if (!measured.empty())
      progress.print(when + bitsPerByte("held out: ", trainer.measure(measured)) + beside);
  }

  static std::string bitsPerByte(const char *what, double bits) {
    char line[64];
    std::snprintf(line, sizeof(line), "%s%.3f bits/byte", what, bits);
    return line;
  }

  void finish() {
    double counted = ContextModel(corpus.training).bestBitsPerByte(measured);
    measure("", bitsPerByte(" (order-2 context model: ", counted) + ")");
    std::filesystem::path weights = std::filesystem::path(options.output) / "weights.safetensors";
    StateDict values = trainer.weights();
    if (isFirst()) {
      if (!model.config.empty())
        writeWhole(weights.parent_path() / "config.json", model.config);
      save_safetensors(weights, published(model, values));
    }
    progress.print("weights: " + weights.string());
    if (options.sample > 0)
      progress.print("sample:\n" +
                     readable(trainer.sample(options.prompt, options.sample, static_cast<uint64_t>(options.seed))));
  }

  const Options &options;
  const Ranks &ranks;
  Clock::time_point started = Clock::now();
  int64_t steps = options.minutes > 0 ? 0 : options.steps; ///< steps of the whole run; 0 until their number is known
  Corpus corpus;
  std::unique_ptr<OutputFolder> folder;
  Metadata settings;
  std::vector<uint8_t> measured;
  LanguageModel model;
  Trainer trainer;
  Progress progress;
  int64_t number = 0; ///< Checkpoint::run
};
} // namespace

/// Runs as one of several processes. The first process prints for all. If one process fails, all end, because the
/// others may wait for it. An error in the options occurs in all processes, so only the first prints it.
static void runOnRanks(const Options &o) {
  Ranks ranks = o.mesh.axes.empty() ? Ranks() : mpi();
  auto silence = [&](std::FILE *stream) {
    if (ranks.rank() != 0 && !std::freopen("/dev/null", "w", stream))
      throw std::runtime_error("expected /dev/null to be writable, got an error");
  };
  try {
    o.mesh.expectShares(ranks.size(), o.batch, o.sizes.length);
    silence(stdout);
    Run run(o, ranks);
    run();
  } catch (const UsageError &) {
    silence(stderr);
    throw;
  } catch (const std::exception &error) {
    if (ranks.size() > 1)
      ranks.abort(xfrt::tools::exitFailure,
                  "train_text: error: rank " + std::to_string(ranks.rank()) + ": " + error.what());
    throw;
  }
}

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a file that grows beyond the limit is an error like a full disk
  Options options;
  xfrt::tools::CommandLine line(
      "train_text",
      "Trains a language model of bytes on the text of files and folders; without any, on the licences of\n"
      "this system. Killed, it goes on where it was when started again with the same options, and ends\n"
      "with the same weights.");
  declare(line, options);
  return runProgram("train_text", line, argc, argv, [&] {
    check(options);
    if (options.mlir.empty())
      runOnRanks(options);
    else
      makeProgram(options, makeTyped(options)).save(options.mlir);
  });
}
