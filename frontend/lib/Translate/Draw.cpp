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

using Draw =
    llvm::function_ref<FailureOr<ir::DrawnPattern>(MLIRContext &, llvm::function_ref<InFlightDiagnostic()> emitError)>;

/// Returns the picture that `draw` makes, or the first error.
static graph::DrawnText drawn(Draw draw) {
  xfrt::ClassicNumbers classic;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ir::XfDialect>();
  graph::DrawnText result;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (result.error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      result.error = diagnostic.str();
  });
  Location unknown = UnknownLoc::get(&context);
  FailureOr<ir::DrawnPattern> picture = draw(context, [&]() -> InFlightDiagnostic { return emitError(unknown); });
  if (succeeded(picture))
    return {std::move(picture->svg), std::move(picture->png), std::move(picture->text), std::move(picture->npz), ""};
  return result;
}

graph::DrawnText graph::drawPattern(const PatternNode &pattern, int64_t tokens, const ::xf::DrawOptions &options) {
  return drawn([&](MLIRContext &context, auto emitError) {
    return ir::drawPattern(translatePattern(&context, pattern), tokens,
                           {options.grid.height, options.grid.width, options.query, options.tiles, options.head},
                           emitError);
  });
}

graph::DrawnText graph::drawWeights(const std::vector<double> &weights, const std::vector<int64_t> &shape,
                                    const ::xf::MapPicture &options) {
  return drawn([&](MLIRContext &, auto emitError) {
    return ir::drawWeights(
        weights, shape,
        {options.title, options.first_row, options.first_key, options.grid.height, options.grid.width, options.darkest},
        emitError);
  });
}
