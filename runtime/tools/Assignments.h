//===- Assignments.h - NAME=VALUE on the command line ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assignments of values to arguments, on the command line of a tool:
//
//   q=@file.npy                 an npy file
//   q=2x4x128x64xf32=0.5        one value for every element
//   q=2x4x128x64xf32=random(7)  unit normals (fillRandom) from a seed
//   q=0.5, q=random(7)          without the shape, where the program declares a static one
//
// Names may contain any character, also '='. An assignment is split after the longest name of the program with which it
// begins.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_ASSIGNMENTS_H
#define XFRT_TOOLS_ASSIGNMENTS_H

#include "../support/CommandLine.h"
#include "Tensor.h"

#include <optional>

namespace xfrt::tools {

/// A failure with its message and the exit code for it: exitUsage for a mistake on the command line, exitFailure for
/// data that does not match the program.
struct Failure {
  int code = exitSuccess;
  std::string message;

  /// Sets the exit code and the message. Always returns false, so that a check reads `return failure.set(..)`.
  bool set(int newCode, std::string text) {
    code = newCode;
    message = std::move(text);
    return false;
  }
};

/// Parses assignments NAME=VALUE. Sets values[i] where an assignment has the name of specs[i], and leaves the other
/// values empty. Fails for a duplicate name.
bool readInputs(const std::vector<TensorSpec> &specs, const std::vector<std::string> &assignments,
                std::vector<std::optional<Tensor>> &values, Failure &failure);

/// Verifies that all required inputs have a value. On failure the message lists the missing inputs.
bool checkInputsGiven(const std::vector<TensorSpec> &specs, const std::vector<std::optional<Tensor>> &values,
                      Failure &failure);

/// A parsed assignment NAME=@FILE: the index of the result NAME, and a path.
struct ResultFile {
  size_t result;
  std::string path;
};

/// Parses assignments NAME=@FILE of the option `--option` and appends them to `files`. Fails for an unknown name or
/// another form of value.
bool parseResultFiles(const std::vector<TensorSpec> &results, const std::vector<std::string> &assignments,
                      const char *option, std::vector<ResultFile> &files, Failure &failure);

/// Verifies |got - want| <= atol + rtol |want| for every element, where NaN equals NaN and an infinity equals itself.
/// On failure the message has the first element that violates this, the number of such elements, and the largest
/// difference.
bool compareTensors(const Tensor &got, const Tensor &want, const TensorSpec &spec, double rtol, double atol,
                    Failure &failure);

/// Compares `got` with expected values from an npy file, as compareTensors does. Also fails if the shapes differ.
bool compareWithFile(const Tensor &got, const TensorSpec &spec, const std::string &path, double rtol, double atol,
                     Failure &failure);

/// Prints a tensor in one line: its name, shape, type and first elements. For a longer tensor also prints the smallest,
/// the largest and the mean element.
void printSummary(const TensorSpec &spec, const Tensor &tensor);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_ASSIGNMENTS_H
