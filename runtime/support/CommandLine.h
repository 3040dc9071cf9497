//===- CommandLine.h - Options of the tools --------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses command lines: `--name=value`, `--name value`, `-n value`, `-nvalue`, flags and positional arguments. An
// option is declared in one place: its name, the name of its value, the target of the value and a line of help. Usage,
// error messages, manuals and completion are made from these declarations. Options of the compiler are recognised by
// their names and collected for the compiler. Uses neither exceptions nor LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_SUPPORT_COMMANDLINE_H
#define XFRT_SUPPORT_COMMANDLINE_H

#include <functional>
#include <stdint.h>
#include <string>
#include <string_view>
#include <vector>

namespace xfrt::tools {

/// Exit codes of the tools.
enum ExitCode {
  exitSuccess = 0,
  exitFailure = 1,
  exitUsage = 2,
  exitInternal = 70,
  exitRankLost = 75,
  exitNoDevice = 77
};

/// Prints "TOOL: error: MESSAGE" to stderr and returns `code`.
int report(std::string_view tool, int code, std::string_view message);

/// Parses all of `text` as a decimal integer in [lowest, highest]. Returns false for any other text.
bool parseInteger(std::string_view text, int64_t lowest, int64_t highest, int64_t &value);

/// Parses all of `text` as a floating-point number in the format of strtod. Returns false for any other text.
bool parseReal(std::string_view text, double &value);

/// A parser of command lines: declares options, then parses the arguments into the targets of the options.
class CommandLine {
public:
  CommandLine(std::string tool, std::string summary) : tool(std::move(tool)), summary(std::move(summary)) {}

  /// Stores the value of an option, which is "" for a flag. Returns false for a wrong value and describes the mistake
  /// in `error`.
  using Store = std::function<bool(const std::string &value, std::string &error)>;

  // Declare options, by a name without dashes, or with one dash and one letter. A target keeps its value when its
  // option is absent.
  /// Declares the next positional argument, which is required.
  void positional(std::string name, std::string &target);
  /// Declares all positional arguments that follow: at least one if `required`, else any number.
  void positionals(std::string name, std::vector<std::string> &targets, bool required = true);
  void flag(std::string name, bool &target, std::string help);
  /// Declares a flag that makes all other arguments optional, as --help does.
  void flagAlone(std::string name, bool &target, std::string help);
  void text(std::string name, std::string &target, std::string valueName, std::string help);
  void list(std::string name, std::vector<std::string> &target, std::string valueName, std::string help);
  void integer(std::string name, int64_t &target, int64_t lowest, int64_t highest, std::string help);
  void real(std::string name, double &target, std::string help);
  void choice(std::string name, std::string &target, std::vector<std::string> choices, std::string help);
  /// Declares an option whose value the function `store` stores.
  void option(std::string name, std::string valueName, std::string help, Store store);
  /// Accepts options of the compiler (xfc), and appends them to `target` as they are written.
  void passThrough(std::vector<std::string> &target);

  /// Parses the arguments and sets the targets. On failure returns false and describes the first mistake in `error`.
  bool parse(int argc, char **argv, std::string &error);
  /// Returns whether --help or --version is given. The tool then only prints it and ends.
  bool helpRequested() const { return help; }
  /// Returns the text that --help or --version prints. For --help these are the usage, the summary, and at least one
  /// line for each option.
  std::string helpText() const;
  void printHelp() const;

private:
  struct Option {
    std::string name, valueName, help; ///< the name as it is written, with its dashes
    bool takesValue;
    Store store;

    bool isShort() const { return name[1] != '-'; }
    std::string form() const;
  };

  bool parseArgument(const std::string &argument, const char *following, bool &usedFollowing, std::string &error);
  bool parseOption(const std::string &argument, const char *following, bool &usedFollowing, std::string &error);
  const Option *find(const std::string &argument) const;
  bool isCompilerOption(const std::string &argument) const;
  std::string describeUnknown(const std::string &name) const;

  struct Positional {
    std::string name;
    std::string *target;               ///< the target of one argument; null if there are `targets`
    std::vector<std::string> *targets; ///< the target of all arguments that follow; null if there is `target`
    bool required = true;
  };

  std::string tool, summary;
  std::vector<Positional> arguments;
  std::vector<std::string> *compilerOptions = nullptr;
  std::vector<Option> options;
  bool help = false, version = false;
  bool isAlone = false; ///< a flag that makes all other arguments optional was given
  size_t positionalsSeen = 0;
};

} // namespace xfrt::tools

#endif // XFRT_SUPPORT_COMMANDLINE_H
