//===- Observation.h - Traces and profiles of the tools --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_OBSERVATION_H
#define XFRT_TOOLS_OBSERVATION_H

#include "../support/CommandLine.h"
#include "Assignments.h"

namespace xfrt::tools {

/// What a tool records of the calls that it makes: a trace, a profile, or both.
struct Observation {
  std::string trace;       ///< file that receives a trace; empty: none
  bool profile = false;    ///< print a profile
  std::string profileFile; ///< file that receives the profile instead; empty: none
};

/// Declares the options --trace, --profile and --profile-file. `ofSeveral` is a text for the help of these options. It
/// tells how several entries share a file.
void addObservation(CommandLine &line, Observation &observation, const std::string &ofSeveral = "");

/// Sets XFRT_TRACE and XFRT_PROFILE, so that the handles that this process creates record what `observation` asks for.
/// Fails with exitUsage for a target other than "cpu" and "cuda", which cannot record.
bool observe(const Observation &observation, const std::string &target, Failure &failure);

/// Writes the trace and the profile that a handle has recorded.
bool writeRecords(xfrt_context *context, Failure &failure);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_OBSERVATION_H
