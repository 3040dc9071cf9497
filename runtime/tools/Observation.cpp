//===- Observation.cpp - Traces and profiles of the tools -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observation.h"

#include <stdlib.h>

using namespace xfrt::tools;

void xfrt::tools::addObservation(CommandLine &line, Observation &observation, const std::string &ofSeveral) {
  line.text("trace", observation.trace, "FILE", "write when kernels ran, for https://ui.perfetto.dev" + ofSeveral);
  line.flag("profile", observation.profile, "print where time went, by operation and line of the program");
  line.text("profile-file", observation.profileFile, "FILE", "write it to a file, as JSON if the name ends in .json");
}

bool xfrt::tools::observe(const Observation &observation, const std::string &target, Failure &failure) {
  auto set = [&](const char *variable, const char *option, const std::string &file) {
    if (file.empty())
      return true;
    if (target != "cpu" && target != "cuda")
      return failure.set(exitUsage, std::string(option) + ": expected --target=cpu or cuda, got " + target);
    setenv(variable, file.c_str(), /*overwrite=*/1);
    return true;
  };
  const std::string &profile = observation.profileFile;
  return set("XFRT_TRACE", "--trace", observation.trace) &&
         set("XFRT_PROFILE", "--profile", profile.empty() && observation.profile ? "-" : profile);
}

bool xfrt::tools::writeRecords(xfrt_context *context, Failure &failure) {
  const xfrt_status status = xfrt_write_records(context);
  return status == XFRT_OK || failure.set(exitFailure, xfrt_message(context));
}
