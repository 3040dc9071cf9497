//===- ProgramData.h - Contents of a program -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_FRONTEND_GRAPH_PROGRAMDATA_H
#define XF_FRONTEND_GRAPH_PROGRAMDATA_H

#include "Scope.h"
#include "xf/program.h"

namespace xf::detail {

enum class Role { input, parameter, state };

struct EntryArgument {
  Role role;
  std::string name;
  Tensor tensor;
};

struct EntryResult {
  std::string name;
  Tensor tensor;
  /// Name of the argument that this result replaces; empty for a returned result.
  std::string updates;
};

struct Entry {
  std::string name;
  Here here;
  /// Inputs and state; `resolve` finds the parameters when the program is translated.
  std::vector<EntryArgument> arguments = {};
  std::vector<EntryResult> results = {};
  bool vjp = false;
};

struct ProgramData {
  std::string name;
  std::vector<Entry> entries;
  /// Parameters of the models that the program uses, in the models' order.
  std::vector<nn::NamedParameter> parameters;
};

/// An entry with all its arguments (inputs, then parameters in the order of the program's models, then state) and the
/// nodes that it computes.
struct ResolvedEntry {
  const Entry *entry;
  std::vector<EntryArgument> arguments;
  Scope scope;
};

/// Finds the parameters that an entry uses. Throws Error where the entry uses a parameter without a name, or a value of
/// another entry.
ResolvedEntry resolve(const ProgramData &program, const Entry &entry, Scopes &scopes);

/// Translates a program to the text of a module, with the user's source location of each operation if `withLocations`.
/// Throws Error where the module does not verify.
std::string translate(const ProgramData &program, bool withLocations);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PROGRAMDATA_H
