//===- Options.cpp - The command line of xfc ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Options.h"
#include "compiler/Pattern/Picture/Picture.h"
#include "compiler/Pipeline/Gpus.h"
#include "compiler/Support/Suggestion.h"
#include "dialects/xf/Text/PrintableLines.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr StringLiteral usage = R"(usage: xfc MODEL.mlir -o model.o [options]
       xfc explain MODEL.mlir [--json]

  -o FILE              where the result goes; a header is written beside an object
  --json               of explain: an array with one object per attention
  --html=FILE          of explain: a page that shows patterns, launches, the arena, and work beside bytes, in a browser
  --pattern-svg=FILE, --pattern-png=FILE, --pattern-txt=FILE, --pattern-npz=FILE
                       of explain: pictures of the patterns, as they were solved; npz: boolean matrices for numpy
  --pattern-size=N     queries and keys in the pictures (default: a few periods)
  --pattern-grid=HxW, --pattern-query=N
                       beside the matrix, what one query sees of H x W tokens that are laid out row by row
  --pattern-tiles      the tiles in which kernels compute the pairs, and what they compute for nothing
  --mesh=AXIS=RANKS,.. of explain: who computes and sends what where ranks share the program, by the axes data, sequence and
                       tensor, the last of which runs fastest
  --mesh-sizes=SIZE=NUMBER,..
                       dynamic sizes for --mesh, by the names of explain's formulas (N: Nq and Nk; p0, p1: run-time symbols)
  --mesh-machine=[gpu|cpu,]KEY=NUMBER,..
                       the ranks of --mesh: flops a second, bytes a second to other nodes, node-bytes a second within a node,
                       seconds of a message, ranks of a node (default: gpu for --target=cuda, else cpu)
  --emit=KIND          obj (default), shared, static, header, asm, llvm, mlir, ptx, cubin
  --entry=NAME         compile this entry, and others so named (default: all)
  --vjp=ENTRY          also emit ENTRY_vjp: inputs and cotangents to results and gradients
  --target=cpu|cuda    what to compile for; cuda: an object with code for the CPU and for NVIDIA GPUs
  --gpu-arch=GPU,..    sm_90a, sm_89, sm_86, sm_80: the GPUs of --target=cuda, each with PTX, and with machine code where
                       ptxas is found: at $XF_PTXAS, on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin. sm_90a is for
                       9.0 alone, others also for later devices; default: sm_80,sm_90a, of which one or the other runs on
                       every device from 8.0 on (sm_90a for explain and --emit=ptx or cubin)
  --f32-products=HOW   how GPUs multiply matrices of f32: exact (default), tf32, bf16x3 (each number as two of bf16)
  --exact-weights      weights of attention are never rounded to 16 bits (as with weights = exact)
  --mcpu=CPU           native (default), x86-64-v3, neoverse-v2, or any CPU of x86-64 or AArch64 that LLVM knows; +FEATURE for
                       what it has besides
  --target-triple=T    architecture and system of the CPU, as in aarch64-linux-gnu (default: this machine's, or Linux on the
                       architecture of --mcpu)
  --multi-isa=CPU,..   v3, v4 or names as for --mcpu: one object with code for each; the processor decides when it is loaded
  --error-on-reshard   an operand that the ranks of a mesh have to gather is an error, not a remark
  --rank-order=ORDER   ranks (default): the ranks of a mesh add what each of them has; keys: results have the bits of the
                       program whose axes have one rank each
  --emit-bytecode      with --emit=mlir or --stop-after: MLIR's bytecode in place of text; every tool reads both
  -O0 .. -O3           optimisation (default -O2)
  --vector-bits=N      code for registers of 128, 256 or 512 bits on any CPU; LLVM splits what is too wide (for tests)
  --name=NAME          the model's name in symbols (default: the output's file name)
  --stop-after=STAGE, --start-from=STAGE, --dump-stages=DIR, --list-stages
  --timing             print to stderr how long each stage and pass took
)";

void xf::printUsage(raw_ostream &os) { os << usage; }

static constexpr StringLiteral emitKinds[] = {"obj",  "shared", "static", "header", "asm",
                                              "llvm", "mlir",   "ptx",    "cubin"};
static constexpr StringLiteral longOptions[] = {"--json",          "--emit",          "--entry",
                                                "--vjp",           "--target",        "--mcpu",
                                                "--target-triple", "--vector-bits",   "--name",
                                                "--stop-after",    "--start-from",    "--dump-stages",
                                                "--list-stages",   "--help",          "--gpu-arch",
                                                "--multi-isa",     "--pattern-svg",   "--pattern-png",
                                                "--pattern-txt",   "--pattern-npz",   "--pattern-size",
                                                "--pattern-grid",  "--pattern-query", "--pattern-tiles",
                                                "--f32-products",  "--exact-weights", "--html",
                                                "--emit-bytecode", "--timing",        "--mesh",
                                                "--mesh-sizes",    "--mesh-machine",  "--error-on-reshard",
                                                "--rank-order"};

static constexpr StringLiteral flags[] = {
    "--json",          "--list-stages",   "--timing", "--emit-bytecode", "--error-on-reshard",
    "--exact-weights", "--pattern-tiles", "--help"};

static LogicalResult fail(const Twine &message) {
  PrintableLines(llvm::errs()) << "xfc: error: " << message << "\n";
  return failure();
}

static LogicalResult setEmit(StringRef value, XfcOptions &options) {
  auto kind = llvm::StringSwitch<std::optional<EmitKind>>(value)
                  .Case("obj", EmitKind::Object)
                  .Case("shared", EmitKind::Shared)
                  .Case("static", EmitKind::Static)
                  .Case("header", EmitKind::Header)
                  .Case("asm", EmitKind::Assembly)
                  .Case("llvm", EmitKind::LLVM)
                  .Case("mlir", EmitKind::MLIR)
                  .Case("ptx", EmitKind::PTX)
                  .Case("cubin", EmitKind::Cubin)
                  .Default(std::nullopt);
  if (!kind)
    return fail("expected --emit=obj, shared, static, header, asm, llvm, mlir, ptx or cubin, got '" + value + "'" +
                suggestion(value, emitKinds));
  options.compile.emit = *kind;
  return success();
}

static LogicalResult setStage(StringRef option, StringRef value, std::string &stage) {
  if (!llvm::is_contained(stageNames(), value))
    return fail("expected one of " + llvm::join(stageNames(), ", ") + " for " + option + ", got '" + value + "'" +
                suggestion(value, stageNames()));
  stage = value;
  return success();
}

/// Parses a grid HEIGHTxWIDTH. It must not have more tokens than a picture can show.
static LogicalResult setGrid(StringRef value, XfcOptions &options) {
  auto [height, width] = value.split('x');
  auto isSide = [](StringRef text, int64_t &side) {
    return llvm::to_integer(text, side, 10) && side >= 1 && side <= pattern::maxPictureSize;
  };
  if (isSide(height, options.patternHeight) && isSide(width, options.patternWidth) &&
      options.patternHeight * options.patternWidth <= pattern::maxPictureSize)
    return success();
  return fail("expected --pattern-grid=HEIGHTxWIDTH of at most " + Twine(pattern::maxPictureSize) + " tokens, got '" +
              value + "'");
}

/// Parses an option that concerns pictures. Returns nullopt if `name` is any other option.
static std::optional<LogicalResult> setPicture(StringRef name, StringRef value, XfcOptions &options) {
  auto setNumber = [&](int64_t &number, int64_t least, int64_t most) -> LogicalResult {
    if (llvm::to_integer(value, number, 10) && number >= least && number <= most)
      return success();
    return fail("expected a number from " + Twine(least) + " to " + Twine(most) + " for " + name + ", got '" + value +
                "'");
  };
  if (name == "--pattern-size")
    return setNumber(options.patternSize, 1, pattern::maxPictureSize);
  if (name == "--pattern-query")
    return setNumber(options.patternQuery, 0, pattern::maxPictureSize - 1);
  if (name == "--pattern-grid")
    return setGrid(value, options);
  std::string *file = llvm::StringSwitch<std::string *>(name)
                          .Case("--pattern-svg", &options.patternSvg)
                          .Case("--pattern-png", &options.patternPng)
                          .Case("--pattern-txt", &options.patternText)
                          .Case("--pattern-npz", &options.patternNpz)
                          .Case("--html", &options.html)
                          .Default(nullptr);
  if (!file)
    return std::nullopt;
  if (value.empty())
    return fail("expected a file name, " + name + "=FILE, got none");
  *file = value;
  return success();
}

/// Stores the text of an option of the mesh. Returns nullopt if `name` is any other option.
static std::optional<LogicalResult> setMesh(StringRef name, StringRef value, XfcOptions &options) {
  auto *text = llvm::StringSwitch<std::optional<std::string> *>(name)
                   .Case("--mesh", &options.meshTexts.axes)
                   .Case("--mesh-sizes", &options.meshTexts.sizes)
                   .Case("--mesh-machine", &options.meshTexts.machine)
                   .Default(nullptr);
  if (!text)
    return std::nullopt;
  if (*text)
    return fail("expected " + name + " once, got it twice");
  *text = value.str();
  return success();
}

static LogicalResult setVectorBits(StringRef value, CompileOptions &options) {
  if (value != "128" && value != "256" && value != "512")
    return fail("expected --vector-bits=128, 256 or 512, got '" + value + "'");
  return success(llvm::to_integer(value, options.vectorBits));
}

/// Parses a list of CPUs, in which "v3" is short for x86-64-v3.
static LogicalResult setIsas(StringRef value, CompileOptions &options) {
  options.isas.clear();
  for (StringRef name : llvm::split(value, ',')) {
    std::string cpu = name == "v3" || name == "v4" ? "x86-64-" + name.str() : name.str();
    if (cpu.empty())
      return fail("expected --multi-isa=CPU,CPU.., got '" + value + "'");
    if (llvm::is_contained(options.isas, cpu))
      return fail("expected different CPUs for --multi-isa, got '" + name + "' twice");
    options.isas.push_back(cpu);
  }
  return success();
}

static LogicalResult setGpus(StringRef value, CompileOptions &options) {
  options.gpus.clear();
  for (StringRef name : llvm::split(value, ',')) {
    if (!llvm::is_contained(gpuNames(), name))
      return fail("expected " + llvm::join(gpuNames(), ", ") + " for --gpu-arch, got '" + name + "'" +
                  suggestion(name, gpuNames()));
    if (llvm::is_contained(options.gpus, name))
      return fail("expected different GPUs for --gpu-arch, got '" + name + "' twice");
    options.gpus.push_back(name.str());
  }
  return success();
}

static LogicalResult setF32Products(StringRef value, XfcOptions &options) {
  std::optional<F32Products> products = f32ProductsOf(value);
  if (!products)
    return fail("expected " + llvm::join(f32ProductsNames(), ", ") + " for --f32-products, got '" + value + "'" +
                suggestion(value, f32ProductsNames()));
  options.compile.f32Products = *products;
  options.choosesF32Products = true;
  return success();
}

static LogicalResult setLong(StringRef name, StringRef value, XfcOptions &options) {
  if (name == "--emit")
    return setEmit(value, options);
  if (std::optional<LogicalResult> done = setPicture(name, value, options))
    return *done;
  if (std::optional<LogicalResult> done = setMesh(name, value, options))
    return *done;
  if (name == "--entry")
    return options.compile.entries.push_back(value.str()), success();
  if (name == "--vjp")
    return options.compile.vjpEntries.push_back(value.str()), success();
  if (name == "--mcpu")
    return options.compile.cpu = value, success();
  if (name == "--target-triple")
    return options.compile.targetTriple = value, success();
  if (name == "--multi-isa")
    return setIsas(value, options.compile);
  if (name == "--vector-bits")
    return setVectorBits(value, options.compile);
  if (name == "--name")
    return options.compile.modelName = value, success();
  if (name == "--stop-after")
    return setStage(name, value, options.compile.stopAfter);
  if (name == "--start-from")
    return setStage(name, value, options.compile.startFrom);
  if (name == "--dump-stages")
    return options.compile.dumpStages = value, success();
  if (name == "--gpu-arch")
    return setGpus(value, options.compile);
  if (name == "--f32-products")
    return setF32Products(value, options);
  if (name == "--rank-order") {
    if (value != "ranks" && value != "keys")
      return fail("expected --rank-order=ranks or keys, got '" + value + "'");
    return options.compile.keysOrder = value == "keys", success();
  }
  if (llvm::is_contained(flags, name))
    return fail("expected no value in " + name + ", got '" + value + "'");
  if (name != "--target")
    return fail("unknown option '" + name + "'" + suggestion(name, longOptions));
  if (value != "cpu" && value != "cuda")
    return fail("expected --target=cpu or cuda, got '" + value + "'");
  options.target = value;
  return success();
}

static LogicalResult setFlag(StringRef argument, XfcOptions &options) {
  if (argument == "--list-stages")
    return options.listStages = true, success();
  if (argument == "--timing")
    return options.timing = true, success();
  if (argument == "--json")
    return options.json = true, success();
  if (argument == "--emit-bytecode")
    return options.compile.bytecode = true, success();
  if (argument == "--error-on-reshard")
    return options.compile.errorOnReshard = true, success();
  if (argument == "--exact-weights")
    return options.compile.exactWeights = true, success();
  if (argument == "--pattern-tiles")
    return options.patternTiles = true, success();
  if (argument == "--help" || argument == "-h")
    return options.help = true, success();
  if (argument.size() == 3 && argument.starts_with("-O") && argument[2] >= '0' && argument[2] <= '3')
    return options.compile.optLevel = argument[2] - '0', success();
  if (llvm::is_contained(longOptions, argument))
    return fail("expected a value, " + argument + "=.., got none");
  return fail("unknown option '" + argument + "'" + suggestion(argument, longOptions));
}

/// Sets the name of the model unless --name is given: the file name of the output, or else of the input, without its
/// extension. For "dir/model.o" this is "model".
static void defaultName(XfcOptions &options) {
  if (options.compile.modelName.empty())
    options.compile.modelName = llvm::sys::path::stem(options.output.empty() ? options.input : options.output).str();
}

/// Verifies that --start-from does not follow --stop-after, and that it is not `emit`: the input of that stage is the
/// tables made by `target`, which have no text form. Fails after printing one line.
static LogicalResult checkStages(const CompileOptions &compile) {
  auto position = [](StringRef stage) { return llvm::find(stageNames(), stage) - stageNames().begin(); };
  if (compile.startFrom == "emit")
    return fail("expected a stage that reads MLIR for --start-from, got 'emit'");
  if (!compile.startFrom.empty() && position(compile.startFrom) > position(compile.stopAfter))
    return fail("expected --stop-after with a stage that follows --start-from=" + Twine(compile.startFrom) + ", got '" +
                compile.stopAfter + "'");
  return success();
}

/// Verifies that no output would overwrite the input program.
static LogicalResult checkOverwritten(const XfcOptions &options, bool hasHeader) {
  SmallString<256> header;
  if (hasHeader) {
    header = options.output;
    llvm::sys::path::replace_extension(header, "h");
  }
  for (StringRef path :
       {StringRef(options.output), header.str(), StringRef(options.patternSvg), StringRef(options.patternPng),
        StringRef(options.patternText), StringRef(options.patternNpz), StringRef(options.html)})
    if (llvm::sys::fs::is_regular_file(path) && llvm::sys::fs::equivalent(path, options.input))
      return fail("expected to write another file than the program, got '" + path + "'");
  return success();
}

/// Verifies that an output is given if one is needed, that it would not be overwritten by its own header, and that no
/// output would overwrite the input program. Fails after printing one line.
static LogicalResult checkOutput(const XfcOptions &options) {
  EmitKind kind = options.compile.emit;
  bool isModule = kind == EmitKind::MLIR || !options.compile.stopAfter.empty();
  if (options.compile.bytecode && (!isModule || options.explain))
    return fail("expected --emit=mlir or --stop-after with --emit-bytecode");
  if (options.compile.bytecode && options.compile.isas.size() > 1)
    return fail("expected one CPU (--mcpu) with --emit-bytecode, got several with --multi-isa");
  bool isText =
      llvm::is_contained({EmitKind::MLIR, EmitKind::LLVM, EmitKind::Assembly, EmitKind::PTX, EmitKind::Header}, kind) ||
      !options.compile.stopAfter.empty() || options.explain;
  if (options.output.empty() && !isText)
    return fail("expected -o FILE, got none");
  bool hasHeader = !isText && kind != EmitKind::Shared && kind != EmitKind::Cubin;
  if (hasHeader && llvm::sys::path::extension(options.output) == ".h")
    return fail("expected an output without the extension of its header, got '" + Twine(options.output) + "'");
  return checkOverwritten(options, hasHeader);
}

/// Verifies the options of GPUs. They require --target=cuda, and a single GPU if PTX, machine code or explain is
/// requested. Also sets the default GPUs and the path of ptxas. Fails after printing one line.
static LogicalResult checkGpus(XfcOptions &options) {
  std::vector<std::string> &gpus = options.compile.gpus;
  bool isForDevice = isDeviceCode(options.compile.emit);
  StringRef kind = options.compile.emit == EmitKind::PTX ? "--emit=ptx" : "--emit=cubin";
  if (options.target != "cuda") {
    if (!gpus.empty())
      return fail("expected --target=cuda with --gpu-arch");
    if (options.choosesF32Products)
      return fail("expected --target=cuda with --f32-products: CPUs multiply exactly");
    if (isForDevice)
      return fail("expected --target=cuda with " + kind);
    return success();
  }
  bool isForOne = options.explain || isForDevice;
  SmallVector<StringRef> defaults = defaultGpus();
  if (gpus.empty())
    for (StringRef name : isForOne ? ArrayRef(defaults).take_back() : ArrayRef(defaults))
      gpus.push_back(name.str());
  if (options.explain && gpus.size() > 1)
    return fail("expected one GPU (--gpu-arch) to explain, got " + llvm::join(gpus, ","));
  if (isForDevice && gpus.size() > 1)
    return fail("expected one GPU with " + kind + ", got " + llvm::join(gpus, ","));
  options.compile.ptxas = findAssembler();
  return success();
}

/// Verifies that LLVM has the CPUs of the command line, before the program is read. Also sets the CPU of an only
/// --multi-isa. Fails after printing one line.
static LogicalResult checkCpus(XfcOptions &options, bool hasCpu) {
  CompileOptions &compile = options.compile;
  if (hasCpu && !compile.isas.empty())
    return fail("expected --mcpu or --multi-isa, got both");
  if (options.explain && compile.isas.size() > 1)
    return fail("expected one CPU (--mcpu) to explain, got several with --multi-isa");
  if (compile.isas.size() == 1)
    compile.cpu = compile.isas.front(); // the same as --mcpu
  MachineRef first;
  for (const std::string &name : compile.isas.empty() ? std::vector{compile.cpu} : compile.isas) {
    MachineOptions named = {name, compile.vectorBits, "exact", compile.targetTriple};
    MachineRef machine = findCpu(named);
    if (!machine && name == "native" && !hasCpu)
      return fail("expected --mcpu=CPU with --target-triple=" + compile.targetTriple + ", got none");
    if (!machine)
      return fail(cpuError(named));
    if (first && first->triple != machine->triple)
      return fail("expected CPUs of one architecture for --multi-isa, got " + first->options.machine + " of " +
                  first->triple + " and " + name + " of " + machine->triple);
    first = machine;
  }
  return success();
}

static LogicalResult checkPictures(const XfcOptions &options) {
  bool hasPage = !options.html.empty();
  if (hasPage && !options.explain)
    return fail("expected 'xfc explain' with --html");
  if ((options.draws() || options.choosesPicture()) && !options.explain)
    return fail(
        "expected 'xfc explain' with --pattern-svg, --pattern-png, --pattern-txt, --pattern-npz and the options "
        "of pictures");
  if (options.choosesPicture() && !options.draws() && !hasPage)
    return fail(
        "expected --html, --pattern-svg, --pattern-png, --pattern-txt or --pattern-npz with the options of pictures");
  if (options.patternQuery >= 0 && options.patternHeight == 0)
    return fail("expected --pattern-grid with --pattern-query");
  return success();
}

/// Sets the mesh from its texts. Fails after printing one line.
static LogicalResult checkMesh(XfcOptions &options) {
  const MeshTexts &texts = options.meshTexts;
  if (!options.explain && (texts.axes || texts.sizes || texts.machine))
    return fail("expected 'xfc explain' with --mesh, --mesh-sizes and --mesh-machine");
  std::string error;
  FailureOr<MeshOptions> mesh = parseMesh(texts, options.target, error);
  if (failed(mesh))
    return fail(error);
  options.mesh = std::move(*mesh);
  return success();
}

FailureOr<XfcOptions> xf::parseOptions(int argc, char **argv) {
  XfcOptions options;
  options.compile.modelName.clear();
  for (int n = 1; n < argc; ++n) {
    StringRef argument = argv[n];
    if (argument == "-o") {
      if (++n == argc)
        return fail("expected a file name after -o, got none");
      options.output = argv[n];
    } else if (n == 1 && argument == "explain") {
      options.explain = true;
    } else if (!argument.starts_with("-") || argument == "-") {
      if (!options.input.empty())
        return fail("expected one program, got '" + options.input + "' and '" + argument + "'");
      options.input = argument;
    } else {
      auto [name, value] = argument.split('=');
      bool hasValue = argument.contains('=');
      if (argument == "--mesh" && n + 1 < argc) {
        value = argv[++n];
        hasValue = true;
      }
      if (failed(hasValue ? setLong(name, value, options) : setFlag(argument, options)))
        return failure();
    }
  }
  defaultName(options);
  if (options.help || options.listStages)
    return options;
  if (options.input.empty())
    return fail("expected a program, got none (xfc --help lists the options)");
  if (options.json && !options.explain)
    return fail("expected 'xfc explain' with --json");
  if (failed(checkPictures(options)) || failed(checkMesh(options)) || failed(checkGpus(options)))
    return failure();
  bool hasCpu = llvm::any_of(ArrayRef(argv, argc), [](StringRef argument) { return argument.starts_with("--mcpu="); });
  if (failed(checkCpus(options, hasCpu)))
    return failure();
  if (failed(checkStages(options.compile)) || failed(checkOutput(options)))
    return failure();
  return options;
}
