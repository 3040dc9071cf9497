//===- LoadModel.h - Compiling and loading models --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_LOADMODEL_H
#define XFRT_TOOLS_LOADMODEL_H

#include "Assignments.h"

namespace xfrt::tools {

/// A request to load a model. A program (.mlir, .mlirbc) is compiled with `compilerOptions` first.
struct ModelRequest {
  std::string path;  ///< a .mlir or .mlirbc file is compiled first, any other file is opened as a shared object
  std::string entry; ///< name of the entry; required for the derivative of a .mlir
  bool vjp = false;
  std::vector<std::string> compilerOptions;
  int32_t device = XFRT_CPU; ///< xfrt_device that runs the model; a .mlir is compiled for it
  bool verify = false;       ///< verify the checksum of constants and images, too
};

/// Loads a shared object that xfc wrote, and verifies its tables. The object stays loaded until the process ends. A
/// program (.mlir, .mlirbc) is first compiled by the xfc in this program's folder. Returns null on failure. If xfc has
/// printed its own message, failure.message is empty and failure.code is the exit code of xfc.
const xfrt_model *loadModel(const ModelRequest &request, Failure &failure);

/// Sets request.device for `target` ("cpu" or "cuda"). For a program (.mlir, .mlirbc), adds the GPU's architecture to
/// the compiler's options. Fails with exitNoDevice if there is no such device.
bool chooseDevice(const std::string &target, ModelRequest &request, Failure &failure);

/// Returns the index of the entry called `entry`. If `entry` is empty, returns the only entry that is not a derivative.
/// With `vjp`, returns the derivative of that entry instead. Returns -1 on failure.
int32_t findEntry(const xfrt_model &model, const std::string &entry, bool vjp, Failure &failure);

/// Replaces this process by the program `name` in the same folder, with the same arguments. Returns only on failure.
void runSibling(const char *name, char **argv, Failure &failure);

/// Returns the exit code of the tools for a status of the runtime.
int exitCodeOf(xfrt_status status);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_LOADMODEL_H
