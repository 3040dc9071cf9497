//===- Translate.cpp - Translating a graph to MLIR text -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Translate.h"
#include "Translator.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "runtime/support/ClassicNumbers.h"

using namespace mlir;

/// Formats a diagnostic as "file:line:column: message".
static std::string describe(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = diagnostic.getLocation()->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":" << place.getColumn() << ": ";
  os << diagnostic;
  return text;
}

static void setMesh(ModuleOp module, const std::vector<fe::Mesh::Axis> &mesh) {
  SmallVector<StringAttr> axes;
  SmallVector<int64_t> ranks;
  for (const fe::Mesh::Axis &axis : mesh) {
    axes.push_back(StringAttr::get(module.getContext(), axis.name));
    ranks.push_back(axis.ranks);
  }
  if (!mesh.empty())
    module->setAttr(ir::kMeshAttrName, ir::MeshAttr::get(module.getContext(), axes, ranks));
}

graph::TranslatedText graph::translateToText(const ProgramData &program, const std::vector<ResolvedEntry> &entries,
                                             Scopes &scopes, bool withLocations) {
  xfrt::ClassicNumbers classic;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context
      .loadDialect<arith::ArithDialect, func::FuncDialect, math::MathDialect, tensor::TensorDialect, ir::XfDialect>();
  TranslatedText result;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (result.error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      result.error = describe(diagnostic);
  });
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context), program.name);
  setMesh(*module, program.mesh);
  Translator translator(*module, scopes);
  for (const ResolvedEntry &entry : entries)
    translator.addEntry(entry);
  if (failed(verify(*module)))
    return result;
  OpPrintingFlags flags;
  flags.enableDebugInfo(withLocations);
  llvm::raw_string_ostream os(result.text);
  module->print(os, flags);
  os << "\n";
  return result;
}
