//===- Draw.cpp - Drawing pictures of a pattern -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Draw.h"
#include "Translator.h"
#include "compiler/Pipeline/DrawPattern.h"
#include "runtime/support/ClassicNumbers.h"

using namespace mlir;

graph::DrawnText graph::drawPattern(const PatternNode &pattern, int64_t tokens, const ::xf::DrawOptions &options) {
  xfrt::ClassicNumbers classic;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ir::XfDialect>();
  DrawnText result;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (result.error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      result.error = diagnostic.str();
  });
  Location unknown = UnknownLoc::get(&context);
  FailureOr<ir::DrawnPattern> drawn =
      ir::drawPattern(translatePattern(&context, pattern), tokens,
                      {options.grid.height, options.grid.width, options.query, options.tiles, options.head},
                      [&] { return emitError(unknown); });
  if (succeeded(drawn))
    return {std::move(drawn->svg), std::move(drawn->png), std::move(drawn->text), std::move(drawn->npz), ""};
  return result;
}
