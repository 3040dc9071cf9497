//===- Assignments.h - NAME=VALUE on the command line ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   q=@file.npy                 an npy file
//   q=2x4x128x64xf32=0.5        every element the same
//   q=2x4x128x64xf32=random(7)  unit normals (fillRandom) from a seed
//   q=0.5, q=random(7)          the shape may be left out where the program fixes it
//
// Names may hold any character, '=' too: of the program's names, the longest that fits is meant.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_ASSIGNMENTS_H
#define XFRT_TOOLS_ASSIGNMENTS_H

#include "CommandLine.h"
#include "Tensor.h"

#include <optional>

namespace xfrt::tools {

/// A failure with the exit code that it calls for: exitUsage for a mistake on the command line, exitFailure for data
/// that does not fit.
struct Failure {
  int code = exitSuccess;
  std::string message;

  bool set(int newCode, std::string text) {
    code = newCode;
    message = std::move(text);
    return false;
  }
};

/// Gives each spec that an assignment names its value; the others stay empty. A name twice is an error.
bool readInputs(const std::vector<TensorSpec> &specs, const std::vector<std::string> &assignments,
                std::vector<std::optional<Tensor>> &values, Failure &failure);

/// All required inputs have a value; the message lists those that have none.
bool checkInputsGiven(const std::vector<TensorSpec> &specs, const std::vector<std::optional<Tensor>> &values,
                      Failure &failure);

/// NAME=@FILE for a result of the program.
struct ResultFile {
  size_t result;
  std::string path;
};
bool parseResultFiles(const std::vector<TensorSpec> &results, const std::vector<std::string> &assignments,
                      const char *option, std::vector<ResultFile> &files, Failure &failure);

/// |got - want| <= atol + rtol |want| for every element; NaN equals NaN, infinities equal themselves. The message has
/// the number of elements outside, the largest error and the first place.
bool compareTensors(const Tensor &got, const Tensor &want, const TensorSpec &spec, double rtol, double atol,
                    Failure &failure);

/// The same with the values of an npy file, whose shape must be the tensor's.
bool compareWithFile(const Tensor &got, const TensorSpec &spec, const std::string &path, double rtol, double atol,
                     Failure &failure);

/// One line: name, shape and type, first elements, smallest, largest, mean.
void printSummary(const TensorSpec &spec, const Tensor &tensor);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_ASSIGNMENTS_H
