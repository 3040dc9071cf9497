//===- RunOptions.h - The command line of xf-run ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the options of xf-run and of the reference interpreter. xf-run starts the interpreter with its own arguments.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_RUNOPTIONS_H
#define XFRT_TOOLS_RUNOPTIONS_H

#include "../support/CommandLine.h"
#include "Observation.h"

namespace xfrt::tools {

/// The options of xf-run.
struct RunOptions {
  std::string model; ///< path of the model, a .mlir, .mlirbc or .so file
  std::string entry; ///< name of the entry; may be empty if the model has only one
  bool vjp = false;
  std::vector<std::string> inputs, outputs, expectedOutputs; ///< NAME=VALUE as written; see Assignments.h
  std::string parameters;
  double rtol = 1e-5, atol = 1e-5;
  std::string target = "cpu"; ///< "cpu", "cuda" or "reference"
  int64_t threads = 0;        ///< 0: one for each CPU
  Observation observation;
  bool verify = false; ///< verify the checksum of constants and images
  std::vector<std::string> compilerOptions;
};

/// Parses the command line of xf-run. Returns -1 on success. After printing help or reporting a mistake, returns the
/// exit code with which the program must end.
int parseRunOptions(std::string_view tool, int argc, char **argv, RunOptions &options);

/// Returns the name of the entry to run. This is `entry` or, with `vjp`, the name of its derivative, such as
/// "attend_vjp" for "attend".
std::string entryName(const std::string &entry, bool vjp);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_RUNOPTIONS_H
