//===- Program.cpp - What all programs do ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"
#include "runtime/tools/StandardOutput.h"

using namespace xf;
using namespace xf::programs;
using namespace xfrt::tools;

int programs::runProgram(const char *name, CommandLine &line, int argc, char **argv,
                         const std::function<void()> &body) {
  prepareOutput();
  std::string error;
  if (!line.parse(argc, argv, error))
    return report(name, exitUsage, error);
  if (line.helpRequested()) {
    line.printHelp();
    return finishOutput(name, exitSuccess);
  }
  try {
    body();
    return finishOutput(name, exitSuccess);
  } catch (const UsageError &mistake) {
    return report(name, exitUsage, mistake.what());
  } catch (const DeviceError &failure) {
    return report(name, exitNoDevice, failure.message());
  } catch (const Error &failure) {
    return report(name, exitFailure, failure.message()); // its location is one of this program
  } catch (const std::exception &failure) {
    return report(name, exitFailure, failure.what());
  }
}

Device programs::parseDevice(const std::string &text) {
  if (text == "cpu")
    return cpu();
  if (text == "auto")
    return cuda_or_cpu();
  int64_t number = 0;
  bool isNumbered = text.starts_with("cuda:") && parseInteger(text.substr(5), 0, 1023, number);
  if (text != "cuda" && !isNumbered)
    throw UsageError("--device: expected cpu, cuda, cuda:N or auto, got '" + text + "'");
  Device device = cuda();
  device.number = int(number);
  return device;
}
