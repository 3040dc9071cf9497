//===- Compile.cpp - Compiling into this process -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "PerfMap.h"
#include "Translator.h"
#include "compiler/Pipeline/Gpus.h"
#include "compiler/Pipeline/Pipeline.h"
#include "compiler/Pipeline/SaidRemarks.h"
#include "mlir/Parser/Parser.h"
#include "runtime/support/ClassicNumbers.h"
#include "runtime/support/PrintableText.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;

/// Returns the line of the user's program that a diagnostic concerns, as FILE:LINE:COLUMN, or an empty text.
static std::string placeOf(const Diagnostic &diagnostic) {
  auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
}

static std::string textOf(const Diagnostic &diagnostic) {
  std::string place = placeOf(diagnostic);
  return place.empty() ? diagnostic.str() : place + ": " + diagnostic.str();
}

/// Stores a diagnostic in `result` if it is a remark, a warning, or the first error.
static void take(Diagnostic &diagnostic, graph::LoadedModel &result, ir::SaidRemarks &said) {
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
    if (!result.error.empty())
      return;
    result.namesPlace = !placeOf(diagnostic).empty();
    result.error = textOf(diagnostic);
    return;
  }
  if (said.hasSaid(diagnostic))
    return;
  std::string text = textOf(diagnostic);
  for (const Diagnostic &note : diagnostic.getNotes())
    text += "; " + textOf(note);
  result.remarks.push_back(xfrt::printableText(text));
}

/// Compiles the text of an MLIR module. Stores the object's bytes, or the first error, in `result`.
static void compileObject(const std::string &text, const ir::CompileOptions &options, graph::LoadedModel &result) {
  DialectRegistry registry;
  ir::registerForCompiling(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // the location says enough
  ir::SaidRemarks said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) { take(diagnostic, result, said); });
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  FailureOr<ir::Compiled> compiled = module ? ir::compile(*module, options) : FailureOr<ir::Compiled>();
  if (succeeded(compiled))
    result.object = std::move(compiled->bytes);
  else if (result.error.empty())
    result.error = "expected a program that compiles, and the compiler did not say why it is none";
}

/// Links the object into this process. Calls from the object to libc and libm reach the functions that the process
/// itself uses.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> load(const std::string &object, const std::string &name) {
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = llvm::orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  graph::writePerfMap(**jit);
  if (llvm::Error error = (*jit)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, name)))
    return std::move(error);
  return jit;
}

std::string graph::gpuArchitectureFor(int capability) { return ir::gpuArchitectureFor(capability); }

graph::LoadedModel graph::compileAndLoad(const std::string &name, const std::string &text,
                                         const CompileOptions &options) {
  xfrt::ClassicNumbers classic;
  LoadedModel result;
  ir::CompileOptions compileOptions;
  compileOptions.modelName = name;
  compileOptions.cpu = options.cpu;
  compileOptions.targetTriple = llvm::sys::getProcessTriple(); // the code is run here
  compileOptions.optLevel = options.opt_level;
  compileOptions.gpus = options.gpus;
  compileOptions.keysOrder = options.order == Order::keys;
  compileOptions.errorOnReshard = options.error_on_reshard;
  for (const std::string &name : options.gpus)
    if (result.error = ir::checkGpuArchitecture(name); !result.error.empty())
      return result;
  if (auto products = ir::f32ProductsOf(options.f32_products)) {
    compileOptions.f32Products = *products;
  } else {
    result.error = "expected exact, tf32 or bf16x3 for f32_products, got '" + options.f32_products + "'";
    return result;
  }
  if (!options.gpus.empty())
    compileOptions.ptxas = ir::findAssembler();
  compileObject(text, compileOptions, result);
  if (!result.error.empty())
    return result;
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit = load(result.object, name);
  if (!jit) {
    result.error = llvm::toString(jit.takeError());
    return result;
  }
  llvm::Expected<llvm::orc::ExecutorAddr> model = (*jit)->lookup("xfrt_model_" + name);
  if (!model) {
    result.error = llvm::toString(model.takeError());
    return result;
  }
  result.model = model->toPtr<const xfrt_model *>();
  result.code = std::shared_ptr<llvm::orc::LLJIT>(std::move(*jit));
  return result;
}
