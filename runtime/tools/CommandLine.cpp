//===- CommandLine.cpp - Options of the tools -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "../lib/files/PrintableText.h"

#include <algorithm>
#include <charconv>
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

/// Returns the Levenshtein distance of two words. Keeps one row of the table of distances at a time.
static size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

std::string xfrt::tools::nearest(std::string_view word, const std::vector<std::string> &candidates) {
  std::string best;
  size_t distance = std::min((word.size() + 2) / 3 + 1, word.size()); // a word with all letters replaced is no typo
  if (word.size() > 256)                                              // no typo of anything
    return best;
  for (const std::string &candidate : candidates)
    if (size_t d = editDistance(word, candidate); d < distance) {
      distance = d;
      best = candidate;
    }
  return best;
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

void CommandLine::positional(std::string name, std::string &target) {
  arguments.push_back({std::move(name), &target, nullptr});
}

void CommandLine::positionals(std::string name, std::vector<std::string> &targets) {
  arguments.push_back({std::move(name), nullptr, &targets});
}

void CommandLine::flag(std::string name, bool &target, std::string help) {
  add({std::move(name), "", std::move(help), false,
       [&target](const std::string &, std::string &) { return target = true; }});
}

void CommandLine::text(std::string name, std::string &target, std::string valueName, std::string help) {
  add({std::move(name), std::move(valueName), std::move(help), true,
       [&target](const std::string &value, std::string &) {
         target = value;
         return true;
       }});
}

void CommandLine::list(std::string name, std::vector<std::string> &target, std::string valueName, std::string help) {
  add({std::move(name), std::move(valueName), std::move(help), true,
       [&target](const std::string &value, std::string &) {
         target.push_back(value);
         return true;
       }});
}

void CommandLine::integer(std::string name, int64_t &target, int64_t lowest, int64_t highest, std::string help) {
  add({name, "N", std::move(help), true, [=, &target](const std::string &value, std::string &error) {
         if (parseInteger(value, lowest, highest, target))
           return true;
         error = "--" + name + ": expected an integer between " + std::to_string(lowest) + " and " +
                 std::to_string(highest) + ", got '" + value + "'";
         return false;
       }});
}

void CommandLine::real(std::string name, double &target, std::string help) {
  add({name, "X", std::move(help), true, [=, &target](const std::string &value, std::string &error) {
         if (parseReal(value, target) && target >= 0)
           return true;
         error = "--" + name + ": expected a number that is not negative, got '" + value + "'";
         return false;
       }});
}

void CommandLine::choice(std::string name, std::string &target, std::vector<std::string> choices, std::string help) {
  std::string all;
  for (const std::string &one : choices)
    all += (all.empty() ? "" : "|") + one;
  add({name, all, std::move(help), true, [=, &target](const std::string &value, std::string &error) {
         target = value;
         if (std::find(choices.begin(), choices.end(), value) != choices.end())
           return true;
         error = "--" + name + ": expected " + all + ", got '" + value + "'";
         return false;
       }});
}

void CommandLine::passThrough(std::vector<std::string> &target) { compilerOptions = &target; }

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

bool CommandLine::isCompilerOption(const std::string &argument) const {
  static const char *const names[] = {
      "--mcpu=", "--gpu-arch=", "--f32-products=", "--multi-isa=", "--vector-bits=", "--dump-stages="};
  if (compilerOptions && argument == "--exact-weights")
    return true;
  bool level = argument.size() == 3 && argument.rfind("-O", 0) == 0 && argument[2] >= '0' && argument[2] <= '3';
  return compilerOptions && (level || std::any_of(std::begin(names), std::end(names),
                                                  [&](const char *name) { return argument.rfind(name, 0) == 0; }));
}

std::string CommandLine::describeUnknown(const std::string &name) const {
  std::vector<std::string> names;
  for (const Option &option : options)
    names.push_back("--" + option.name);
  if (compilerOptions)
    names.insert(names.end(), {"--mcpu", "--gpu-arch", "--f32-products", "--multi-isa", "--vector-bits",
                               "--dump-stages", "--exact-weights", "-O0", "-O1", "-O2", "-O3"});
  std::string near = nearest(name, names);
  return "unknown option '" + name + "'" + (near.empty() ? "; --help lists them" : "; did you mean '" + near + "'?");
}

bool CommandLine::parseOption(const std::string &argument, const char *following, bool &usedFollowing,
                              std::string &error) {
  size_t equals = argument.find('=');
  std::string name = argument.substr(0, equals);
  auto option = std::find_if(options.begin(), options.end(), [&](const Option &o) { return "--" + o.name == name; });
  if (option == options.end()) {
    error = describeUnknown(name);
    return false;
  }
  bool hasValue = equals != std::string::npos;
  if (!option->takesValue && hasValue) {
    error = name + ": expected no value";
    return false;
  }
  if (option->takesValue && !hasValue && !following) {
    error = name + ": expected a value, as in " + name + "=" + option->valueName;
    return false;
  }
  usedFollowing = option->takesValue && !hasValue;
  return option->apply(hasValue ? argument.substr(equals + 1) : usedFollowing ? following : "", error);
}

bool CommandLine::parseArgument(const std::string &argument, const char *following, bool &usedFollowing,
                                std::string &error) {
  if (argument == "--help" || argument == "-h")
    return help = true;
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
  if (positionalsSeen == arguments.size() || help)
    return true;
  error = "expected a " + arguments[positionalsSeen].name + "; --help lists the options";
  return false;
}

void CommandLine::printHelp() const {
  std::string names;
  for (const Positional &positional : arguments)
    names += " " + positional.name + (positional.targets ? ".." : "");
  printf("usage: %s%s [options]\n%s\n\n", tool.c_str(), names.c_str(), summary.c_str());
  for (const Option &option : options) {
    std::string form = "--" + option.name + (option.takesValue ? "=" + option.valueName : "");
    printf("  %-38s %s\n", form.c_str(), option.help.c_str());
  }
  if (compilerOptions)
    printf("  %-38s %s\n", "-O0..-O3 --mcpu=.. --gpu-arch=..", "as for xfc, when the model is a .mlir");
}
