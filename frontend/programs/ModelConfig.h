//===- ModelConfig.h - What a checkpoint says of its model -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads config.json, a file beside the weights of a model. It has the settings that the shapes of weights do not
// determine, such as the number of heads, epsilon and the angles of a rotary embedding. Settings that a program does
// not compute are refused.
//
//===----------------------------------------------------------------------===//

#ifndef XF_PROGRAMS_MODELCONFIG_H
#define XF_PROGRAMS_MODELCONFIG_H

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace xf::programs {

/// An object of a JSON file. Functions read its members by name; a member that is null counts as absent. They throw
/// std::runtime_error, which names the file and the member, if a member has another type.
class ModelConfig {
public:
  /// Reads the file `path`. A file that does not exist has no members. Throws std::runtime_error for a file that is not
  /// a JSON object.
  static ModelConfig read(const std::string &path);

  /// Returns false for a file that does not exist, and for a member that object() did not find.
  bool exists() const { return contents != nullptr; }
  const std::string &path() const { return file; }

  std::optional<int64_t> integer(const std::string &name) const;
  std::optional<double> real(const std::string &name) const;
  std::optional<bool> flag(const std::string &name) const;
  std::optional<std::string> text(const std::string &name) const;
  /// Returns the numbers of a list, or a single number as a list. Returns an empty list for an absent member.
  std::vector<int64_t> integers(const std::string &name) const;
  std::vector<double> reals(const std::string &name) const;
  std::vector<std::string> texts(const std::string &name) const;
  ModelConfig object(const std::string &name) const;
  std::vector<std::string> names() const;

  /// Throw std::runtime_error unless the member is absent or has the right value: the given `value`, or one of the
  /// given `values`.
  void expectText(const std::string &name, const std::vector<std::string> &values) const;
  void expectFlag(const std::string &name, bool value) const;
  void expectInteger(const std::string &name, int64_t value) const;
  /// Throws std::runtime_error unless the member is absent or equals `weights`, the size that the weights have.
  void expectSize(const std::string &name, int64_t weights) const;
  /// Throws std::runtime_error if the member exists.
  void expectAbsent(const std::string &name) const;
  [[noreturn]] void fail(const std::string &name, const std::string &expected) const;

  /// Returns the names of members that were not read, without those in `harmless`.
  std::vector<std::string> unread(const std::set<std::string> &harmless) const;

private:
  const nlohmann::json *find(const std::string &name) const;

  std::string file, prefix;
  std::shared_ptr<const nlohmann::json> contents;
  std::shared_ptr<std::set<std::string>> asked = std::make_shared<std::set<std::string>>();
};

/// The files of a checkpoint.
struct CheckpointFiles {
  std::string weights; ///< a safetensors file, or the index of several
  std::string folder;  ///< folder of the weights, with a '/' at its end; empty for the current folder
  ModelConfig config;
};

/// Finds the files of a checkpoint. If `path` is a folder, the weights are its model.safetensors,
/// model.safetensors.index.json or weights.safetensors (of train_text), else they are `path`. Reads config.json beside
/// them, if it exists. Throws std::runtime_error if a folder has no weights.
CheckpointFiles findCheckpoint(const std::string &path);

/// Returns a setting: `given`, the value of the user's option `option`, unless it is 0; else member `name` of `config`,
/// if there is one; else `otherwise`. Throws std::runtime_error if the user and `config` give different values.
int64_t settle(const char *option, int64_t given, const ModelConfig &config, const std::string &name,
               int64_t otherwise);

/// Prints a line to standard error: what a program assumes (`assumed`) if a checkpoint has no config.json, else the
/// members of config.json that it does not know, if any.
void printAssumptions(const char *program, const CheckpointFiles &files, const std::string &assumed);

} // namespace xf::programs

#endif // XF_PROGRAMS_MODELCONFIG_H
