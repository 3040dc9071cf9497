//===- xf-run.cpp - Run an entry of a model from the command line ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../EntryCall.h"
#include "../LoadModel.h"
#include "../Npy.h"
#include "../RunOptions.h"
#include "../StandardOutput.h"

using namespace xfrt::tools;

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

static bool callOnce(EntryCall &call, const RunOptions &options, int32_t device, Failure &failure) {
  xfrt_options settings{};
  settings.threads = int32_t(options.threads);
  settings.device = device;
  xfrt_context *context = nullptr;
  if (xfrt_status status = xfrt_create(&call.model, &settings, &context))
    return failure.set(exitCodeOf(status), xfrt_message(nullptr));
  bool good = call.run(context, failure);
  xfrt_destroy(context);
  return good;
}

static bool run(const RunOptions &options, Failure &failure) {
  ModelRequest request = {options.model, options.entry, options.vjp, options.compilerOptions};
  request.verify = options.verify;
  if (!observe(options.observation, options.target, failure) || !chooseDevice(options.target, request, failure))
    return false;
  const xfrt_model *model = loadModel(request, failure);
  if (!model)
    return false;
  int32_t entry = findEntry(*model, options.entry, options.vjp, failure);
  if (entry < 0)
    return false;
  EntryCall call(*model, entry);
  std::vector<ResultFile> outputs, expected;
  if (!parseResultFiles(call.resultSpecs, options.outputs, "output", outputs, failure) ||
      !parseResultFiles(call.resultSpecs, options.expectedOutputs, "expected-output", expected, failure) ||
      !call.setInputs(options.inputs, options.parameters, failure) || !call.allocateResults(failure) ||
      !callOnce(call, options, request.device, failure) || !writeOutputs(call, outputs, failure) ||
      !compareOutputs(call, expected, options, failure))
    return false;
  if (outputs.empty() && expected.empty())
    for (size_t i = 0; i < call.resultSpecs.size(); ++i)
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
