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
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::xf;

template <typename... Attrs>
static std::vector<std::string> mnemonics() {
  return {Attrs::getMnemonic().str()...};
}

/// Returns the words of an enumeration: "sum, mean, max".
template <typename Word>
static std::string listWords(StringRef (*stringify)(Word), unsigned last) {
  SmallVector<StringRef> words;
  for (unsigned number = 0; number <= last; ++number)
    words.push_back(stringify(Word(number)));
  return llvm::join(words, ", ");
}

/// Returns the words that an op takes, as a list, if `text` has the name of an op that takes one of several words.
/// Otherwise returns "".
static std::string wordsOf(StringRef text) {
  if (text.contains("'xf.reduce'"))
    return listWords<Reduction>(stringifyReduction, getMaxEnumValForReduction());
  if (text.contains("'xf.compare'"))
    return listWords<Comparison>(stringifyComparison, getMaxEnumValForComparison());
  if (text.contains("'xf.pool_layers'"))
    return listWords<Pool>(stringifyPool, getMaxEnumValForPool());
  if (text.contains("'xf.gelu'"))
    return listWords<Gelu>(stringifyGelu, getMaxEnumValForGelu());
  return "";
}

/// If a word is missing, MLIR's parser lists the numbers of the words that are allowed. Replaces such an error by one
/// that lists the words.
static std::string withWords(StringRef text) {
  size_t end = text.find("expected keyword for allowed i32 cases: ");
  if (end == StringRef::npos)
    return text.str();
  std::string words = wordsOf(text.take_front(end));
  return text.take_front(end).str() + (words.empty() ? "expected a word" : "expected one of [" + words + "]");
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
  text = withSuggestion(withoutCases(withWords(diagnostic.str())));
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
