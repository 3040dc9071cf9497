//===- Facts.cpp - Properties that the compiler proves -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Facts.h"
#include "Translator.h"
#include "compiler/Pipeline/PatternFacts.h"

using namespace mlir;

using Ask = llvm::function_ref<FailureOr<int64_t>(ir::Pattern, llvm::function_ref<InFlightDiagnostic()> emitError)>;

/// Returns the result of the compiler's function `question` for a pattern, or the first error.
static graph::Fact ask(const graph::PatternNode &pattern, Ask question) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<ir::XfDialect>();
  graph::Fact fact;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (fact.error.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      fact.error = diagnostic.str();
  });
  Location unknown = UnknownLoc::get(&context);
  FailureOr<int64_t> answer =
      question(translatePattern(&context, pattern), [&]() -> InFlightDiagnostic { return emitError(unknown); });
  if (succeeded(answer))
    fact = {*answer, ""};
  return fact;
}

graph::Fact graph::countPairs(const PatternNode &pattern, int64_t tokens, int64_t head) {
  return ask(pattern, [&](ir::Pattern translated, auto emitError) {
    return ir::countPairs(translated, tokens, head, emitError);
  });
}

graph::Fact graph::proveCausal(const PatternNode &pattern) {
  return ask(pattern, [&](ir::Pattern translated, auto emitError) { return ir::proveCausal(translated, emitError); });
}
