//===- LoadModel.h - From a file to the tables of a model ------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_LOADMODEL_H
#define XFRT_TOOLS_LOADMODEL_H

#include "Assignments.h"

namespace xfrt::tools {

/// What to load and how to compile it when it is source.
struct ModelRequest {
  std::string path;  ///< .mlir is compiled first, anything else is opened as a shared object
  std::string entry; ///< of the user; needed for a derivative of a .mlir
  bool vjp = false;
  std::vector<std::string> compilerOptions;
  int32_t device = XFRT_CPU; ///< where it is to run; a .mlir is compiled for it
  bool verify = false;       ///< compare the bytes of constants and images with their sum, too
};

/// Loads a shared object that xfc made, whose tables are whole; it stays loaded until the process ends. A .mlir is
/// compiled by the xfc that stands beside this program, whose messages and exit code are passed on (failure.message is
/// then empty).
const xfrt_model *loadModel(const ModelRequest &request, Failure &failure);

/// Whether there is a device for `target` ("cpu" or "cuda"), and which: its architecture goes into what a .mlir is
/// compiled with. Fails with exitNoDevice.
bool chooseDevice(const std::string &target, ModelRequest &request, Failure &failure);

/// The entry that the user means: the named one, or the only one that is no derivative. -1: `failure` says why.
int32_t findEntry(const xfrt_model &model, const std::string &entry, bool vjp, Failure &failure);

/// Replaces this process by the program `name` that stands beside it, with the same arguments. Returns only on failure.
void runSibling(const char *name, char **argv, Failure &failure);

/// The exit code for a status of the runtime.
int exitCodeOf(xfrt_status status);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_LOADMODEL_H
