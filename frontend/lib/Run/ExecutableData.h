//===- ExecutableData.h - Contents of an executable -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_RUN_EXECUTABLEDATA_H
#define XF_FRONTEND_RUN_EXECUTABLEDATA_H

#include "../Graph/Modules/ParameterData.h"
#include "../Graph/ProgramData.h"
#include "../Translate/Compile.h"
#include "xfrt/parameters.h"

#include <cstring>
#include <set>

namespace xf::detail {

struct StoreDeleter {
  void operator()(xfrt_parameters *store) const { xfrt_parameters_destroy(store); }
};
struct ContextDeleter {
  void operator()(xfrt_context *context) const { xfrt_destroy(context); }
};

struct ExecutableData {
  Ranks ranks; // outlives the handle and the store
  LoadedModel loaded;
  std::unique_ptr<xfrt_parameters, StoreDeleter> store;
  std::unique_ptr<xfrt_context, ContextDeleter> context;
  Device device;
  std::string fallback;
  TiedNames tied;
  /// Names of the program's states. Other states are the optimiser's.
  std::set<std::string> states;
  /// Maps each name that reset() takes to the states that reset() sets to zero.
  std::map<std::string, std::vector<std::string>> resets;
};

/// Returns the entry `name`. If there is none, throws Error with the names of all entries.
const xfrt_entry &findEntry(const ExecutableData &data, const std::string &name, Here here);

/// Copies this rank's share of a parameter or state from its whole value `whole`, which must have the right type and
/// shape.
void takeShare(const ExecutableData &data, const std::string &name, const Array &whole, Here here);

/// Copies the elements of an array to one of the same size.
inline void copyElements(const Array &from, const Array &to) {
  if (!from.bytes().empty())
    std::memcpy(to.bytes().data(), from.bytes().data(), from.bytes().size());
}

} // namespace xf::detail

#endif // XF_FRONTEND_RUN_EXECUTABLEDATA_H
