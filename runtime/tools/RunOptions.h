//===- RunOptions.h - The command line of xf-run ---------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared with the reference interpreter, which is run with the same arguments.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_RUNOPTIONS_H
#define XFRT_TOOLS_RUNOPTIONS_H

#include "CommandLine.h"

namespace xfrt::tools {

struct RunOptions {
  std::string model; ///< .mlir or .so
  std::string entry; ///< "" where the model has only one
  bool vjp = false;
  std::vector<std::string> inputs, outputs, expectedOutputs; ///< NAME=VALUE as written; see Assignments.h
  std::string parameters;
  double rtol = 1e-5, atol = 1e-5;
  std::string target = "cpu"; ///< "cpu", "cuda" or "reference"
  int64_t threads = 0;        ///< 0: one for each CPU
  bool verify = false;        ///< that the bytes of constants and images are what xfc wrote
  std::vector<std::string> compilerOptions;
};

/// Returns -1 when the program should go on, else the exit code with which it should end: help was printed, or a
/// mistake was reported.
int parseRunOptions(std::string_view tool, int argc, char **argv, RunOptions &options);

/// "attend" -> "attend_vjp" when `vjp`.
std::string entryName(const std::string &entry, bool vjp);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_RUNOPTIONS_H
