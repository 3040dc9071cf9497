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

/// The arguments and results of an entry, by name, in the tools' own memory.
class EntryCall {
public:
  EntryCall(const xfrt_model &model, int32_t entry);
  ~EntryCall();
  EntryCall(const EntryCall &) = delete;
  EntryCall &operator=(const EntryCall &) = delete;

  /// What the command line gives, parameters too; then weights from a file ("": none), then zeros for the state.
  bool setInputs(const std::vector<std::string> &assignments, const std::string &parametersPath, Failure &failure);

  /// Memory for the results, whose dynamic sizes follow from the arguments'.
  bool allocateResults(Failure &failure);

  /// Copies arguments to memory of the handle's GPU and makes room for results there. `run` then uses both and copies
  /// nothing; result() does not see what it computes. leaveDevice gives the memory back.
  bool enterDevice(xfrt_context *context, Failure &failure);
  void leaveDevice(xfrt_context *context);

  bool run(xfrt_context *context, Failure &failure);

  const Tensor &result(size_t index) const;

  const xfrt_model &model;
  const int32_t index;
  const xfrt_entry &entry;
  std::vector<TensorSpec> argumentSpecs, resultSpecs;
  std::vector<std::optional<Tensor>> arguments;

  /// Size of a dimension after the arguments are set; TensorSpec::dynamic for a symbol that none of them has.
  int64_t sizeOf(const xfrt_dim &dim) const;

private:
  void bindBuffers();
  bool loadParameters(const std::string &path, Failure &failure);
  bool takeFromStore(Failure &failure);

  std::vector<Tensor> results;
  xfrt_parameters *store = nullptr;
  std::vector<xfrt_buffer> argumentBuffers, resultBuffers;
  bool isOnDevice = false;
};

} // namespace xfrt::tools

#endif // XFRT_TOOLS_ENTRYCALL_H
