//===- Options.cpp - The command line of xfc ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/options/Options.h"
#include "compiler/Pattern/Picture/Picture.h"
#include "runtime/support/CommandLine.h"
#include "runtime/support/NearestWord.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;
using xfrt::tools::CommandLine;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Describes a wrong value in `error`. Returns false.
static bool refuse(std::string &error, const Twine &message) {
  error = message.str();
  return false;
}

static std::vector<std::string> textsOf(ArrayRef<StringRef> words) { return {words.begin(), words.end()}; }

/// Stores a comma-separated list in `list`. Refuses words that `isKnown` refuses, and repeated words.
template <typename Known>
static bool setList(StringRef option, StringRef value, std::vector<std::string> &list, std::string &error,
                    Known isKnown) {
  list.clear();
  for (StringRef word : llvm::split(value, ',')) {
    if (!isKnown(word, error))
      return false;
    if (llvm::is_contained(list, word))
      return refuse(error, option + ": expected different names, got '" + word + "' twice");
    list.push_back(word.str());
  }
  return true;
}

static bool isKnownGpu(StringRef name, std::string &error) {
  if (llvm::is_contained(gpuNames(), name))
    return true;
  return refuse(error, "--gpu-arch: expected " + llvm::join(gpuNames(), ", ") + ", got '" + name + "'" +
                           xfrt::suggestion(name, textsOf(gpuNames())));
}

static bool isNamed(StringRef name, std::string &error) {
  return !name.empty() || refuse(error, "--multi-isa: expected CPU,CPU.., got an empty name");
}

/// Stores a list of CPUs. "v3" and "v4" are short for x86-64-v3 and x86-64-v4.
static bool setIsas(StringRef value, std::vector<std::string> &isas, std::string &error) {
  std::string names = llvm::join(
      llvm::map_range(llvm::split(value, ','),
                      [](StringRef name) { return (name == "v3" || name == "v4" ? "x86-64-" : "") + name.str(); }),
      ",");
  return setList("--multi-isa", names, isas, error, isNamed);
}

/// Stores a grid HEIGHTxWIDTH. Refuses a grid with more tokens than a picture can show.
static bool setGrid(StringRef value, XfcOptions &options, std::string &error) {
  auto [height, width] = value.split('x');
  auto isSide = [](StringRef text, int64_t &side) {
    return llvm::to_integer(text, side, 10) && side >= 1 && side <= pattern::maxPictureSize;
  };
  if (isSide(height, options.patternHeight) && isSide(width, options.patternWidth) &&
      options.patternHeight * options.patternWidth <= pattern::maxPictureSize)
    return true;
  return refuse(error, "--pattern-grid: expected HEIGHTxWIDTH of at most " + Twine(pattern::maxPictureSize) +
                           " tokens, got '" + value + "'");
}

//===----------------------------------------------------------------------===//
// The options
//===----------------------------------------------------------------------===//

namespace {
/// The texts of options that are checked or translated after the whole command line is read.
struct Texts {
  std::string emit = "obj", f32Products, vectorBits, level = "2", rankOrder = "ranks";
};
} // namespace

/// The values of --emit, in the order of EmitKind.
static const std::vector<std::string> emitKinds = {"obj",  "shared", "static", "header", "asm",
                                                   "llvm", "mlir",   "ptx",    "cubin"};

/// Declares an option that takes the name of a file.
static void addFile(CommandLine &line, std::string name, std::string &file, std::string help) {
  line.option(name, "FILE", std::move(help), [name, &file](const std::string &value, std::string &error) {
    file = value;
    return !value.empty() || refuse(error, "--" + name + ": expected a file name, got none");
  });
}

/// Declares an option that may be given at most once. Its value is stored in `text`. `valueName` and `help` are for
/// --help.
static void addOnce(CommandLine &line, std::string name, std::optional<std::string> &text, std::string valueName,
                    std::string help) {
  line.option(name, std::move(valueName), std::move(help), [name, &text](const std::string &value, std::string &error) {
    if (text)
      return refuse(error, "--" + name + ": expected it once, got it twice");
    text = value;
    return true;
  });
}

static void addOutput(CommandLine &line, XfcOptions &options, Texts &texts) {
  line.text("-o", options.output, "FILE", "where the result goes; a header is written beside an object");
  line.choice("emit", texts.emit, emitKinds, "what is written (obj)");
  line.list("entry", options.compile.entries, "NAME", "compile this entry, and others so named (all)");
  line.list("vjp", options.compile.vjpEntries, "ENTRY",
            "also emit ENTRY_vjp: inputs and cotangents to results and gradients");
  line.text("name", options.compile.modelName, "NAME", "the model's name in symbols (the output's file name)");
  line.flag("emit-bytecode", options.compile.bytecode,
            "with --emit=mlir or --stop-after: MLIR's bytecode in place of text; every tool reads both");
}

static void addMachines(CommandLine &line, XfcOptions &options, Texts &texts) {
  CompileOptions &compile = options.compile;
  line.choice("target", options.target, {"cpu", "cuda"},
              "what to compile for (cpu); cuda: an object with code for the CPU and for NVIDIA GPUs");
  line.option(
      "gpu-arch", "GPU,..",
      "sm_90a, sm_89, sm_86, sm_80: the GPUs of --target=cuda, each with PTX, and with machine code where ptxas "
      "is found: at $XF_PTXAS, on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin. sm_90a is for 9.0 alone, "
      "others also for later devices; sm_80,sm_90a are compiled by default, of which one or the other runs on "
      "every device from 8.0 on (sm_90a for explain and --emit=ptx or cubin)",
      [&](const std::string &value, std::string &error) {
        return setList("--gpu-arch", value, compile.gpus, error, isKnownGpu);
      });
  line.choice("f32-products", texts.f32Products, textsOf(f32ProductsNames()),
              "how GPUs multiply matrices of f32 (exact); bf16x3: each number as two of bf16");
  line.flag("exact-weights", compile.exactWeights,
            "weights of attention are never rounded to 16 bits (as with weights = exact)");
  line.option("mcpu", "CPU",
              "native (default), x86-64-v3, neoverse-v2, or any CPU of x86-64 or AArch64 that LLVM knows; +FEATURE for "
              "what it has besides",
              [&](const std::string &value, std::string &) {
                compile.cpu = value;
                return options.choosesCpu = true;
              });
  line.text("target-triple", compile.targetTriple, "T",
            "architecture and system of the CPU, as in aarch64-linux-gnu (this machine's, or Linux on the architecture "
            "of --mcpu)");
  line.option("multi-isa", "CPU,..",
              "v3, v4 or names as for --mcpu: one object with code for each; the processor decides when it is loaded",
              [&](const std::string &value, std::string &error) { return setIsas(value, compile.isas, error); });
  line.choice("vector-bits", texts.vectorBits, {"128", "256", "512"},
              "code for registers of so many bits on any CPU; LLVM splits what is too wide (for tests)");
  line.choice("-O", texts.level, {"0", "1", "2", "3"}, "optimisation (2)");
}

static void addRanks(CommandLine &line, XfcOptions &options, Texts &texts) {
  line.flag("error-on-reshard", options.compile.errorOnReshard,
            "an operand that the ranks of a mesh have to gather is an error, not a remark");
  line.choice("rank-order", texts.rankOrder, {"ranks", "keys"},
              "ranks (default): the ranks of a mesh add what each of them has; keys: results have the bits of the "
              "program whose axes have one rank each");
}

static void addStages(CommandLine &line, XfcOptions &options) {
  std::vector<std::string> stages = textsOf(stageNames());
  line.choice("stop-after", options.compile.stopAfter, stages, "write the program as it is after a stage");
  line.choice("start-from", options.compile.startFrom, stages, "read a program that an earlier stage has left");
  line.text("dump-stages", options.compile.dumpStages, "DIR", "write the program after each stage to a folder");
  line.flagAlone("list-stages", options.listStages, "print the names of the stages");
  line.flag("timing", options.timing, "print to stderr how long each stage and pass took");
}

static void addExplain(CommandLine &line, XfcOptions &options) {
  line.flag("json", options.json, "of explain: an array with one object per attention");
  addFile(line, "html", options.html,
          "of explain: a page that shows patterns, launches, the arena, and work beside bytes, in a browser");
  addFile(line, "pattern-svg", options.patternSvg, "of explain: pictures of the patterns, as they were solved");
  addFile(line, "pattern-png", options.patternPng, "the same as PNG");
  addFile(line, "pattern-txt", options.patternText, "the same as text");
  addFile(line, "pattern-npz", options.patternNpz, "the same as boolean matrices for numpy");
  line.integer("pattern-size", options.patternSize, 1, pattern::maxPictureSize,
               "queries and keys in the pictures (a few periods)");
  line.option("pattern-grid", "HxW",
              "beside the matrix, what one query sees of H x W tokens that are laid out row by row",
              [&](const std::string &value, std::string &error) { return setGrid(value, options, error); });
  line.integer("pattern-query", options.patternQuery, 0, pattern::maxPictureSize - 1,
               "the query that --pattern-grid shows");
  line.integer("pattern-head", options.patternHead, 0, (1 << 16) - 1,
               "the head that pictures show, with the keys that it draws at random (the first of each solution)");
  line.flag("pattern-tiles", options.patternTiles,
            "the tiles in which kernels compute the pairs, and what they compute for nothing");
  line.list(
      "map", options.maps, "FILE.npy",
      "of explain: weights of an attention, as xf-run writes those of an entry of maps: the pictures show them in "
      "place of patterns, the page beside these");
  addOnce(
      line, "mesh", options.meshTexts.axes, "AXIS=RANKS,..",
      "of explain: who computes and sends what where ranks share the program, by the axes data, sequence and tensor, "
      "the last of which runs fastest");
  addOnce(line, "mesh-sizes", options.meshTexts.sizes, "SIZE=NUMBER,..",
          "dynamic sizes for --mesh, by the names of explain's formulas (N: Nq and Nk)");
  addOnce(
      line, "mesh-machine", options.meshTexts.machine, "[gpu|cpu,]KEY=NUMBER,..",
      "the ranks of --mesh: flops a second, bytes a second to other nodes, node-bytes a second within a node, seconds "
      "of a message, ranks of a node (gpu for --target=cuda, else cpu)");
}

/// Translates the texts of options and stores them in `options`.
static void store(const Texts &texts, XfcOptions &options) {
  CompileOptions &compile = options.compile;
  compile.emit = EmitKind(llvm::find(emitKinds, texts.emit) - emitKinds.begin());
  compile.optLevel = texts.level[0] - '0';
  compile.keysOrder = texts.rankOrder == "keys";
  options.choosesF32Products = !texts.f32Products.empty();
  if (options.choosesF32Products)
    compile.f32Products = *f32ProductsOf(texts.f32Products);
  if (!texts.vectorBits.empty())
    compile.vectorBits = std::stoi(texts.vectorBits);
}

FailureOr<XfcOptions> xf::parseOptions(int argc, char **argv) {
  XfcOptions options;
  Texts texts;
  options.compile.modelName.clear();
  options.explain = argc > 1 && StringRef(argv[1]) == "explain";
  CommandLine line("xfc [explain]", "Compiles a program to an object, or explains what it would compile.");
  line.positional("MODEL.mlir", options.input);
  addOutput(line, options, texts);
  addMachines(line, options, texts);
  addExplain(line, options);
  addRanks(line, options, texts);
  addStages(line, options);
  std::string error;
  if (!line.parse(argc - options.explain, argv + options.explain, error)) {
    xfrt::tools::report("xfc", ExitUsage, error);
    return failure();
  }
  store(texts, options);
  if (line.helpRequested())
    options.help = line.helpText();
  return options;
}
