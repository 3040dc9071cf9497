//===- CommandLine.cpp - Options of the tools -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "NearestWord.h"
#include "PrintableText.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace xfrt::tools;

//===----------------------------------------------------------------------===//
// Messages and numbers
//===----------------------------------------------------------------------===//

int xfrt::tools::report(std::string_view tool, int code, std::string_view message) {
  fprintf(stderr, "%.*s: error: %s\n", int(tool.size()), tool.data(), printableText(message).c_str());
  return code;
}

bool xfrt::tools::parseInteger(std::string_view text, int64_t lowest, int64_t highest, int64_t &value) {
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && value >= lowest && value <= highest;
}

bool xfrt::tools::parseReal(std::string_view text, double &value) {
  std::string copy(text);
  char *end = nullptr;
  value = strtod(copy.c_str(), &end);
  return !copy.empty() && !strchr(" \t\n\v\f\r", copy[0]) && end == copy.c_str() + copy.size();
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// Returns the name of an option as users write it.
static std::string spelled(const std::string &name) { return name[0] == '-' ? name : "--" + name; }

static std::string joined(const std::vector<std::string> &words, const std::string &separator) {
  std::string all;
  for (const std::string &word : words)
    all += (all.empty() ? "" : separator) + word;
  return all;
}

void CommandLine::positional(std::string name, std::string &target) {
  arguments.push_back({std::move(name), &target, nullptr});
}

void CommandLine::positionals(std::string name, std::vector<std::string> &targets, bool required) {
  arguments.push_back({std::move(name), nullptr, &targets, required});
}

void CommandLine::flag(std::string name, bool &target, std::string help) {
  options.push_back({spelled(name), "", std::move(help), /*takesValue=*/false,
                     [&target](const std::string &, std::string &) { return target = true; }});
}

void CommandLine::flagAlone(std::string name, bool &target, std::string help) {
  options.push_back({spelled(name), "", std::move(help), /*takesValue=*/false,
                     [&target, this](const std::string &, std::string &) { return target = isAlone = true; }});
}

void CommandLine::option(std::string name, std::string valueName, std::string help, Store store) {
  options.push_back({spelled(name), std::move(valueName), std::move(help), /*takesValue=*/true, std::move(store)});
}

void CommandLine::text(std::string name, std::string &target, std::string valueName, std::string help) {
  option(std::move(name), std::move(valueName), std::move(help), [&target](const std::string &value, std::string &) {
    target = value;
    return true;
  });
}

void CommandLine::list(std::string name, std::vector<std::string> &target, std::string valueName, std::string help) {
  option(std::move(name), std::move(valueName), std::move(help), [&target](const std::string &value, std::string &) {
    target.push_back(value);
    return true;
  });
}

void CommandLine::integer(std::string name, int64_t &target, int64_t lowest, int64_t highest, std::string help) {
  option(name, "N", std::move(help), [=, &target](const std::string &value, std::string &error) {
    if (parseInteger(value, lowest, highest, target))
      return true;
    error = spelled(name) + ": expected an integer between " + std::to_string(lowest) + " and " +
            std::to_string(highest) + ", got '" + value + "'";
    return false;
  });
}

void CommandLine::real(std::string name, double &target, std::string help) {
  option(name, "X", std::move(help), [=, &target](const std::string &value, std::string &error) {
    if (parseReal(value, target) && target >= 0 && std::isfinite(target))
      return true;
    error = spelled(name) + ": expected a finite number that is not negative, got '" + value + "'";
    return false;
  });
}

void CommandLine::choice(std::string name, std::string &target, std::vector<std::string> choices, std::string help) {
  std::string all = joined(choices, "|");
  option(name, all, std::move(help), [=, &target](const std::string &value, std::string &error) {
    target = value;
    if (std::find(choices.begin(), choices.end(), value) != choices.end())
      return true;
    error = spelled(name) + ": expected " + all + ", got '" + value + "'" + suggestion(value, choices);
    return false;
  });
}

void CommandLine::passThrough(std::vector<std::string> &target) { compilerOptions = &target; }

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The options of the compiler that change how a program runs. Those that take a value end in `=`.
static const char *const compilerNames[] = {"--mcpu=",
                                            "--gpu-arch=",
                                            "--f32-products=",
                                            "--multi-isa=",
                                            "--vector-bits=",
                                            "--dump-stages=",
                                            "--exact-weights",
                                            "-O0",
                                            "-O1",
                                            "-O2",
                                            "-O3"};

bool CommandLine::isCompilerOption(const std::string &argument) const {
  return compilerOptions && std::any_of(std::begin(compilerNames), std::end(compilerNames), [&](const char *name) {
           return strchr(name, '=') ? argument.rfind(name, 0) == 0 : argument == name;
         });
}

std::string CommandLine::describeUnknown(const std::string &name) const {
  std::vector<std::string> names = {"--help", "--version"};
  for (const Option &option : options)
    names.push_back(option.name);
  for (const char *compiler : compilerNames)
    if (compilerOptions)
      names.push_back(std::string(compiler, strcspn(compiler, "=")));
  std::string near = suggestion(name, names);
  return "unknown option '" + name + "'" + (near.empty() ? "; --help lists them" : near);
}

/// Returns the option that an argument begins with, or null.
const CommandLine::Option *CommandLine::find(const std::string &argument) const {
  const std::string name = argument.substr(0, argument.find('='));
  for (const Option &option : options)
    if (option.isShort() ? argument.rfind(option.name, 0) == 0 : option.name == name)
      return &option;
  return nullptr;
}

bool CommandLine::parseOption(const std::string &argument, const char *following, bool &usedFollowing,
                              std::string &error) {
  const Option *option = find(argument);
  if (!option) {
    error = describeUnknown(argument.substr(0, argument.find('=')));
    return false;
  }
  bool hasValue = argument.size() > option->name.size();
  std::string value = hasValue ? argument.substr(option->name.size() + !option->isShort()) : "";
  if (!option->takesValue && hasValue) {
    error = option->name + ": expected no value, got '" + value + "'";
    return false;
  }
  if (option->takesValue && !hasValue && (!following || find(following) || isCompilerOption(following))) {
    error = option->name + ": expected a value, as in " + option->form() +
            (following ? ", got '" + std::string(following) + "'" : "");
    return false;
  }
  usedFollowing = option->takesValue && !hasValue;
  return option->store(usedFollowing ? following : value, error);
}

bool CommandLine::parseArgument(const std::string &argument, const char *following, bool &usedFollowing,
                                std::string &error) {
  if (argument == "--help" || argument == "-h")
    return help = true;
  if (argument == "--version")
    return help = version = true;
  if (isCompilerOption(argument)) {
    compilerOptions->push_back(argument);
    return true;
  }
  if (argument.size() > 1 && argument[0] == '-')
    return parseOption(argument, following, usedFollowing, error);
  if (positionalsSeen < arguments.size() && arguments[positionalsSeen].target) {
    *arguments[positionalsSeen++].target = argument;
    return true;
  }
  if (!arguments.empty() && arguments.back().targets) {
    arguments.back().targets->push_back(argument);
    positionalsSeen = arguments.size();
    return true;
  }
  error = arguments.empty() ? "expected options only, got '" + argument + "'"
                            : "expected one " + arguments.back().name + ", got '" + *arguments.back().target +
                                  "' and '" + argument + "'";
  return false;
}

bool CommandLine::parse(int argc, char **argv, std::string &error) {
  for (int i = 1; i < argc; ++i) {
    bool usedFollowing = false;
    if (!parseArgument(argv[i], i + 1 < argc ? argv[i + 1] : nullptr, usedFollowing, error))
      return false;
    i += usedFollowing;
  }
  if (positionalsSeen == arguments.size() || !arguments[positionalsSeen].required || help || isAlone)
    return true;
  error = "expected " + arguments[positionalsSeen].name + ", got none; --help lists the options";
  return false;
}

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

/// Returns the option with its value as help shows it, such as "--target=cpu|cuda", "-o FILE" or "-O0|1|2|3".
std::string CommandLine::Option::form() const {
  if (!takesValue)
    return name;
  const bool isJoined = isShort() && valueName.find('|') != std::string::npos;
  return name + (isJoined ? "" : isShort() ? " " : "=") + valueName;
}

/// Appends an entry of help: `form`, and from column 41 on its explanation `help`, broken between words.
static void appendHelp(std::string &text, const std::string &form, std::string_view help) {
  constexpr size_t column = 41, width = 120;
  std::string line = "  " + form;
  if (line.size() >= column) {
    text += line + "\n";
    line.clear();
  }
  line.resize(column, ' ');
  while (!help.empty()) {
    size_t end = std::min(help.size(), width - column);
    if (end < help.size())
      if (size_t space = help.rfind(' ', end); space != std::string_view::npos && space > 0)
        end = space;
    text += line + std::string(help.substr(0, end)) + "\n";
    help.remove_prefix(std::min(help.size(), end + 1));
    line.assign(column, ' ');
  }
}

std::string CommandLine::helpText() const {
  if (version)
    return tool.substr(0, tool.find(' ')) + " " XF_VERSION "\n";
  std::string text = "usage: " + tool;
  for (const Positional &positional : arguments) {
    std::string form = positional.name + (positional.targets ? ".." : "");
    text += " " + (positional.required ? form : "[" + form + "]");
  }
  text += " [options]\n" + summary + "\n\n";
  for (const Option &option : options)
    appendHelp(text, option.form(), option.help);
  if (compilerOptions)
    appendHelp(text, "-O0..-O3 --mcpu=.. --gpu-arch=..", "as for xfc, when the model is a .mlir");
  appendHelp(text, "--version", "print the version of xf");
  return text;
}

void CommandLine::printHelp() const { fputs(helpText().c_str(), stdout); }
