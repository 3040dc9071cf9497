//===- CheckOptions.cpp - What options of xfc go together -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/options/CheckOptions.h"
#include "compiler/Pipeline/Gpus.h"
#include "dialects/xf/Text/PrintableLines.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::xf;

static LogicalResult fail(const Twine &message) {
  PrintableLines(llvm::errs()) << "xfc: error: " << message << "\n";
  return failure();
}

/// Sets the name of the model unless --name is given. It is the file name of the output or, without one, of the input,
/// without its extension: "model" for "dir/model.o".
static void defaultName(XfcOptions &options) {
  if (options.compile.modelName.empty())
    options.compile.modelName = llvm::sys::path::stem(options.output.empty() ? options.input : options.output).str();
}

/// Verifies that the stage of --start-from is not after that of --stop-after, and that it is not `emit`. The stage
/// `emit` reads tables that `target` makes, which have no text form. Fails after printing one line.
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

/// Verifies that an output is given if one is needed, that the header of the output would not overwrite the output
/// itself, and that no output would overwrite the input program. Fails after printing one line.
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

/// Verifies the options for GPUs. They require --target=cuda. PTX, machine code and explain require a single GPU. Also
/// sets the default GPUs and the path of ptxas. Fails after printing one line.
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

/// Verifies that LLVM knows the CPUs of the command line, before the program is read. If --multi-isa names only one
/// CPU, makes it the CPU to compile for. Fails after printing one line.
static LogicalResult checkCpus(XfcOptions &options) {
  CompileOptions &compile = options.compile;
  bool hasCpu = options.choosesCpu;
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
  if (!options.maps.empty() && !options.explain)
    return fail("expected 'xfc explain' with --map");
  if (!options.maps.empty() && !options.draws() && !hasPage)
    return fail("expected --html, --pattern-svg, --pattern-png, --pattern-txt or --pattern-npz with --map");
  if (options.choosesPicture() && !options.draws() && !hasPage)
    return fail(
        "expected --html, --pattern-svg, --pattern-png, --pattern-txt or --pattern-npz with the options of pictures");
  if (options.patternHead >= 0 && !options.draws())
    return fail("expected --pattern-svg, --pattern-png, --pattern-txt or --pattern-npz with --pattern-head");
  if (options.patternQuery >= 0 && options.patternHeight == 0)
    return fail("expected --pattern-grid with --pattern-query");
  return success();
}

/// Parses the texts of the mesh options and sets the mesh. Fails after printing one line.
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

LogicalResult xf::checkOptions(XfcOptions &options) {
  defaultName(options);
  if (options.json && !options.explain)
    return fail("expected 'xfc explain' with --json");
  return success(succeeded(checkPictures(options)) && succeeded(checkMesh(options)) && succeeded(checkGpus(options)) &&
                 succeeded(checkCpus(options)) && succeeded(checkStages(options.compile)) &&
                 succeeded(checkOutput(options)));
}
