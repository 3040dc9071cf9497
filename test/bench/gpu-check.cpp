//===- gpu-check.cpp - Entries of a model, on a GPU as on the CPU ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs each entry of a list on both devices, in one process: the model is loaded once. Needs neither LLVM nor CUDA's
// toolkit. A line of the list is an entry, a tolerance and its inputs, as xf-run takes them:
//
//   causal_512_128_bf16 0.06 arg0=random(1) arg1=random(2) arg2=random(3)
//
// Every line is answered by one, at once, in order: "agrees ENTRY", or "failed ENTRY: WHY". Exit code 0: all agree; 1:
// some do not; 3: the GPU's context is lost, so that what follows in the list was not tried; 77: no device.
//
//===----------------------------------------------------------------------===//

#include "runtime/tools/EntryCall.h"
#include "runtime/tools/LoadModel.h"

#include <errno.h>
#include <fstream>
#include <sstream>
#include <string.h>

using namespace xfrt::tools;

static constexpr int exitDeviceLost = 3;

namespace {
struct CheckOptions {
  std::string model, list;
  int64_t repeats = 2;
  bool alone = false;
};

/// One line of the list.
struct Check {
  std::string entry;
  double tolerance = 0;
  std::vector<std::string> inputs;
};

/// The model on one device.
class Place {
public:
  ~Place() { xfrt_destroy(context); }
  bool open(const xfrt_model &model, int32_t device, Failure &failure) {
    xfrt_options options{};
    options.device = device;
    xfrt_status status = xfrt_create(&model, &options, &context);
    return status == XFRT_OK || failure.set(exitCodeOf(status), xfrt_message(nullptr));
  }
  xfrt_context *context = nullptr;
};
} // namespace

static bool readList(const std::string &path, std::vector<Check> &checks, Failure &failure) {
  std::ifstream file(path);
  if (!file)
    return failure.set(exitFailure, "cannot open '" + path + "': " + strerror(errno));
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string tolerance;
    Check check;
    ++number;
    if (!(words >> check.entry >> tolerance) || !parseReal(tolerance, check.tolerance))
      return failure.set(exitFailure, path + ":" + std::to_string(number) +
                                          ": expected an entry and a tolerance, got '" + line + "'");
    for (std::string input; words >> input;)
      check.inputs.push_back(input);
    checks.push_back(std::move(check));
  }
  return true;
}

/// A call with inputs of its own: the entry may update them.
static bool callOnce(EntryCall &call, const Check &check, const Place &place, Failure &failure) {
  return call.setInputs(check.inputs, "", failure) && call.allocateResults(failure) && call.run(place.context, failure);
}

static bool compareResults(const EntryCall &got, const EntryCall &want, const Check &check, Failure &failure) {
  for (size_t i = 0; i < got.resultSpecs.size(); ++i)
    if (!compareTensors(got.result(i), want.result(i), got.resultSpecs[i], check.tolerance, check.tolerance, failure))
      return false;
  return true;
}

static bool compareBits(const EntryCall &got, const EntryCall &first, int64_t number, Failure &failure) {
  for (size_t i = 0; i < got.resultSpecs.size(); ++i)
    if (memcmp(got.result(i).data(), first.result(i).data(), size_t(got.result(i).bytes())) != 0)
      return failure.set(exitFailure, "result '" + got.resultSpecs[i].name +
                                          "': expected the bits of the first run, got others in run " +
                                          std::to_string(number));
  return true;
}

static bool runCheck(const xfrt_model &model, const Check &check, const CheckOptions &options, const Place &cpu,
                     const Place &gpu, Failure &failure) {
  int32_t index = findEntry(model, check.entry, /*vjp=*/false, failure);
  if (index < 0)
    return false;
  EntryCall want(model, index), first(model, index);
  if (!options.alone && !callOnce(want, check, cpu, failure))
    return false;
  if (!callOnce(first, check, gpu, failure) || (!options.alone && !compareResults(first, want, check, failure)))
    return false;
  for (int64_t number = 2; number <= options.repeats; ++number) {
    EntryCall again(model, index);
    if (!callOnce(again, check, gpu, failure) || !compareBits(again, first, number, failure))
      return false;
  }
  return true;
}

/// Whether the GPU does not answer any more: after a fault in a kernel no call of the process does.
static bool isLost(const Place &gpu) {
  float number = 0;
  int64_t size = 1;
  xfrt_buffer buffer = {nullptr, XFRT_F32, 1, &size, nullptr, XFRT_CPU},
              host = {&number, XFRT_F32, 1, &size, nullptr, XFRT_CPU};
  bool answers =
      xfrt_buffer_allocate(gpu.context, &buffer) == XFRT_OK && xfrt_buffer_copy(gpu.context, &host, &buffer) == XFRT_OK;
  xfrt_buffer_release(gpu.context, &buffer);
  return !answers;
}

static int runChecks(const CheckOptions &options, Failure &failure) {
  ModelRequest request = {options.model, "", false, {}};
  std::vector<Check> checks;
  Place cpu, gpu;
  if (!readList(options.list, checks, failure) || !chooseDevice("cuda", request, failure))
    return failure.code;
  const xfrt_model *model = loadModel(request, failure);
  if (!model || (!options.alone && !cpu.open(*model, XFRT_CPU, failure)) || !gpu.open(*model, XFRT_CUDA, failure))
    return failure.code;
  int code = exitSuccess;
  for (const Check &check : checks) {
    Failure why;
    bool agrees = runCheck(*model, check, options, cpu, gpu, why);
    if (agrees)
      printf("agrees %s\n", check.entry.c_str());
    else
      printf("failed %s: %s\n", check.entry.c_str(), why.message.c_str());
    fflush(stdout); // whoever reads counts the seconds
    if (!agrees && isLost(gpu))
      return exitDeviceLost;
    if (!agrees)
      code = exitFailure;
  }
  return code;
}

int main(int argc, char **argv) {
  const char *tool = "gpu-check";
  CheckOptions options;
  CommandLine line(tool, "Compares entries of a model on a GPU with the CPU, and from run to run.");
  line.positional("MODEL.so", options.model);
  line.text("list", options.list, "FILE", "a line for each entry: its name, a tolerance, NAME=VALUE of its inputs");
  line.integer("repeats", options.repeats, 1, 1000, "runs on the GPU, which must give the same bits (2)");
  line.flag("alone", options.alone, "run on the GPU only, as for compute-sanitizer");
  std::string error;
  if (!line.parse(argc, argv, error))
    return report(tool, exitUsage, error);
  if (line.helpRequested()) {
    line.printHelp();
    return exitSuccess;
  }
  Failure failure;
  int code = runChecks(options, failure);
  return failure.message.empty() ? code : report(tool, code, failure.message);
}
