//===- ParseErrors.cpp - One message for a mistake in a program -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Text/ParseErrors.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "runtime/support/NearestWord.h"

using namespace mlir;
using namespace mlir::xf;

template <typename... Attrs>
static std::vector<std::string> mnemonics() {
  return {Attrs::getMnemonic().str()...};
}

/// Shortens an error of MLIR's parser about an enumeration. Removes the list of its numbers (" for allowed i32 cases:
/// .."), and puts quotes around the word that the parser got.
static std::string withoutCases(StringRef text) {
  auto [before, rest] = text.split(" for allowed i32 cases: ");
  size_t end = rest.find(", got: ");
  return end == StringRef::npos ? text.str() : (before + ", got '" + rest.drop_front(end + 7) + "'").str();
}

static std::string withSuggestion(StringRef text) {
  StringRef word = text;
  if (!word.consume_front("unknown attribute `") || !word.consume_back("` in dialect `xf`"))
    return text.str();
  return text.str() + xfrt::suggestion(word, mnemonics<
#define GET_ATTRDEF_LIST
#include "dialects/xf/IR/XfAttributes.cpp.inc"
                                                 >());
}

LogicalResult ParseErrors::refine(Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure();
  auto location = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  unsigned line = location ? location.getLine() : 0;
  if (line && line == lastLine)
    return success();
  lastLine = line;
  text = withSuggestion(withoutCases(diagnostic.str()));
  MutableArrayRef<DiagnosticArgument> arguments = diagnostic.getArguments();
  for (DiagnosticArgument &argument : arguments)
    argument = DiagnosticArgument(StringRef());
  if (!arguments.empty())
    arguments.front() = DiagnosticArgument(StringRef(text));
  return failure();
}

ParseErrors::ParseErrors(MLIRContext *context) : ScopedDiagnosticHandler(context) {
  setHandler([this](Diagnostic &diagnostic) { return refine(diagnostic); });
}
