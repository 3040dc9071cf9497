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
  /// Name of the parameter or state in whose memory this result is written; empty for a result that is returned.
  std::string updates;
};

struct Entry {
  std::string name;
  Here here;
  /// Inputs and states, but no parameters. `resolve` finds the parameters when the program is translated.
  std::vector<EntryArgument> arguments = {};
  std::vector<EntryResult> results = {};
  bool vjp = false;
};

/// A state of a program.
struct StateData {
  std::string name;
  Tensor argument; ///< the value before a call; the argument of every entry that reads or updates the state
  Tensor value;    ///< the value that the entry being recorded has assigned last, else `argument`
  bool isRecording = false;
  uint64_t recording = 0; ///< the number of entries whose recording has begun
};

struct ProgramData {
  std::string name;
  std::vector<Mesh::Axis> mesh; ///< empty: one rank
  std::vector<Entry> entries;
  /// Parameters of all models that the program uses, in the order in which the models were added.
  std::vector<nn::NamedParameter> parameters;
  /// Further names of shared parameters, which a state dict may use. Each maps to the parameter's name in `parameters`.
  std::map<std::string, std::string> tied;
  std::vector<std::shared_ptr<StateData>> states;
  /// Maps each name that Executable::reset takes to the states that reset sets to zero.
  std::map<std::string, std::vector<std::string>> resets;
};

/// Returns the number of ranks that share a dimension.
int64_t ranksOf(const ProgramData &program, const Dim &size);

/// Returns true if the tensor is a state of the program.
bool isState(const ProgramData &program, const Tensor &tensor);

/// While a StateRecording exists, the function of an entry may assign to the states of the program.
class StateRecording {
public:
  explicit StateRecording(const ProgramData &program);
  ~StateRecording();
  StateRecording(const StateRecording &) = delete;
  StateRecording &operator=(const StateRecording &) = delete;

  /// Adds the states that were assigned to the arguments of `entry`, and their new values to its results. Throws Error
  /// if a name is already in use.
  void addUpdates(Entry &entry, Here here) const;

private:
  const ProgramData &program;
};

/// Returns the name of the state that holds the master of a 16-bit parameter.
inline std::string masterOf(const std::string &parameter) { return parameter + ".master"; }

/// Calls the function f on new inputs and records its operations. Returns an entry with these inputs as arguments, but
/// no results yet. Also returns the results of f. Throws Error for an invalid or repeated name and for a wrong number
/// of inputs.
std::pair<Entry, Results> recordEntry(const ProgramData &program, std::string name,
                                      const std::vector<TensorSpec> &inputs, const Traceable &f, Here here);

/// An entry with all its arguments and the nodes that compute its results. The arguments are inputs, then parameters in
/// the order of ProgramData::parameters, then states.
struct ResolvedEntry {
  const Entry *entry;
  std::vector<EntryArgument> arguments;
  Scope scope;
};

/// Finds the nodes and parameters that an entry uses. Throws Error where the entry uses a parameter of a model that the
/// program does not use, or an input of another entry or function.
ResolvedEntry resolve(const ProgramData &program, const Entry &entry, Scopes &scopes);

/// Translates a program to the text of an MLIR module. With `withLocations`, each operation has its source location in
/// the user's program. Throws Error where the module does not verify.
std::string translate(const ProgramData &program, bool withLocations);

} // namespace xf::detail

#endif // XF_FRONTEND_GRAPH_PROGRAMDATA_H
