//===- xf-run.cpp - Run an entry of a model from the command line ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs an entry of a model. If the model is for several ranks, an MPI launcher starts one process for each rank, and
// rank 0 prints. {rank} in names of files stands for the number of the rank.
//
//===----------------------------------------------------------------------===//

#include "../EntryCall.h"
#include "../LoadModel.h"
#include "../Npy.h"
#include "../Ranks.h"
#include "../RunOptions.h"
#include "../StandardOutput.h"

using namespace xfrt::tools;

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// With several ranks, fails unless the name of each output file has {rank}: each rank writes its own part of a result.
static bool haveFiles(const Ranks &ranks, const std::vector<std::string> &outputs, Failure &failure) {
  for (const std::string &output : outputs)
    if (ranks.size() > 1 && output.find("{rank}") == std::string::npos)
      return failure.set(exitUsage, "--output: expected {rank} in the name of the file, which " +
                                        std::to_string(ranks.size()) + " ranks write, got '" + output + "'");
  return true;
}

static bool writeOutputs(const EntryCall &call, const std::vector<ResultFile> &files, Failure &failure) {
  for (const ResultFile &file : files) {
    std::string error;
    if (!writeNpy(file.path, call.result(file.result), error))
      return failure.set(exitFailure, "result '" + call.resultSpecs[file.result].name + "': " + error);
  }
  return true;
}

static bool compareOutputs(const EntryCall &call, const std::vector<ResultFile> &files, const RunOptions &options,
                           Failure &failure) {
  for (const ResultFile &file : files)
    if (!compareWithFile(call.result(file.result), call.resultSpecs[file.result], file.path, options.rtol, options.atol,
                         failure))
      return false;
  return true;
}

namespace {
/// The call that is to run, the files to which it writes results, and the files with expected results.
struct Preparation {
  std::optional<EntryCall> call;
  std::vector<ResultFile> outputs, expected;
};
} // namespace

static bool prepare(const xfrt_model &model, const RunOptions &options, const Ranks &ranks, Preparation &prepared,
                    Failure &failure) {
  int32_t entry = findEntry(model, options.entry, options.vjp, failure);
  if (entry < 0)
    return false;
  EntryCall &call = prepared.call.emplace(model, entry, ranks.get());
  return parseResultFiles(call.resultSpecs, options.outputs, "output", prepared.outputs, failure) &&
         parseResultFiles(call.resultSpecs, options.expectedOutputs, "expected-output", prepared.expected, failure) &&
         call.setInputs(options.inputs, options.parameters, failure) && call.allocateResults(failure);
}

/// Creates a handle. Returns null on failure.
static xfrt_context *createContext(const xfrt_model &model, const RunOptions &options, int32_t device,
                                   const Ranks &ranks, Failure &failure) {
  xfrt_options settings{};
  settings.communicator = ranks.get();
  settings.threads = int32_t(options.threads);
  settings.device = device;
  xfrt_context *context = nullptr;
  if (xfrt_status status = xfrt_create(&model, &settings, &context))
    failure.set(exitCodeOf(status), xfrt_message(nullptr));
  return context;
}

static bool run(RunOptions &options, Failure &failure) {
  ModelRequest request = {options.model, options.entry, options.vjp, options.compilerOptions};
  request.verify = options.verify;
  if (!observe(options.observation, options.target, failure) || !chooseDevice(options.target, request, failure))
    return false;
  const xfrt_model *model = loadModel(request, failure);
  Ranks ranks("xf-run", failure);
  if (!model || !ranks.open(*model))
    return false;
  bool isReady = haveFiles(ranks, options.outputs, failure);
  for (std::vector<std::string> *files : {&options.inputs, &options.outputs, &options.expectedOutputs})
    ranks.replaceIn(*files);
  Preparation prepared;
  if (!ranks.agree(isReady && prepare(*model, options, ranks, prepared, failure)))
    return false;
  EntryCall &call = *prepared.call;
  xfrt_context *context = createContext(*model, options, request.device, ranks, failure);
  bool isCalled =
      ranks.agree(context) && ranks.agreeOnCall(call.run(context, failure) && writeRecords(context, failure));
  xfrt_destroy(context);
  if (!isCalled || !writeOutputs(call, prepared.outputs, failure) ||
      !compareOutputs(call, prepared.expected, options, failure))
    return false;
  if (prepared.outputs.empty() && prepared.expected.empty())
    for (size_t i = 0; i < call.resultSpecs.size() && ranks.isFirst(); ++i)
      printSummary(call.resultSpecs[i], call.result(i));
  return true;
}

int main(int argc, char **argv) {
  const char *tool = "xf-run";
  prepareOutput();
  RunOptions options;
  int code = parseRunOptions(tool, argc, argv, options);
  if (code >= 0)
    return finishOutput(tool, code);
  Failure failure;
  if (options.target == "reference") {
    if (!observe(options.observation, options.target, failure))
      return report(tool, failure.code, failure.message);
    runSibling("xf-reference", argv, failure);
    return report(tool, failure.code, failure.message);
  }
  if (run(options, failure))
    return finishOutput(tool, exitSuccess);
  return failure.message.empty() ? failure.code : report(tool, failure.code, failure.message);
}
