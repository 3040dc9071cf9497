//===- StageText.cpp - Modules between stages as text ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipeline/StageText.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::xf;

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

std::string xf::textOf(ArrayRef<Variant> variants) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (variants.front().options.bytecode && succeeded(writeBytecodeToFile(variants.front().module, os)))
    return bytes;
  auto texts = llvm::map_range(variants, [](const Variant &variant) { return print(variant.module) + "\n"; });
  return llvm::join(texts, "\n// -----\n\n");
}

LogicalResult xf::dump(const Variant &variant, bool isAlone, size_t number, StringRef stage) {
  ModuleOp module = variant.module;
  StringRef folder = variant.options.dumpStages;
  std::string name = llvm::utostr(number) + "-" + stage.str() + (isAlone ? "" : "-" + variant.machine->cpu) + ".mlir";
  SmallString<256> path(folder);
  std::error_code error = llvm::sys::fs::create_directories(folder);
  llvm::sys::path::append(path, name);
  if (!error) {
    llvm::raw_fd_ostream os(path, error);
    module.print(os);
    os.flush();
    if (!error)
      error = os.error();
    os.clear_error();
  }
  if (error)
    return module.emitError("expected to write '") << path << "': " << error.message();
  return success();
}

std::string xf::hashOf(ModuleOp module, ArrayRef<MachineRef> machines, const CompileOptions &options) {
  std::string text = print(module) + std::to_string(options.optLevel) + "/" + std::to_string(options.vectorBits);
  for (const MachineRef &machine : machines)
    text += "/" + machine->cpu + machine->features + "/" + machine->triple + "/" + machine->options.f32Products;
  return llvm::utohexstr(llvm::xxh3_64bits(text), true, 16);
}
