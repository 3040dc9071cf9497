//===- ModelConfig.h - What a checkpoint says of its model -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights say the sizes of a model, but not how many heads share them, nor epsilon or the angles of a rotary embedding:
// these are in a file config.json beside them. What it says and a program does not compute is refused.
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

/// An object of a JSON file, whose members are asked for by name. A member that is null is absent. Functions throw
/// std::runtime_error, with the file and the member, for a member of another kind.
class ModelConfig {
public:
  /// Reads a file; one that does not exist has no members. Throws std::runtime_error for a file that is no JSON object.
  static ModelConfig read(const std::string &path);

  /// Whether there is such a file, or such a member.
  bool exists() const { return contents != nullptr; }
  const std::string &path() const { return file; }

  std::optional<int64_t> integer(const std::string &name) const;
  std::optional<double> real(const std::string &name) const;
  std::optional<bool> flag(const std::string &name) const;
  std::optional<std::string> text(const std::string &name) const;
  /// Returns the numbers of a list, or the one number; none for an absent member.
  std::vector<int64_t> integers(const std::string &name) const;
  std::vector<double> reals(const std::string &name) const;
  std::vector<std::string> texts(const std::string &name) const;
  ModelConfig object(const std::string &name) const;
  std::vector<std::string> names() const;

  /// Throws unless the member is absent or has one of the values.
  void expectText(const std::string &name, const std::vector<std::string> &values) const;
  void expectFlag(const std::string &name, bool value) const;
  void expectInteger(const std::string &name, int64_t value) const;
  /// Throws unless the member is absent or a size that the weights have.
  void expectSize(const std::string &name, int64_t weights) const;
  /// Throws where there is such a member.
  void expectAbsent(const std::string &name) const;
  [[noreturn]] void fail(const std::string &name, const std::string &expected) const;

  /// Returns the members that nobody has asked for, without those named.
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
  std::string folder;  ///< with a '/' at its end; empty for the current one
  ModelConfig config;
};

/// Finds the weights in a folder (model.safetensors, model.safetensors.index.json or train_text's weights.safetensors),
/// or takes the path of a file, and reads config.json beside them. Throws std::runtime_error where there is none.
CheckpointFiles findCheckpoint(const std::string &path);

/// Returns the setting that an option gives, else that of the checkpoint. Throws std::runtime_error where both are
/// there and differ.
int64_t settle(const char *option, int64_t given, const ModelConfig &config, const std::string &name,
               int64_t otherwise);

/// Prints, in one line of standard error, what a program assumes where a checkpoint has no config.json, or which
/// members of one it does not know.
void printAssumptions(const char *program, const CheckpointFiles &files, const std::string &assumed);

} // namespace xf::programs

#endif // XF_PROGRAMS_MODELCONFIG_H
