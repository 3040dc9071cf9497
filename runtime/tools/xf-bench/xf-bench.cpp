//===- xf-bench.cpp - Measure the entries of a model ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures entries of a model. If the model is for several ranks, an MPI launcher starts one process for each rank, and
// rank 0 prints. The inputs of a rank are random and have the shapes of its shares, or come from files with {rank} in
// their names, as in xf-run.
//
//===----------------------------------------------------------------------===//

#include "../../lib/observe/Peak.h"
#include "../../support/File.h"
#include "../LoadModel.h"
#include "../Observation.h"
#include "../Ranks.h"
#include "../RunOptions.h"
#include "../StandardOutput.h"
#include "Measurement.h"

using namespace xfrt::tools;

namespace {
struct BenchOptions {
  std::string model, target = "cpu", json;
  std::vector<std::string> entries, inputs, sizes, compilerOptions;
  bool vjp = false, readsAnew = false;
  Observation observation;
  int64_t threads = 1, repetitions = 20, seed = 0;
};
} // namespace

static int parseOptions(const char *tool, int argc, char **argv, BenchOptions &options) {
  CommandLine line(tool, "Measures entries of a model on random inputs, against the machine's FMA peak.");
  line.positional("MODEL.{mlir,so}", options.model);
  line.list("entry", options.entries, "NAME", "what to measure; repeated");
  line.flag("vjp", options.vjp, "measure the derivative");
  line.flag("no-hold", options.readsAnew, "read parameters anew in every call instead of holding them packed");
  line.integer("threads", options.threads, 0, 4096, "threads (1); 0: one for each CPU");
  line.integer("repetitions", options.repetitions, 1, 1000000, "measurements (20)");
  line.integer("seed", options.seed, INT64_MIN, INT64_MAX, "of the random inputs (0)");
  line.list("size", options.sizes, "NAME:2x8x1024x64", "shape of an argument with dynamic sizes, of a rank; repeated");
  line.list("input", options.inputs, "NAME=VALUE",
            "a value as for xf-run ({rank} in @FILE, too) instead of a random one; repeated");
  line.text("json", options.json, "FILE", "write one JSON object per entry, each on a line");
  addObservation(line, options.observation, "; entry n: FILE.n");
  line.choice("target", options.target, {"cpu", "cuda"}, "where to run (cpu)");
  line.passThrough(options.compilerOptions);
  std::string error;
  if (!line.parse(argc, argv, error))
    return report(tool, exitUsage, error);
  if (!line.helpRequested())
    return -1;
  line.printHelp();
  return exitSuccess;
}

//===----------------------------------------------------------------------===//
// Random arguments
//===----------------------------------------------------------------------===//

static bool parseSizes(std::string_view text, std::vector<int64_t> &sizes) {
  for (;;) {
    size_t cross = text.find('x');
    int64_t size;
    if (!parseInteger(text.substr(0, cross), 0, INT64_MAX, size))
      return false;
    sizes.push_back(size);
    if (cross == std::string_view::npos)
      return true;
    text.remove_prefix(cross + 1);
  }
}

/// Sets the values of the entry's symbols from the shapes of the given inputs, and from --size. If both give a value,
/// --size counts. Fails if a --size does not fit the entry.
static bool bindSizes(const EntryCall &call, const std::vector<std::string> &sizes, std::vector<int64_t> &symbols,
                      Failure &failure) {
  symbols.assign(size_t(call.entry.symbol_count), TensorSpec::dynamic);
  auto bind = [&](size_t argument, const std::vector<int64_t> &shape) {
    const xfrt_tensor &tensor = call.entry.arguments[argument];
    for (int32_t j = 0; j < tensor.rank; ++j)
      if (tensor.dims[j].symbol >= 0)
        symbols[size_t(tensor.dims[j].symbol)] = shape[size_t(j)];
  };
  for (size_t i = 0; i < call.arguments.size(); ++i)
    if (call.arguments[i])
      bind(i, call.arguments[i]->shape);
  for (const std::string &text : sizes) {
    size_t colon = text.rfind(':'), i = 0;
    std::vector<int64_t> shape;
    if (colon == std::string::npos || !parseSizes(std::string_view(text).substr(colon + 1), shape))
      return failure.set(exitUsage, "--size: expected NAME:SHAPE as in q:2x8x1024x64, got '" + text + "'");
    while (i < call.argumentSpecs.size() && call.argumentSpecs[i].name != text.substr(0, colon))
      ++i;
    if (i == call.argumentSpecs.size())
      return failure.set(exitUsage, "--size: no argument is called '" + text.substr(0, colon) + "'");
    if (!call.argumentSpecs[i].accepts(shape))
      return failure.set(exitUsage, "--size: argument '" + text.substr(0, colon) + "': expected " +
                                        describeShape(call.argumentSpecs[i].shape) + ", got " + describeShape(shape));
    bind(i, shape);
  }
  return true;
}

static bool fillArgument(EntryCall &call, size_t index, const std::vector<int64_t> &symbols, int64_t seed,
                         Failure &failure) {
  const xfrt_tensor &tensor = call.entry.arguments[index];
  TensorSpec spec = call.argumentSpecs[index];
  for (int32_t j = 0; j < tensor.rank; ++j)
    if (tensor.dims[j].symbol >= 0)
      spec.shape[size_t(j)] = symbols[size_t(tensor.dims[j].symbol)];
  if (!spec.isStatic())
    return failure.set(exitUsage, "expected --size=" + spec.name + ":SHAPE for " +
                                      describeShape(call.argumentSpecs[index].shape) + ", whose sizes are dynamic");
  std::string error;
  Tensor &value = call.arguments[index].emplace();
  if (!value.allocate(spec.dtype, spec.shape, error))
    return failure.set(exitFailure, "argument '" + spec.name + "': " + error);
  fillRandom(value, spec, uint64_t(seed));
  // Weights of a usual size keep deep models away from overflow; the state of an optimiser starts at zero.
  double scale = tensor.role == XFRT_PARAMETER ? 0.02 : tensor.role == XFRT_STATE ? 0 : 1;
  for (int64_t i = 0; scale != 1 && isFloat(spec.dtype) && i < value.count(); ++i)
    value.setReal(i, scale * value.real(i));
  return true;
}

static bool fillArguments(EntryCall &call, const BenchOptions &options, std::vector<int64_t> &symbols,
                          Failure &failure) {
  if (!readInputs(call.argumentSpecs, options.inputs, call.arguments, failure) ||
      !bindSizes(call, options.sizes, symbols, failure))
    return false;
  xfrt_derive_symbols(&call.entry, symbols.data());
  for (size_t i = 0; i < call.arguments.size(); ++i)
    if (!call.arguments[i] && !fillArgument(call, i, symbols, options.seed, failure))
      return false;
  return call.allocateResults(failure);
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

namespace {
/// An entry that is ready to be called.
struct PreparedEntry {
  PreparedEntry() = default;
  PreparedEntry(const PreparedEntry &) = delete;
  ~PreparedEntry() {
    if (context)
      call->leaveDevice(context);
    xfrt_destroy(context);
  }
  std::optional<EntryCall> call;
  xfrt_context *context = nullptr;
};
} // namespace

static bool findWorkspace(const PreparedEntry &prepared, const std::vector<int64_t> &symbols, Measurement &measurement,
                          Failure &failure) {
  size_t bytes = 0;
  xfrt_status status = xfrt_workspace_size(&prepared.call->model, prepared.call->index, symbols.data(),
                                           int32_t(symbols.size()), xfrt_threads(prepared.context), &bytes);
  measurement.workspaceBytes = int64_t(bytes);
  return status == XFRT_OK || failure.set(exitCodeOf(status), xfrt_message(nullptr));
}

namespace {
/// The model, the device, the ranks and the options, which are the same for all entries measured.
struct Bench {
  const xfrt_model &model;
  int32_t device;
  const Ranks &ranks;
  const BenchOptions &options;
};
} // namespace

/// Makes the arguments and the handle of an entry. On a GPU, puts the arguments into its memory, so that the figures
/// exclude copies from and to the host.
static bool prepareEntry(const Bench &bench, const std::string &name, PreparedEntry &prepared, Measurement &measurement,
                         Failure &failure) {
  const auto &[model, device, ranks, options] = bench;
  int32_t index = findEntry(model, name, options.vjp, failure);
  if (index < 0)
    return false;
  EntryCall &call = prepared.call.emplace(model, index, ranks.get());
  std::vector<int64_t> symbols;
  if (!fillArguments(call, options, symbols, failure))
    return false;
  xfrt_options settings{};
  settings.threads = int32_t(options.threads);
  settings.hold_parameters = !options.readsAnew;
  settings.device = device;
  settings.communicator = ranks.get();
  if (xfrt_status status = xfrt_create(&model, &settings, &prepared.context))
    return failure.set(exitCodeOf(status), xfrt_message(nullptr));
  return xfrt_selected_model(prepared.context)->device == XFRT_CUDA
             ? call.enterDevice(prepared.context, failure)
             : findWorkspace(prepared, symbols, measurement, failure);
}

static bool benchEntry(const Bench &bench, const std::string &name, Measurement &measurement, Failure &failure) {
  PreparedEntry prepared;
  bool isReady = prepareEntry(bench, name, prepared, measurement, failure);
  return bench.ranks.agree(isReady) &&
         measure(*prepared.call, prepared.context, bench.ranks, bench.options.repetitions, measurement, failure) &&
         bench.ranks.agree(writeRecords(prepared.context, failure));
}

static bool run(BenchOptions &options, Failure &failure) {
  std::vector<std::string> entries = options.entries.empty() ? std::vector<std::string>{""} : options.entries;
  if (options.vjp && entries.size() > 1)
    return failure.set(exitUsage, "expected one --entry with --vjp");
  ModelRequest request = {options.model, entries[0], options.vjp, options.compilerOptions};
  xfrt::Message peak;
  if (xfrt::checkGivenPeak(peak))
    return failure.set(exitFailure, peak.get());
  if (!observe(options.observation, options.target, failure) || !chooseDevice(options.target, request, failure))
    return false;
  const xfrt_model *model = loadModel(request, failure);
  Ranks ranks("xf-bench", failure);
  if (!model || !ranks.open(*model))
    return false;
  ranks.replaceIn(options.inputs);
  std::string json, error;
  for (const std::string &entry : entries) {
    Measurement measurement;
    if (!benchEntry({*model, request.device, ranks, options}, entry, measurement, failure))
      return false;
    if (ranks.isFirst())
      printTable(measurement);
    json += toJson(measurement);
  }
  if (options.json.empty() || !ranks.isFirst())
    return true;
  xfrt::OutputFile file;
  return (file.create(options.json, error) && file.write(json.data(), int64_t(json.size()), error) &&
          file.commit(error)) ||
         failure.set(exitFailure, error);
}

int main(int argc, char **argv) {
  const char *tool = "xf-bench";
  prepareOutput();
  BenchOptions options;
  int code = parseOptions(tool, argc, argv, options);
  if (code >= 0)
    return finishOutput(tool, code);
  Failure failure;
  if (run(options, failure))
    return finishOutput(tool, exitSuccess);
  return failure.message.empty() ? failure.code : report(tool, failure.code, failure.message);
}
