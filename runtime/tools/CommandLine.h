//===- CommandLine.h - Options of the tools --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--name=value` and `--name value`, flags, one positional argument. Options of the compiler are recognised by their
// names and kept for the compiler. No exceptions, no LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_COMMANDLINE_H
#define XFRT_TOOLS_COMMANDLINE_H

#include <functional>
#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace xfrt::tools {

/// What the tools return to the shell.
enum ExitCode { exitSuccess = 0, exitFailure = 1, exitUsage = 2, exitInternal = 70, exitNoDevice = 77 };

/// Prints "TOOL: error: MESSAGE" to stderr and returns `code`.
int report(std::string_view tool, int code, std::string_view message);

/// `candidates` nearest to `word` in edit distance, or "" when none is near enough to be a typo of it.
std::string nearest(std::string_view word, const std::vector<std::string> &candidates);

/// Decimal integer, all of `text`, in range; false otherwise.
bool parseInteger(std::string_view text, int64_t lowest, int64_t highest, int64_t &value);

/// A floating-point number as strtod reads it, all of `text`.
bool parseReal(std::string_view text, double &value);

class CommandLine {
public:
  CommandLine(std::string tool, std::string summary) : tool(std::move(tool)), summary(std::move(summary)) {}

  // Declarations; the targets keep their values when the option is absent.
  void positional(std::string name, std::string &target);
  void flag(std::string name, bool &target, std::string help);
  void text(std::string name, std::string &target, std::string valueName, std::string help);
  void list(std::string name, std::vector<std::string> &target, std::string valueName, std::string help);
  void integer(std::string name, int64_t &target, int64_t lowest, int64_t highest, std::string help);
  void real(std::string name, double &target, std::string help);
  void choice(std::string name, std::string &target, std::vector<std::string> choices, std::string help);
  /// The compiler's options, handed on as they were written.
  void passThrough(std::vector<std::string> &target);

  /// Fills the targets. False: a message about the first mistake is in `error`.
  bool parse(int argc, char **argv, std::string &error);
  bool helpRequested() const { return help; }
  void printHelp() const;

private:
  struct Option {
    std::string name, valueName, help;
    bool takesValue;
    std::function<bool(const std::string &value, std::string &error)> apply;
  };

  void add(Option option) { options.push_back(std::move(option)); }
  bool parseArgument(const std::string &argument, const char *following, bool &usedFollowing, std::string &error);
  bool parseOption(const std::string &argument, const char *following, bool &usedFollowing, std::string &error);
  bool isCompilerOption(const std::string &argument) const;
  std::string describeUnknown(const std::string &name) const;

  std::string tool, summary, positionalName;
  std::string *positionalTarget = nullptr;
  std::vector<std::string> *compilerOptions = nullptr;
  std::vector<Option> options;
  bool help = false, positionalSeen = false;
};

} // namespace xfrt::tools

#endif // XFRT_TOOLS_COMMANDLINE_H
