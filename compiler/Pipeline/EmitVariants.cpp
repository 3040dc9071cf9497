//===- EmitVariants.cpp - The stage emit ----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/EmitVariants.h"
#include "compiler/Emit/Header.h"
#include "compiler/Target/CPU/CodeGen.h"
#include "compiler/Target/Target.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "llvm/Linker/Linker.h"

using namespace mlir;
using namespace mlir::xf;

/// Prepares a module for linking with the modules of other machines. Appends `cpu` to the names of functions, in
/// `module` and in `tables`, so that names are unique. Makes the linkage of functions external, because the linker
/// drops local functions without callers.
static void makeLinkable(llvm::Module &module, ModelTables &tables, StringRef cpu) {
  std::string suffix = ("." + cpu).str();
  llvm::replace(suffix, '-', '_'); // assemblers would parse '-' as a subtraction
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.setName(function.getName() + suffix);
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
  for (HostTable &entry : tables.entries) {
    if (!entry.prepare.empty())
      entry.prepare += suffix;
    if (!entry.derive.empty())
      entry.derive += suffix;
    if (tables.device == XFRT_CPU) // kernels of other devices keep the names in their image
      for (HostTable::Launch &launch : entry.launches)
        launch.kernel += suffix;
  }
}

/// Translates the code of all variants to LLVM IR and links it into one module. Each function keeps the target
/// attributes of its machine. Returns null on failure.
static std::unique_ptr<llvm::Module> translate(MutableArrayRef<Variant> variants, llvm::LLVMContext &context) {
  StageClock::Scope scope(variants.front().options.clock, "translate-to-llvm");
  std::unique_ptr<llvm::Module> whole;
  const Machine &cpu = *variants.front().machine;
  for (Variant &variant : variants) {
    std::unique_ptr<llvm::Module> module = variant.host
                                               ? cpu::translateToLLVM(*variant.host, cpu, context)
                                               : cpu::translateToLLVM(variant.module, *variant.machine, context);
    if (!module)
      return nullptr;
    if (variants.size() > 1)
      makeLinkable(*module, variant.tables, variant.machine->cpu);
    if (!whole)
      whole = std::move(module);
    else if (llvm::Linker::linkModules(*whole, std::move(module)))
      return nullptr;
  }
  for (llvm::Function &function : *whole)
    if (!function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage); // two models may hold the same kernel
  return whole;
}

/// Assembles the image of each device ahead of time, so that no driver has to compile it at load time.
static LogicalResult assembleImages(MutableArrayRef<Variant> variants) {
  StageClock::Scope scope(variants.front().options.clock, "assemble-images");
  for (Variant &variant : variants) {
    if (variant.tables.images.empty())
      continue;
    const Image &image = variant.tables.images.front();
    FailureOr<std::optional<CodeImage>> assembled =
        targetOf(*variant.machine).assemble(variant.module, image.bytes, *variant.machine, variant.options.ptxas);
    if (failed(assembled))
      return failure();
    if (*assembled)
      variant.tables.images.push_back({variant.machine->cpu, (*assembled)->kind, std::move((*assembled)->bytes)});
  }
  return success();
}

LogicalResult xf::emitVariants(MutableArrayRef<Variant> variants, Compiled &result) {
  const Variant &first = variants.front();
  const CompileOptions &options = first.options;
  bool holdsImages = options.emit != EmitKind::PTX && options.emit != EmitKind::Header;
  if (holdsImages && !options.ptxas.empty() && failed(assembleImages(variants)))
    return failure();
  if (isDeviceCode(options.emit)) {
    result.bytes = first.tables.images.back().bytes;
    return success();
  }
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translate(variants, context);
  if (!module)
    return first.module->emitError("expected a module that translates to LLVM IR");
  auto tables = llvm::map_to_vector(variants, [](Variant &variant) { return std::move(variant.tables); });
  emitModelTables(tables, *module);
  if (options.emit == EmitKind::Shared)
    emitSharedModel(tables.front(), *module);
  result.header = emitHeader(tables);
  if (options.emit == EmitKind::LLVM) {
    llvm::raw_string_ostream(result.bytes) << *module;
    return success();
  }
  auto kind =
      options.emit == EmitKind::Assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  SmallVector<char, 0> output;
  std::string error;
  StageClock::Scope scope(options.clock, "generate-code");
  // Code that is not optimised fuses multiplications with additions here and there, in tiles of some shapes.
  unsigned level = hasKeysOrder(first.module) ? std::max(1u, options.optLevel) : options.optLevel;
  if (failed(cpu::generateCode(*module, *first.machine, level, kind, output, error)))
    return first.module->emitError() << error;
  result.bytes.assign(output.begin(), output.end());
  return success();
}
