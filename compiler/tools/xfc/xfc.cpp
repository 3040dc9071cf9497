//===- xfc.cpp - The compiler's command -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a program, looks at its text first (MLIR's parser aborts on some), compiles it in a child process with limits, and writes what was asked
// for, whole or not at all. A crash of the child becomes exit code 70 and a reproducer: nothing a program contains takes the command down.
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xfc/Guard.h"
#include "compiler/tools/xfc/Options.h"
#include "compiler/tools/xfc/Output.h"
#include "compiler/tools/xfc/ScanSource.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::xf;

static int fail(const Twine &message, int code = ExitProgram) {
  llvm::errs() << "xfc: error: " << message << "\n";
  return code;
}

static int writeResult(const XfcOptions &options, const Compiled &compiled) {
  std::string error;
  const CompileOptions &compile = options.compile;
  LogicalResult written = success();
  if (!compile.stopAfter.empty())
    written = writeWhole(options.output, compiled.bytes, error);
  else if (compile.emit == EmitKind::Header)
    written = writeWhole(options.output, compiled.header, error);
  else if (compile.emit == EmitKind::Shared)
    written = linkShared(compiled.bytes, options.output, error);
  else if (compile.emit == EmitKind::Static)
    written = archive(compiled.bytes, compile.modelName + ".o", options.output, error);
  else
    written = writeWhole(options.output, compiled.bytes, error);
  bool withHeader = compile.stopAfter.empty() && (compile.emit == EmitKind::Object || compile.emit == EmitKind::Static);
  if (succeeded(written) && withHeader) {
    SmallString<256> header(options.output);
    llvm::sys::path::replace_extension(header, "h");
    written = writeWhole(header, compiled.header, error);
  }
  return succeeded(written) ? ExitSuccess : fail(error);
}

/// Everything that touches MLIR; runs in the child.
static int compileText(std::unique_ptr<llvm::MemoryBuffer> text, const XfcOptions &options) {
  DialectRegistry registry;
  registerForCompiling(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.printOpOnDiagnostic(false); // the location says enough
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return ExitProgram;
  FailureOr<Compiled> compiled = compile(*module, options.compile);
  if (failed(compiled))
    return ExitProgram;
  return writeResult(options, *compiled);
}

int main(int argc, char **argv) {
  FailureOr<XfcOptions> options = parseOptions(argc, argv);
  if (failed(options))
    return ExitUsage;
  if (options->help)
    return printUsage(llvm::outs()), ExitSuccess;
  if (options->listStages)
    return llvm::outs() << llvm::join(stageNames(), "\n") << "\n", ExitSuccess;
  if (options->target == "cuda")
    return fail("--target=cuda: not implemented", ExitNoDevice);
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options->input, /*IsText=*/true);
  if (!buffer)
    return fail("expected to read '" + options->input + "': " + buffer.getError().message());
  if (auto problem = scanSource((*buffer)->getBuffer())) {
    llvm::errs() << options->input << ":" << problem->line << ":" << problem->column << ": error: " << problem->message << "\n";
    return ExitProgram;
  }
  std::string copy = (*buffer)->getBuffer().str();
  int code = runGuarded([&] { return compileText(std::move(*buffer), *options); });
  if (code != ExitInternal)
    return code;
  std::string error, reproducer = options->compile.modelName + ".reproducer.mlir";
  if (failed(writeWhole(reproducer, copy, error)))
    return fail("internal error; " + error, ExitInternal);
  return fail("internal error; the program was written to '" + reproducer + "'", ExitInternal);
}
