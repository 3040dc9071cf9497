//===- xf-weights.cpp - List, rename, convert and compare weights ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../lib/files/Checkpoint.h"
#include "../../lib/files/WeightsFile.h"
#include "../../support/CommandLine.h"
#include "../../support/NamePattern.h"
#include "../../support/NearestWord.h"
#include "../../support/PrintableText.h"
#include "../StandardOutput.h"
#include "../Tensor.h"

#include <math.h>
#include <set>
#include <stdio.h>
#include <string.h>

using namespace xfrt;
using namespace xfrt::tools;
using Entry = Checkpoint::Entry;

static constexpr const char *tool = "xf-weights";

static std::vector<int64_t> shapeOf(const Entry &entry) { return {entry.shape, entry.shape + entry.tensor->rank}; }

static std::string describe(const Entry &entry) {
  return std::string(entry.tensor->type->name) + " " + describeShape(shapeOf(entry));
}

/// Parses the rest of a command line. Returns exitSuccess to go on, -1 after printing help, or the exit code of a
/// mistake.
static int parse(CommandLine &line, int argc, char **argv) {
  std::string error;
  if (!line.parse(argc - 1, argv + 1, error))
    return report(tool, exitUsage, error);
  if (!line.helpRequested())
    return exitSuccess;
  line.printHelp();
  return -1;
}

//===----------------------------------------------------------------------===//
// list
//===----------------------------------------------------------------------===//

static int list(int argc, char **argv) {
  std::string path, error;
  CommandLine line("xf-weights list", "Lists the tensors of a safetensors file, or of all files of an index.json.");
  line.positional("FILE", path);
  if (int code = parse(line, argc, argv))
    return code < 0 ? exitSuccess : code;
  Checkpoint checkpoint;
  if (!checkpoint.open(path, error))
    return report(tool, exitFailure, error);
  int64_t elements = 0, bytes = 0;
  for (const auto &[name, entry] : checkpoint.tensors()) {
    printf("%s %s\n", printableText(name).c_str(), describe(entry).c_str());
    elements += entry.bytes() / entry.tensor->type->bytes;
    bytes += entry.bytes();
  }
  for (const auto &[key, value] : checkpoint.metadata())
    printf("metadata %s: %s\n", printableText(key).c_str(), printableText(value).c_str());
  printf("%zu tensors, %lld elements, %lld bytes\n", checkpoint.tensors().size(), (long long)elements,
         (long long)bytes);
  return exitSuccess;
}

//===----------------------------------------------------------------------===//
// rename, convert
//===----------------------------------------------------------------------===//

/// Reads a tensor from a checkpoint. Its type must be one that models have.
static bool readTensor(const Checkpoint &checkpoint, const Entry &entry, Tensor &tensor, std::string &error) {
  return tensor.allocate(entry.tensor->type->dtype, shapeOf(entry), error) &&
         checkpoint.read(entry, tensor.data(), error);
}

/// Returns a tensor to write that has the bytes of `entry`, unconverted.
static OutputTensor copied(const Checkpoint &checkpoint, const std::string &name, const Entry &entry) {
  return {{name, entry.tensor->type, shapeOf(entry)}, [&](std::vector<char> &bytes, std::string &error) {
            bytes.resize(size_t(entry.bytes()));
            return checkpoint.read(entry, bytes.data(), error);
          }};
}

static OutputTensor transposed(const Checkpoint &checkpoint, const std::string &name, const Entry &entry) {
  OutputTensor output = copied(checkpoint, name, entry);
  std::swap(output.shape[0], output.shape[1]);
  output.read = [&checkpoint, &entry](std::vector<char> &bytes, std::string &error) {
    std::vector<char> from(size_t(entry.bytes()));
    size_t rows = size_t(entry.shape[0]), columns = size_t(entry.shape[1]), size = size_t(entry.tensor->type->bytes);
    if (!checkpoint.read(entry, from.data(), error))
      return false;
    bytes.resize(from.size());
    for (size_t row = 0; row < rows; ++row)
      for (size_t column = 0; column < columns; ++column)
        memcpy(bytes.data() + (column * rows + row) * size, from.data() + (row * columns + column) * size, size);
    return true;
  };
  return output;
}

static OutputTensor converted(const Checkpoint &checkpoint, const std::string &name, const Entry &entry,
                              int32_t dtype) {
  OutputTensor output = copied(checkpoint, name, entry);
  output.type = &fileTypeOf(dtype);
  output.read = [&checkpoint, &entry, dtype](std::vector<char> &bytes, std::string &error) {
    Tensor from, to;
    if (!readTensor(checkpoint, entry, from, error) || !to.allocate(dtype, shapeOf(entry), error))
      return false;
    for (int64_t n = 0; n < from.count(); ++n)
      to.setReal(n, from.real(n));
    bytes.assign(to.data(), to.data() + to.bytes());
    return true;
  };
  return output;
}

static int write(const Checkpoint &checkpoint, const std::string &path, std::vector<OutputTensor> tensors) {
  std::string error;
  if (!checkpoint.checkUnchanged(error) || !writeWeights(path, std::move(tensors), checkpoint.metadata(), error))
    return report(tool, exitFailure, error);
  return exitSuccess;
}

/// Splits the texts FROM=TO of rules.
static bool parseRules(const std::vector<std::string> &texts, std::vector<RenameRule> &rules, std::string &error) {
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    if (equals == std::string::npos) {
      error = "--rule: expected FROM=TO, got '" + text + "'";
      return false;
    }
    rules.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return true;
}

/// Returns the first of `patterns` that matches no tensor, or "" if every pattern matches a tensor.
static std::string unusedPattern(const std::vector<std::string> &patterns, const Checkpoint &checkpoint) {
  for (const std::string &pattern : patterns) {
    bool used = false;
    for (const auto &[name, entry] : checkpoint.tensors())
      used = used || matchesName(pattern, name);
    if (!used)
      return pattern;
  }
  return "";
}

static int renameAll(const Checkpoint &checkpoint, const std::string &output, const std::vector<RenameRule> &rules,
                     const std::vector<std::string> &drop, const std::vector<std::string> &transpose) {
  std::vector<OutputTensor> tensors;
  std::set<std::string> names;
  std::vector<bool> used(rules.size() + 1);
  for (const auto &[name, entry] : checkpoint.tensors()) {
    if (matchesAny(drop, name))
      continue;
    std::string target = name;
    used[renameByFirst(rules, target)] = true;
    if (!names.insert(target).second)
      return report(tool, exitFailure, "expected distinct names after renaming, got " + printable(target) + " twice");
    bool turns = matchesAny(transpose, name);
    if (turns && entry.tensor->rank != 2)
      return report(tool, exitFailure,
                    "expected a matrix to transpose, got " + printable(name) + " of " + describe(entry));
    tensors.push_back(turns ? transposed(checkpoint, target, entry) : copied(checkpoint, target, entry));
  }
  for (size_t rule = 0; rule < rules.size(); ++rule)
    if (!used[rule])
      return report(tool, exitFailure,
                    "--rule: expected a rule that applies to a name, got '" + rules[rule].first + "'");
  return write(checkpoint, output, std::move(tensors));
}

static int rename(int argc, char **argv) {
  std::string input, output, error;
  std::vector<std::string> texts, drop, transpose;
  CommandLine line("xf-weights rename",
                   "Renames, drops and transposes tensors, by the names that they have in SOURCE,\n"
                   "a safetensors file or an index.json. Writes one file, atomically.");
  line.positional("SOURCE", input);
  line.positional("TARGET", output);
  line.list("rule", texts, "FROM=TO", "replace a prefix; * is what stands before the next '.'; the first that fits");
  line.list("drop", drop, "NAME", "leave a tensor out; * stands for any characters");
  line.list("transpose", transpose, "NAME", "transpose a matrix; * stands for any characters");
  if (int code = parse(line, argc, argv))
    return code < 0 ? exitSuccess : code;
  std::vector<RenameRule> rules;
  if (!parseRules(texts, rules, error))
    return report(tool, exitUsage, error);
  Checkpoint checkpoint;
  if (!checkpoint.open(input, error))
    return report(tool, exitFailure, error);
  for (const std::vector<std::string> *patterns : {&drop, &transpose})
    if (std::string unused = unusedPattern(*patterns, checkpoint); !unused.empty())
      return report(tool, exitFailure, "expected the name of a tensor, got '" + unused + "'");
  return renameAll(checkpoint, output, rules, drop, transpose);
}

static int convert(int argc, char **argv) {
  std::string input, output, type, error;
  std::vector<std::string> only;
  CommandLine line("xf-weights convert",
                   "Converts floating-point tensors of SOURCE, a safetensors file or an\n"
                   "index.json, to another type, rounded to nearest even. Writes one file, atomically.");
  line.positional("SOURCE", input);
  line.positional("TARGET", output);
  line.choice("to", type, {"f32", "f64", "f16", "bf16"}, "the type; without it nothing is converted");
  line.list("only", only, "NAME", "convert these alone; * stands for any characters");
  if (int code = parse(line, argc, argv))
    return code < 0 ? exitSuccess : code;
  Checkpoint checkpoint;
  if (!checkpoint.open(input, error))
    return report(tool, exitFailure, error);
  if (std::string unused = unusedPattern(only, checkpoint); !unused.empty())
    return report(tool, exitFailure, "--only: expected the name of a tensor, got '" + unused + "'");
  std::vector<OutputTensor> tensors;
  for (const auto &[name, entry] : checkpoint.tensors()) {
    int32_t from = entry.tensor->type->dtype;
    bool applies = !type.empty() && from >= 0 && isFloat(from) && (only.empty() || matchesAny(only, name));
    tensors.push_back(applies ? converted(checkpoint, name, entry, parseDtype(type)) : copied(checkpoint, name, entry));
  }
  return write(checkpoint, output, std::move(tensors));
}

//===----------------------------------------------------------------------===//
// diff
//===----------------------------------------------------------------------===//

namespace {
struct Tolerance {
  double relative = 0, absolute = 0;
};
} // namespace

/// Sets `difference` to a text that describes how the values of two tensors of one type and shape differ, or to "" if
/// they agree. A NaN agrees with a NaN.
static bool compareValues(const Tensor &a, const Tensor &b, Tolerance tolerance, std::string &difference) {
  int64_t count = 0;
  double largest = 0;
  for (int64_t n = 0; n < a.count(); ++n) {
    double first = a.real(n), second = b.real(n), distance = fabs(first - second);
    bool same = first == second || (isnan(first) && isnan(second)) ||
                distance <= tolerance.absolute + tolerance.relative * fabs(second);
    if (!isFloat(a.dtype))
      same = a.integer(n) == b.integer(n);
    count += !same;
    if (!same && !(distance <= largest))
      largest = distance;
  }
  char text[96];
  snprintf(text, sizeof(text), "%lld of %lld elements differ, by up to %g", (long long)count, (long long)a.count(),
           largest);
  difference = count ? text : "";
  return count == 0;
}

namespace {
/// A tensor of a checkpoint.
struct Stored {
  const Checkpoint &checkpoint;
  const Entry &entry;
};
} // namespace

/// Compares a tensor of two checkpoints. Sets `difference` to a text that describes the difference, or to "" if there
/// is none. Returns false, with `error` set, if a file cannot be read.
static bool compare(const Stored &one, const Stored &other, Tolerance tolerance, std::string &difference,
                    std::string &error) {
  const auto &[a, first] = one;
  const auto &[b, second] = other;
  difference = "";
  if (describe(first) != describe(second)) {
    difference = describe(first) + " and " + describe(second);
    return true;
  }
  if (first.tensor->type->dtype < 0) {
    std::vector<char> left(size_t(first.bytes())), right(left.size());
    if (!a.read(first, left.data(), error) || !b.read(second, right.data(), error))
      return false;
    difference = left == right ? "" : "elements differ";
    return true;
  }
  Tensor left, right;
  if (!readTensor(a, first, left, error) || !readTensor(b, second, right, error))
    return false;
  compareValues(left, right, tolerance, difference);
  return true;
}

static int diff(int argc, char **argv) {
  std::string first, second, error;
  Tolerance tolerance;
  CommandLine line("xf-weights diff",
                   "Compares two safetensors files, or index.json: names, types, shapes and values.\n"
                   "Lists what differs; the exit code is 1 where something does.");
  line.positional("A", first);
  line.positional("B", second);
  line.real("rtol", tolerance.relative, "values agree where |a - b| <= atol + rtol |b|; 0 without it");
  line.real("atol", tolerance.absolute, "see --rtol");
  if (int code = parse(line, argc, argv))
    return code < 0 ? exitSuccess : code;
  Checkpoint a, b;
  if (!a.open(first, error) || !b.open(second, error))
    return report(tool, exitFailure, error);
  size_t different = 0, equal = 0;
  auto say = [&](const std::string &name, const std::string &text) {
    printf("%s: %s\n", printableText(name).c_str(), text.c_str());
    ++different;
  };
  for (const auto &[name, entry] : a.tensors()) {
    auto other = b.tensors().find(name);
    std::string difference;
    if (other == b.tensors().end()) {
      say(name, "only in " + printableText(first) + " (" + describe(entry) + ")");
      continue;
    }
    if (!compare({a, entry}, {b, other->second}, tolerance, difference, error))
      return report(tool, exitFailure, error);
    if (difference.empty())
      ++equal;
    else
      say(name, difference);
  }
  for (const auto &[name, entry] : b.tensors())
    if (!a.tensors().count(name))
      say(name, "only in " + printableText(second) + " (" + describe(entry) + ")");
  printf("%zu tensors agree, %zu differ\n", equal, different);
  return different ? exitFailure : exitSuccess;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

static int run(int argc, char **argv) {
  const std::pair<const char *, int (*)(int, char **)> commands[] = {
      {"list", list}, {"rename", rename}, {"convert", convert}, {"diff", diff}};
  std::string word = argc > 1 ? argv[1] : "";
  if (word == "--help" || word == "-h") {
    printf("usage: xf-weights COMMAND ..\nWorks on safetensors files, and on checkpoints of several files by their "
           "index.json.\n\n"
           "  list FILE                 names, types and shapes\n"
           "  rename SOURCE TARGET ..   other names; drops and transposes tensors\n"
           "  convert SOURCE TARGET ..  other types; makes one file of several\n"
           "  diff A B ..               what differs\n\n"
           "xf-weights COMMAND --help lists the options.\n");
    return exitSuccess;
  }
  CommandLine line(tool, "");
  std::string error;
  if (word == "--version" && line.parse(2, argv, error)) {
    line.printHelp();
    return exitSuccess;
  }
  std::vector<std::string> names;
  for (auto [name, command] : commands) {
    if (word == name)
      return command(argc, argv);
    names.push_back(name);
  }
  std::string near = xfrt::suggestion(word, names);
  return report(tool, exitUsage,
                word.empty() ? "expected a command; --help lists them"
                             : "unknown command '" + word + "'" + (near.empty() ? "; --help lists them" : near));
}

int main(int argc, char **argv) {
  prepareOutput();
  return finishOutput(tool, run(argc, argv));
}
