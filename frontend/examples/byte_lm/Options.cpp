//===- Options.cpp - Command-line options of byte_lm -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <stdexcept>

using namespace byte_lm;

namespace {
/// A command-line option with a value: its name, the placeholder of the value and the description in --help, and the
/// function that parses and stores the value.
struct Option {
  const char *name, *value, *help;
  std::function<void(const std::string &)> store;
};
} // namespace

/// Returns a function that parses a number and stores it in `target`. The function throws std::invalid_argument, with
/// the option's name in the message, for a number below `minimum` and for any other text.
template <typename Number>
static std::function<void(const std::string &)> number(const char *name, Number &target, Number minimum) {
  return [name, &target, minimum](const std::string &text) {
    Number value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(value >= minimum))
      throw std::invalid_argument(std::string("expected a number >= ") + std::to_string(minimum) + " after " + name +
                                  ", got '" + text + "'");
    target = value;
  };
}

/// Parses the name of a device, such as cpu, cuda, cuda:1 or auto. Throws std::invalid_argument for any other text.
static xf::Device parseDevice(const std::string &text) {
  if (text == "cpu")
    return xf::cpu();
  if (text == "auto")
    return xf::cuda_or_cpu();
  xf::Device device = xf::cuda();
  if (text.starts_with("cuda:"))
    number("--device cuda:", device.number, 0)(text.substr(5));
  else if (text != "cuda")
    throw std::invalid_argument("expected cpu, cuda, cuda:N or auto after --device, got '" + text + "'");
  return device;
}

/// Parses axes and their ranks, such as data=2,sequence=4. Throws std::invalid_argument for any other text.
static std::vector<xf::Mesh::Axis> parseMesh(const std::string &text) {
  std::vector<xf::Mesh::Axis> axes;
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size()), equals = text.find('=', begin);
    std::string name = text.substr(begin, std::min(equals, end) - begin);
    bool isKnown = (name == "data" || name == "sequence") && equals < end;
    for (const xf::Mesh::Axis &other : axes)
      isKnown &= other.name != name;
    if (!isKnown)
      throw std::invalid_argument("expected the axes data and sequence with their processes after --mesh, as in "
                                  "data=2,sequence=2, got '" +
                                  text + "'");
    int64_t ranks = 1;
    number(("--mesh=" + name + "=").c_str(), ranks, int64_t{1})(text.substr(equals + 1, end - equals - 1));
    if (constexpr int64_t most = 65536; ranks > most)
      throw std::invalid_argument("expected at most " + std::to_string(most) +
                                  " processes of an axis after --mesh, got " + std::to_string(ranks));
    axes.push_back({name, ranks});
    begin = end + 1;
  }
  return axes;
}

static std::vector<Option> makeOptions(Options &o) {
  auto pattern = [&o](const std::string &text) {
    if (text != "fixed" && text != "strided")
      throw std::invalid_argument("expected fixed or strided after --pattern, got '" + text + "'");
    o.model.pattern = text == "fixed" ? PatternKind::fixed : PatternKind::strided;
  };
  auto dtype = [&o](const std::string &text) {
    if (text != "f32" && text != "bf16")
      throw std::invalid_argument("expected f32 or bf16 after --dtype, got '" + text + "'");
    o.model.dtype = text == "bf16" ? xf::bf16 : xf::f32;
  };
  auto f32Products = [&o](const std::string &text) {
    if (text != "exact" && text != "tf32" && text != "bf16x3")
      throw std::invalid_argument("expected exact, tf32 or bf16x3 after --f32-products, got '" + text + "'");
    o.f32Products = text;
  };
  return {
      {"--steps", "N", "train for N steps", number("--steps", o.steps, int64_t{1})},
      {"--minutes", "M", "train for about M minutes (default 3)", number("--minutes", o.minutes, 0.0)},
      {"--threads", "N", "threads (default: one for each CPU)", number("--threads", o.threads, 0)},
      {"--device", "D", "cpu (default), cuda, cuda:N, or auto: a GPU where there is one",
       [&o](const std::string &text) { o.device = parseDevice(text); }},
      {"--mesh", "AXES", "share each step among processes of mpirun: data=2,sequence=2",
       [&o](const std::string &text) { o.mesh = parseMesh(text); }},
      {"--chunks", "N", "of a window that each process of sequence has, in zigzag (default 1)",
       number("--chunks", o.placement.chunks, int64_t{1})},
      {"--f32-products", "HOW", "of a GPU: exact (default), tf32 or bf16x3, as in xfc", f32Products},
      {"--layers", "N", "blocks (default 2)", number("--layers", o.model.layers, int64_t{1})},
      {"--width", "N", "size of the residual stream (default 128)", number("--width", o.model.width, int64_t{1})},
      {"--heads", "N", "attention heads (default 4)", number("--heads", o.model.heads, int64_t{1})},
      {"--context", "N", "bytes that the model sees (default 256)", number("--context", o.model.context, int64_t{1})},
      {"--dtype", "T", "f32 (default), or bf16 with f32 masters of the weights", dtype},
      {"--pattern", "P", "fixed (default) or strided", pattern},
      {"--stride", "L", "its stride or block (default 16)", number("--stride", o.model.stride, int64_t{1})},
      {"--summary", "C", "summary columns of a block of fixed (default 8)",
       number("--summary", o.model.summary, int64_t{1})},
      {"--batch", "N", "windows per step (default 4)", number("--batch", o.batch, int64_t{1})},
      {"--rate", "R", "peak learning rate (default 0.003)", number("--rate", o.rate, 0.0)},
      {"--seed", "N", "start of everything random (default 1)", number("--seed", o.seed, uint64_t{0})},
      {"--output", "FOLDER", "checkpoints, weights, picture (default byte_lm.out)",
       [&o](const std::string &text) { o.output = text; }},
      {"--checkpoint-every", "N", "steps between checkpoints (default 100)",
       number("--checkpoint-every", o.checkpointEvery, int64_t{1})},
      {"--sample", "N", "bytes of text to write at the end (default 400)",
       number("--sample", o.sampleBytes, int64_t{0})},
      {"--prompt", "TEXT", "what the sample begins with", [&o](const std::string &text) { o.prompt = text; }},
      {"--losses", "FILE", "write the loss of each step to a file, one a line",
       [&o](const std::string &text) { o.losses = text; }},
      {"--emit-mlir", "FILE", "write the program for xfc and stop", [&o](const std::string &text) { o.mlir = text; }},
  };
}

std::string byte_lm::usage() {
  Options defaults;
  std::string text =
      "usage: byte_lm [options] [file or folder of text ..]\n"
      "Compiles a byte-level Sparse Transformer, trains it, and writes text with it. Without files it reads the "
      "licences and\n"
      "copyright files of this system. Killed, it goes on where it was when started again with the same options.\n\n";
  for (const Option &option : makeOptions(defaults)) {
    std::string left = std::string("  ") + option.name + " " + option.value;
    text += left + std::string(left.size() < 28 ? 28 - left.size() : 1, ' ') + option.help + "\n";
  }
  return text + "  --untied                  a matrix of its own for the logits\n"
                "  --restart                 begin again; the first new checkpoint replaces those that are there\n"
                "  --help                    this text\n";
}

int64_t byte_lm::ranksAlong(const Options &options, const std::string &name) {
  for (const xf::Mesh::Axis &axis : options.mesh)
    if (axis.name == name)
      return axis.ranks;
  return 1;
}

void byte_lm::expectMesh(const Options &options, int64_t processes) {
  std::string text;
  int64_t ranks = 1;
  for (const xf::Mesh::Axis &axis : options.mesh) {
    text += (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.ranks);
    ranks *= axis.ranks;
  }
  if (ranks != processes)
    throw std::invalid_argument("expected the " + std::to_string(ranks) + " processes of --mesh=" + text + ", got " +
                                std::to_string(processes) + "; start it by mpirun -n " + std::to_string(ranks));
  auto expectShares = [&](const std::string &axis, const char *option, int64_t size, int64_t chunks) {
    if (int64_t along = ranksAlong(options, axis); size % (along * chunks) != 0)
      throw std::invalid_argument("expected a number after " + std::string(option) + " that " +
                                  (chunks > 1 ? std::to_string(along * chunks) + " chunks of " : std::string()) +
                                  "the " + std::to_string(along) + " processes of the axis " + axis + " divide, got " +
                                  std::to_string(size));
  };
  if (constexpr int64_t most = xf::Placement::mostChunks; options.placement.chunks > most)
    throw std::invalid_argument("expected at most " + std::to_string(most) + " after --chunks, got " +
                                std::to_string(options.placement.chunks));
  expectShares("data", "--batch", options.batch, 1);
  expectShares("sequence", "--context", options.model.context, options.placement.chunks);
}

Options byte_lm::parseOptions(int count, const char *const *words) {
  Options options;
  std::vector<Option> known = makeOptions(options);
  for (int n = 1; n < count; ++n) {
    std::string word = words[n], value;
    if (!word.starts_with("-")) {
      options.text.emplace_back(word);
      continue;
    }
    if (word == "--help" || word == "--untied" || word == "--restart") {
      bool &flag = word == "--help" ? options.help : word == "--untied" ? options.model.tied : options.resume;
      flag = !flag;
      continue;
    }
    size_t equals = word.find('=');
    bool attached = equals != std::string::npos;
    value = attached ? word.substr(equals + 1) : "";
    word = word.substr(0, equals);
    auto option =
        std::find_if(known.begin(), known.end(), [&](const Option &candidate) { return candidate.name == word; });
    if (option == known.end())
      throw std::invalid_argument("expected an option of --help, got '" + word + "'");
    if (!attached && ++n == count)
      throw std::invalid_argument("expected a value after " + word + ", got none");
    option->store(attached ? value : words[n]);
  }
  return options;
}
