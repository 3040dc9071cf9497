//===- Program.h - What all programs do --------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_PROGRAM_H
#define XF_PROGRAMS_PROGRAM_H

#include "runtime/support/CommandLine.h"

#include <xf/device.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace xf::programs {

/// A mistake on the command line.
class UsageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Parses the command line into the targets of `line`. Prints the help if the user asks for it, and otherwise calls
/// `body`. Prints errors and exceptions as "NAME: error: MESSAGE". Returns the exit code (xfrt::tools::ExitCode). If
/// standard output cannot be written, the exit code is that of a failure.
int runProgram(const char *name, xfrt::tools::CommandLine &line, int argc, char **argv,
               const std::function<void()> &body);

/// Returns the device with one of the names cpu, cuda, cuda:N or auto. Throws UsageError for another name.
Device parseDevice(const std::string &text);

} // namespace xf::programs

#endif // XF_PROGRAMS_PROGRAM_H
