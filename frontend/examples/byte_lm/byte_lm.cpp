//===- byte_lm.cpp - A language model of bytes -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: byte_lm [options] [file or folder of text ..]; see --help.
//
//===----------------------------------------------------------------------===//

#include "ContextModel.h"
#include "LanguageProgram.h"
#include "training/OutputFolder.h"
#include "training/Resume.h"
#include "training/Trainer.h"

#include <chrono>
#include <csignal>
#include <fstream>

using namespace byte_lm;
using namespace xf::programs;
namespace fs = std::filesystem;

namespace {
/// Measures the seconds since its construction.
class Stopwatch {
public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// One run of the program, from reading the text to the generated sample.
class Run {
public:
  Run(const Options &options, const xf::Ranks &ranks)
      : options(options), ranks(ranks), progress(stdout, 0, 0, 0, 0), corpus(readText(options)),
        measured(evenlySpaced(corpus.validation, measuredWindows, options.model.context)),
        counted(ContextModel(corpus.training).bestBitsPerByte(measured)), settings(describeRun(options, corpus)) {}

  void operator()() {
    std::optional<OutputFolder> folder;
    if (isFirst())
      folder.emplace(options.output);
    ranks.first(0); // the others read the folder when it is there
    std::printf("order-2 context model: %.3f bits/byte\n", counted);
    SparseTransformer model(options.model);
    model.initialize(options.seed);
    if (isFirst())
      drawPattern();
    std::printf("model: %lld parameters, %lld layers of width %lld, context %lld\n", (long long)model.parameter_count(),
                (long long)options.model.layers, (long long)options.model.width, (long long)options.model.context);
    Stopwatch compiling;
    xf::Executable executable = makeProgram(model, options)
                                    .compile({.threads = options.threads,
                                              .device = options.device,
                                              .f32_products = options.f32Products,
                                              .ranks = ranks});
    std::printf("compiled in %.1f s\n", compiling.seconds());
    sayDevice(executable);
    sayShares(executable);
    Trainer trainer(executable,
                    {.rows = options.batch,
                     .length = options.model.context,
                     .seed = options.seed,
                     .ownRows = partAlong("data"),
                     .ownLength = partAlong("sequence", options.placement)},
                    corpus);
    train(trainer);
    finish(trainer);
  }

private:
  /// Whether this process writes the files. What the others print goes nowhere.
  bool isFirst() const { return ranks.rank() == 0; }

  /// Returns the part of a dimension over an axis of the mesh that this process has. The last axis runs fastest in the
  /// order of ranks.
  Part partAlong(const std::string &axis, xf::Placement placement = {}) const {
    int64_t behind = 1;
    for (auto known = options.mesh.rbegin(); known != options.mesh.rend(); behind *= known++->ranks)
      if (known->name == axis)
        return {ranks.rank() / behind % known->ranks, known->ranks, placement};
    return {};
  }

  /// Prints the device of a GPU run, or the reason for a fallback to the CPU; prints nothing for a CPU that was
  /// requested.
  static void sayDevice(const xf::Executable &executable) {
    if (executable.device() != xf::cpu())
      std::printf("device: cuda:%d\n", executable.device().number);
    else if (!executable.fallback().empty())
      std::printf("device: cpu, because of: %s\n", executable.fallback().c_str());
  }

  /// Prints what each of several processes has of what the optimiser keeps for each parameter.
  void sayShares(const xf::Executable &executable) const {
    size_t bytes = 0;
    for (const auto &[name, value] : executable.optimizer_state())
      bytes += value.shape().empty() ? 0 : value.bytes().size();
    if (!options.mesh.empty())
      std::printf("processes: %d, each with %zu bytes of the optimiser's state\n", ranks.size(), bytes);
  }

  /// Maximum number of windows of the held-out text whose loss is measured: 128 KiB for a context of 512.
  static constexpr int64_t measuredWindows = 256;

  static Corpus readText(const Options &options) {
    Corpus corpus = readCorpus(options.text.empty() ? defaultSources() : options.text, options.output,
                               /*validationShare=*/0.1, /*minimum=*/20 * (options.model.context + 1),
                               /*limit=*/size_t{1} << 28);
    std::printf("text: %zu files, %zu bytes to train on, %zu held out\n", corpus.files, corpus.training.size(),
                corpus.validation.size());
    return corpus;
  }

  void drawPattern() const {
    int64_t size = std::min({options.model.context, 4 * options.model.stride, int64_t{2048}});
    xf::Picture picture = xf::draw(attentionPattern(options.model), size);
    picture.save(options.output / "pattern.svg");
    picture.save(options.output / "pattern.png");
    std::printf("pattern: %s and .png\n", (options.output / "pattern.svg").c_str());
  }

  /// Restores the newest intact checkpoint in the output folder; without such a checkpoint, or with --restart, begins a
  /// new run. Returns the first step to run. Throws std::runtime_error where the checkpoint's settings differ from
  /// those of this run, and where processes find different ones.
  int64_t resume(Trainer &trainer) {
    std::optional<Checkpoint> checkpoint = findCheckpoint(options.output, !options.resume, progress, runNumber);
    int64_t found = checkpoint ? checkpoint->step : 0, first = ranks.first(found);
    if (found != first)
      throw std::runtime_error("expected the checkpoint of step " + std::to_string(first) +
                               ", from which the first process goes on, in '" + options.output.string() + "', got " +
                               (checkpoint ? "that of step " + std::to_string(found) : "none") +
                               "; all processes need the same folder");
    if (!checkpoint)
      return 0;
    xf::Metadata stored = checkpoint->settings, own = settings;
    stored.insert({"dtype", "f32"}); // of checkpoints that name no type
    own["steps"] = options.steps == 0 ? stored.at("steps") : std::to_string(options.steps);
    expectSettings(options.output, stored, own);
    steps = std::stoll(stored.at("steps"));
    trainer.restore(*checkpoint);
    progress.print("resumed at step " + std::to_string(checkpoint->step));
    return checkpoint->step;
  }

  void save(const Trainer &trainer, int64_t step) const {
    xf::Metadata all = settings;
    all["steps"] = std::to_string(steps);
    Checkpoint checkpoint = trainer.checkpoint(runNumber, step, all);
    if (isFirst())
      saveCheckpoint(options.output, checkpoint);
  }

  /// Returns the total number of steps that the time limit allows, the `done` steps included: at least done + 1.
  /// Reserves time for measuring and sampling at the end.
  int64_t stepsFor(double secondsPerStep, int64_t done) const {
    // A forward pass takes a third of a step's time, and a single window uses the machine less efficiently than a
    // batch.
    double windows = measuredWindows + 2.0 * static_cast<double>(options.sampleBytes);
    double ending = windows / static_cast<double>(3 * options.batch);
    double left = (options.minutes * 60 - sinceStart.seconds()) / secondsPerStep - ending;
    return done + std::max<int64_t>(1, static_cast<int64_t>(left));
  }

  /// Opens the file for the loss of each step. Returns a closed stream where no file is wanted. Throws
  /// std::runtime_error where the file cannot be written.
  static std::ofstream openLosses(const fs::path &path) {
    std::ofstream losses;
    if (path.empty())
      return losses;
    losses.open(path);
    losses.precision(9); // of an f32
    if (!losses)
      throw std::runtime_error("expected a file for losses that can be written, got '" + path.string() + "'");
    return losses;
  }

  static constexpr int64_t warmup = 50;

  /// Returns the learning rate of a step. It does not depend on the number of steps until the warm-up ends, which
  /// leaves time to measure how many steps fit.
  double rateOf(int64_t step) const {
    xf::Schedule decay = xf::schedule::cosine(std::max<int64_t>(steps - warmup, 1), /*end=*/0.1);
    return options.rate * (xf::schedule::warmup(warmup) | decay).at(step);
  }

  void train(Trainer &trainer) {
    const int64_t warm = 5, timed = warmup / 2;
    int64_t first = resume(trainer);
    Stopwatch stopwatch;
    std::ofstream losses = openLosses(isFirst() ? options.losses : "");
    double flop = trainer.flopPerStep() * ranks.size();
    progress = Progress(stdout, first, steps, options.batch * options.model.context, flop);
    for (int64_t step = first; steps == 0 || step < steps; ++step) {
      if (step == warm)
        stopwatch = Stopwatch();
      double bits = trainer.step(step, rateOf(step));
      losses << bits << '\n';
      if (steps == 0 && step + 1 == timed)
        steps = ranks.first(stepsFor(stopwatch.seconds() / static_cast<double>(timed - warm), timed));
      progress.setSteps(steps);
      bool last = step + 1 == steps;
      progress.update(step + 1, bits, last);
      if (steps != 0 && (last || (step + 1) % options.checkpointEvery == 0))
        save(trainer, step + 1);
    }
    if (losses.is_open() && !losses.flush())
      throw std::runtime_error("expected to write the losses to '" + options.losses.string() + "', got an error");
  }

  void finish(const Trainer &trainer) {
    char line[160];
    std::snprintf(line, sizeof(line), "validation: %.3f bits/byte (order-2 context model: %.3f)",
                  trainer.measure(measured), counted);
    progress.print(line);
    fs::path weights = options.output / "weights.safetensors";
    xf::StateDict values = trainer.weights();
    if (isFirst())
      xf::save_safetensors(weights, values);
    std::printf("weights: %s\n", weights.c_str());
    if (options.sampleBytes > 0)
      std::printf("sample:\n%s\n", readable(trainer.sample(options.prompt, options.sampleBytes, options.seed)).c_str());
  }

  const Options &options;
  const xf::Ranks &ranks;
  Stopwatch sinceStart;
  Progress progress;
  Corpus corpus;
  std::vector<uint8_t> measured;
  double counted;
  xf::Metadata settings;
  int64_t runNumber = 0;         ///< Checkpoint::run
  int64_t steps = options.steps; ///< of the whole run; 0 until it is known how many fit
};
} // namespace

static void runWith(const Options &options, const xf::Ranks &ranks) {
  if (options.help) {
    std::fputs(usage().c_str(), stdout);
    return;
  }
  if (!options.mlir.empty()) {
    SparseTransformer model(options.model);
    makeProgram(model, options).save(options.mlir);
    return;
  }
  if (!options.mesh.empty())
    expectMesh(options, ranks.size());
  if (ranks.rank() != 0 && !std::freopen("/dev/null", "w", stdout)) // the first process prints for all
    throw std::runtime_error("expected /dev/null to be writable, got an error");
  Run run(options, ranks);
  run();
}

/// Opens the processes of a run with a mesh. Those that only print or write a file need no other.
static xf::Ranks openRanks(const Options &options) {
  bool runs = !options.help && options.mlir.empty();
  return runs && !options.mesh.empty() ? xf::mpi() : xf::Ranks();
}

static int fail(const std::exception &error, int code) {
  std::fprintf(stderr, "byte_lm: %s\n", error.what());
  return code;
}

int main(int count, char **words) {
  xf::Ranks ranks;
  try {
    std::signal(SIGXFSZ, SIG_IGN); // exceeding the file size limit is an error like a full disk
    Options options = parseOptions(count, words);
    ranks = openRanks(options);
    runWith(options, ranks);
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
      throw std::runtime_error("expected to write standard output, got an error");
    return 0;
  } catch (const std::invalid_argument &error) { // of options, which all processes have
    return ranks.rank() == 0 ? fail(error, 2) : 2;
  } catch (const std::exception &error) {
    if (ranks.size() > 1) // others may wait for this one
      ranks.abort(1, "byte_lm: rank " + std::to_string(ranks.rank()) + ": " + error.what());
    return fail(error, 1);
  }
}
