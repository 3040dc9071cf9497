//===- EntryCall.h - The tensors of one call -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_ENTRYCALL_H
#define XFRT_TOOLS_ENTRYCALL_H

#include "Assignments.h"
#include "xfrt/parameters.h"

namespace xfrt::tools {

/// A call of an entry, with arguments and results in memory that this object owns.
class EntryCall {
public:
  /// `ranks` must outlive the call. Null means one rank.
  EntryCall(const xfrt_model &model, int32_t entry, const xfrt_communicator *ranks = nullptr);
  ~EntryCall();
  EntryCall(const EntryCall &) = delete;
  EntryCall &operator=(const EntryCall &) = delete;

  /// Sets the arguments that the command line names. Then reads those parameters that it does not name from the file
  /// `parametersPath` (this rank's shares), unless the path is empty, and sets the other states to zero. Fails if an
  /// argument still has no value.
  bool setInputs(const std::vector<std::string> &assignments, const std::string &parametersPath, Failure &failure);

  /// Allocates the results, whose dynamic sizes the arguments determine. Must be called after setInputs.
  bool allocateResults(Failure &failure);

  /// Copies the arguments to memory of the handle's GPU, and allocates results there. From then on `run` uses this
  /// memory, and does not copy results back, so result() must not be used. leaveDevice must be called to release the
  /// memory, even after a failure.
  bool enterDevice(xfrt_context *context, Failure &failure);
  void leaveDevice(xfrt_context *context);

  bool run(xfrt_context *context, Failure &failure);

  const Tensor &result(size_t index) const;

  const xfrt_model &model;
  const int32_t index;
  const xfrt_entry &entry;
  std::vector<TensorSpec> argumentSpecs, resultSpecs;
  std::vector<std::optional<Tensor>> arguments;

  /// Returns the size of a dimension, from the shapes of the arguments that are set. Returns TensorSpec::dynamic if no
  /// such argument has the symbol of the dimension.
  int64_t sizeOf(const xfrt_dim &dim) const;

private:
  void bindBuffers();
  bool loadParameters(const std::string &path, Failure &failure);
  bool takeFromStore(Failure &failure);

  std::vector<Tensor> results;
  const xfrt_communicator *ranks;
  xfrt_parameters *store = nullptr;
  std::vector<xfrt_buffer> argumentBuffers, resultBuffers;
  bool isOnDevice = false;
};

} // namespace xfrt::tools

#endif // XFRT_TOOLS_ENTRYCALL_H
