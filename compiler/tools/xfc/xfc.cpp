//===- xfc.cpp - The compiler's command -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a program in a child process with limits, and writes the requested output, whole or not at all. Scans the
// program's text before that, because MLIR's parser aborts on some texts. If the child crashes, xfc saves a reproducer
// and exits with code 70, so no program takes down the command itself.
//
//===----------------------------------------------------------------------===//

#include "compiler/Emit/Identifiers.h"
#include "compiler/Pipeline/SaidRemarks.h"
#include "compiler/Target/NVGPU/Assemble.h"
#include "compiler/tools/xfc/DrawMaps.h"
#include "compiler/tools/xfc/DrawPatterns.h"
#include "compiler/tools/xfc/Explain.h"
#include "compiler/tools/xfc/Guard.h"
#include "compiler/tools/xfc/Output.h"
#include "compiler/tools/xfc/Progress.h"
#include "compiler/tools/xfc/Report.h"
#include "compiler/tools/xfc/options/CheckOptions.h"
#include "dialects/xf/Text/ParseErrors.h"
#include "dialects/xf/Text/PrintableLines.h"
#include "dialects/xf/Text/ReadProgram.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include <csignal>
#include <cstring>

using namespace mlir;
using namespace mlir::xf;

static int fail(const Twine &message, int code = ExitProgram) {
  PrintableLines(llvm::errs()) << "xfc: error: " << message << "\n";
  return code;
}

/// Stores the requested kind of output in `bytes`. On failure, `error` says why.
static LogicalResult makeOutput(const XfcOptions &options, const Compiled &compiled, std::string &bytes,
                                std::string &error) {
  bool isModule = !options.compile.stopAfter.empty();
  if (!isModule && options.compile.emit == EmitKind::Shared)
    return linkShared(compiled.bytes, bytes, error);
  if (!isModule && options.compile.emit == EmitKind::Static)
    return archive(compiled.bytes, cIdentifier(options.compile.modelName) + ".o", bytes, error);
  bytes = !isModule && options.compile.emit == EmitKind::Header ? compiled.header : compiled.bytes;
  return success();
}

static int writeResult(const XfcOptions &options, const Compiled &compiled) {
  const CompileOptions &compile = options.compile;
  std::string bytes, error;
  if (failed(makeOutput(options, compiled, bytes, error)))
    return fail(error);
  SmallVector<OutputFile, 2> files = {{options.output, bytes}};
  bool isLinked = compile.emit == EmitKind::Object || compile.emit == EmitKind::Static;
  if (compile.stopAfter.empty() && isLinked && !isWrittenInPlace(options.output)) {
    SmallString<256> header(options.output);
    llvm::sys::path::replace_extension(header, "h");
    files.push_back({header.str().str(), compiled.header});
  }
  return succeeded(writeWhole(files, error)) ? ExitSuccess : fail(error);
}

/// Explains `module`, whose text is `program`, and writes the pages and pictures that the options ask for. Returns the
/// exit code.
static int writeExplanation(ModuleOp module, StringRef program, const XfcOptions &options) {
  FailureOr<Explanation> explanation = explain(module, options);
  if (failed(explanation))
    return ExitProgram;
  SmallVector<OutputFile, 6> files = {{options.output, explanation->text}};
  SmallVector<std::string, 4> pictures;
  pictures.reserve(pictures.capacity()); // files point into it
  std::string page;
  FailureOr<pattern::Picture> maps = drawMaps(options, module.getContext());
  if (failed(maps))
    return ExitProgram;
  if (!options.html.empty()) {
    FailureOr<std::string> written = writeReport(module, *explanation, *maps, program, options);
    if (failed(written))
      return ExitProgram;
    page = std::move(*written);
    files.push_back({options.html, page});
  }
  if (options.draws()) {
    FailureOr<pattern::Picture> picture =
        options.maps.empty() ? drawPatterns(module, explanation->attentions, options) : std::move(maps);
    if (failed(picture))
      return ExitProgram;
    using Format = std::string (*)(const pattern::Picture &);
    const std::pair<const std::string &, Format> formats[] = {{options.patternSvg, pattern::toSvg},
                                                              {options.patternPng, pattern::toPng},
                                                              {options.patternText, pattern::toText},
                                                              {options.patternNpz, pattern::toNpz}};
    for (auto &[path, format] : formats)
      if (!path.empty())
        files.push_back({path, pictures.emplace_back(format(*picture))});
  }
  std::string error;
  return succeeded(writeWhole(files, error)) ? ExitSuccess : fail(error);
}

static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sources, MLIRContext &context) {
  ParseErrors errors(&context);
  return parseSourceFile<ModuleOp>(sources, &context);
}

/// If the message names no line of the program, prints it in the form in which fail() prints. Fails, and prints
/// nothing, if it names a line, or has notes, which may name lines.
static LogicalResult printWithoutPlace(const Diagnostic &message) {
  auto place = message.getLocation()->findInstanceOf<FileLineColLoc>();
  if ((place && place.getLine() != 0) || !message.getNotes().empty())
    return failure();
  StringRef kind = message.getSeverity() == DiagnosticSeverity::Error     ? "error"
                   : message.getSeverity() == DiagnosticSeverity::Warning ? "warning"
                                                                          : "remark";
  PrintableLines(llvm::errs()) << "xfc: " << kind << ": " << message.str() << "\n";
  return success();
}

/// Parses the program, and compiles or explains it. Runs in the child process. Returns the exit code.
static int compileText(std::unique_ptr<llvm::MemoryBuffer> text, const XfcOptions &options) {
  StageClock &clock = *options.compile.clock;
  DialectRegistry registry;
  registerForCompiling(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false); // the location says enough
  llvm::SourceMgr sources;
  StringRef program = isBytecode(text->getMemBufferRef()) ? "" : text->getBuffer(); // lines to show
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  PrintableLines messages(llvm::errs());
  SourceMgrDiagnosticHandler handler(sources, &context, messages);
  SaidRemarks said;
  ScopedDiagnosticHandler once(
      &context, [&](Diagnostic &message) { return said.hasSaid(message) ? success() : printWithoutPlace(message); });
  clock.enter("parse");
  OwningOpRef<ModuleOp> module = parse(sources, context);
  clock.leave();
  if (!module)
    return ExitProgram;
  if (options.explain)
    return writeExplanation(*module, program, options);
  if (options.compile.emit == EmitKind::Cubin && options.compile.ptxas.empty())
    return fail("expected ptxas " + nvgpu::ptxasPlaces + " for --emit=cubin, got none");
  FailureOr<Compiled> compiled = compile(*module, options.compile);
  if (failed(compiled))
    return ExitProgram;
  StageClock::Scope scope(&clock, "write");
  return writeResult(options, *compiled);
}

/// Calls compileText, and measures the time of each stage. Shows the running stage if it takes long. Prints the times
/// if --timing is given.
static int compileWatched(std::unique_ptr<llvm::MemoryBuffer> text, XfcOptions options) {
  StageClock clock;
  options.compile.clock = &clock;
  int code;
  {
    Progress progress(clock);
    code = compileText(std::move(text), options);
  }
  if (options.timing)
    clock.print(llvm::errs());
  return code;
}

/// Reports a crash of the child, and saves the program as a reproducer. Returns the exit code.
static int reportCrash(const XfcOptions &options, StringRef program, int signal) {
  std::string why = "internal error", error;
  if (signal)
    why += ": " + std::string(strsignal(signal));
  OutputFile reproducer{options.compile.modelName + ".reproducer.mlir", program};
  if (failed(writeWhole(reproducer, error)))
    return fail(why + "; " + error, ExitInternal);
  return fail(why + "; the program was written to '" + reproducer.path + "'", ExitInternal);
}

/// Prints a text about the command itself, such as its usage, to stdout. Returns the exit code.
static int print(function_ref<void(raw_ostream &)> text) {
  std::string error;
  text(llvm::outs());
  return succeeded(finishOutput(error)) ? ExitSuccess : fail(error);
}

/// Compiles or explains the program in a child process with limits, and with a folder for temporary files if the output
/// needs one.
static GuardedEnd compileGuarded(std::unique_ptr<llvm::MemoryBuffer> program, const XfcOptions &options) {
  bool hasScratch = options.compile.emit == EmitKind::Shared || !options.compile.ptxas.empty();
  return runGuarded([&] { return compileWatched(std::move(program), options); }, hasScratch);
}

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // a file past a limit is an error like a full disk
  FailureOr<XfcOptions> options = parseOptions(argc, argv);
  if (failed(options))
    return ExitUsage;
  if (!options->help.empty())
    return print([&](raw_ostream &os) { os << options->help; });
  if (options->listStages)
    return print([](raw_ostream &os) { os << llvm::join(stageNames(), "\n") << "\n"; });
  if (failed(checkOptions(*options)))
    return ExitUsage;
  DialectRegistry registry;
  registerForCompiling(registry);
  FailureOr<std::unique_ptr<llvm::MemoryBuffer>> program = readProgram("xfc", options->input, registry);
  if (failed(program))
    return ExitProgram;
  std::string copy = (*program)->getBuffer().str();
  GuardedEnd end = compileGuarded(std::move(*program), *options);
  if (end.interrupted) {
    signal(end.interrupted, SIG_DFL);
    raise(end.interrupted);
  }
  if (end.signal == SIGPIPE) // whoever read the output has seen enough
    return 128 + SIGPIPE;
  return end.code == ExitInternal ? reportCrash(*options, copy, end.signal) : end.code;
}
