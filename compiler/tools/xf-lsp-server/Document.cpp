//===- Document.cpp - A program in an editor ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-lsp-server/Document.h"
#include "compiler/Pattern/Passes.h"
#include "compiler/tools/patterns/PairFigures.h"
#include "compiler/tools/patterns/PatternText.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "dialects/xf/Text/ParseErrors.h"
#include "dialects/xf/Text/ScanSource.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
namespace lsp = llvm::lsp;

Document::Document(const lsp::URIForFile &uri, std::string text, MLIRContext &context)
    : uri(uri), text(std::move(text)) {
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(this->text, uri.file()), SMLoc());
  if (auto problem = scanSource(this->text)) {
    lsp::Position place(int(problem->line) - 1, int(problem->column) - 1);
    lsp::Diagnostic diagnostic;
    diagnostic.range = lsp::Range(place);
    diagnostic.severity = lsp::DiagnosticSeverity::Error;
    diagnostic.source = "xf";
    diagnostic.message = problem->message;
    found.push_back(diagnostic);
    return;
  }
  parse(context);
  solve(context);
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

/// Returns the range of the word at a location, or the start of the text if the location is not in a text.
lsp::Range Document::rangeOf(mlir::Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place || place.getLine() == 0)
    return lsp::Range();
  lsp::Position start(int(place.getLine()) - 1, std::max(0, int(place.getColumn()) - 1));
  SMLoc loc = start.getAsSMLoc(sources);
  return loc.isValid() ? lsp::Range(sources, AsmParserState::convertIdLocToRange(loc)) : lsp::Range(start);
}

lsp::Diagnostic Document::describe(Diagnostic &diagnostic) {
  lsp::Diagnostic result;
  result.range = rangeOf(diagnostic.getLocation());
  result.source = "xf";
  result.message = diagnostic.str();
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    result.severity = lsp::DiagnosticSeverity::Error;
    break;
  case DiagnosticSeverity::Warning:
    result.severity = lsp::DiagnosticSeverity::Warning;
    break;
  case DiagnosticSeverity::Note:
  case DiagnosticSeverity::Remark:
    result.severity = lsp::DiagnosticSeverity::Information;
  }
  for (Diagnostic &note : diagnostic.getNotes()) {
    if (!result.relatedInformation)
      result.relatedInformation.emplace();
    result.relatedInformation->emplace_back(lsp::Location(uri, rangeOf(note.getLocation())), note.str());
  }
  return result;
}

void Document::parse(MLIRContext &context) {
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) { found.push_back(describe(diagnostic)); });
  ParseErrors refine(&context);
  if (failed(parseAsmSourceFile(sources, &operations, ParserConfig(&context), &state))) {
    operations.clear();
    state = AsmParserState();
  }
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Describes a solved attention in Markdown: a line for each piece of its pattern, the number of its pairs and, if
/// sizes are static, their percentage of all pairs.
template <typename Op>
static std::string describeAttention(Op op) {
  std::string text = "pattern `";
  llvm::raw_string_ostream os(text);
  os << op.getPattern() << "`\n\n";
  SmallVector<SolutionAttr> solutions = solutionsOf(op);
  for (const std::string &line : pieceLines(solutions))
    os << "- `" << line << "`\n";
  auto q = cast<RankedTensorType>(op.getQ().getType()), k = cast<RankedTensorType>(op.getK().getType());
  auto size = [](RankedTensorType type, unsigned d) { return type.isDynamicDim(d) ? -1 : type.getDimSize(d); };
  PairFigures figures({size(q, 0), size(q, 1), size(q, 2), size(k, 2), !op.getSymbols().empty()}, {1, 1, 1, {}});
  llvm::json::Value pairs = figures.pairs(solutions);
  os << "\n" << countText(pairs) << " pairs";
  bool isStatic = size(q, 0) >= 0 && size(q, 1) >= 0 && size(q, 2) >= 0 && size(k, 2) >= 0;
  double dense = isStatic ? double(size(q, 0)) * size(q, 1) * size(q, 2) * size(k, 2) : 0;
  if (auto count = pairs.getAsInteger(); count && dense > 0)
    os << llvm::formatv(", {0:f2} % of all", 100 * double(*count) / dense);
  os << "\n";
  return text;
}

/// Copies the operations of the text, solves the patterns of the copy, and keeps a description of each attention.
void Document::solve(MLIRContext &context) {
  if (operations.empty())
    return;
  OwningOpRef<ModuleOp> copy = ModuleOp::create(UnknownLoc::get(&context));
  SmallVector<Operation *> originals;
  auto isAttention = [](Operation *op) { return isa<AttentionOp, AttentionVjpOp>(op); };
  for (Operation &op : operations) {
    op.walk([&](Operation *inner) {
      if (isAttention(inner))
        originals.push_back(inner);
    });
    copy->getBody()->push_back(op.clone());
  }
  ScopedDiagnosticHandler collect(&context, [&](Diagnostic &diagnostic) { found.push_back(describe(diagnostic)); });
  PassManager passes(&context);
  passes.addPass(createSolvePatternsPass());
  if (failed(passes.run(*copy)))
    return;
  SmallVector<std::string> texts;
  copy->walk([&](Operation *op) {
    if (auto attention = dyn_cast<AttentionOp>(op))
      texts.push_back(describeAttention(attention));
    else if (auto vjp = dyn_cast<AttentionVjpOp>(op))
      texts.push_back(describeAttention(vjp));
  });
  if (texts.size() == originals.size()) // the pass replaces no attention
    for (auto [op, text] : llvm::zip_equal(originals, texts))
      attentions[op] = text;
}

//===----------------------------------------------------------------------===//
// What is at a position
//===----------------------------------------------------------------------===//

static bool contains(SMRange range, SMLoc place) {
  return range.isValid() && range.Start.getPointer() <= place.getPointer() &&
         place.getPointer() < range.End.getPointer();
}

static bool contains(const AsmParserState::SMDefinition &definition, SMLoc place) {
  return contains(definition.loc, place) ||
         llvm::any_of(definition.uses, [&](SMRange use) { return contains(use, place); });
}

/// Returns the innermost operation that contains `place`.
const AsmParserState::OperationDefinition *Document::operationAt(SMLoc place) const {
  const AsmParserState::OperationDefinition *innermost = nullptr;
  for (const auto &definition : state.getOpDefs())
    if (contains(definition.scopeLoc, place) &&
        (!innermost || innermost->scopeLoc.Start.getPointer() <= definition.scopeLoc.Start.getPointer()))
      innermost = &definition;
  return innermost;
}

/// Returns the definition of the value or block whose name is at `place`. Sets `value` if it is a value.
const AsmParserState::SMDefinition *Document::definitionAt(SMLoc place, Value *value) const {
  for (const auto &operation : state.getOpDefs())
    for (const auto &group : operation.resultGroups)
      if (contains(group.definition, place)) {
        *value = operation.op->getResult(group.startIndex);
        return &group.definition;
      }
  for (const auto &block : state.getBlockDefs()) {
    if (contains(block.definition, place))
      return &block.definition;
    for (auto [number, argument] : llvm::enumerate(block.arguments))
      if (contains(argument, place)) {
        *value = block.block->getArgument(number);
        return &argument;
      }
  }
  return nullptr;
}

std::optional<lsp::Hover> Document::hover(lsp::Position position) {
  SMLoc place = position.getAsSMLoc(sources);
  if (!place.isValid())
    return std::nullopt;
  Value value;
  if (const AsmParserState::SMDefinition *definition = definitionAt(place, &value); definition && value) {
    lsp::Hover hover(lsp::Range(sources, definition->loc));
    llvm::raw_string_ostream(hover.contents.value) << "`" << value.getType() << "`";
    return hover;
  }
  const AsmParserState::OperationDefinition *definition = operationAt(place);
  if (!definition || isa<ModuleOp>(definition->op))
    return std::nullopt;
  lsp::Hover hover(lsp::Range(sources, definition->loc));
  llvm::raw_string_ostream os(hover.contents.value);
  os << "**" << definition->op->getName() << "**";
  if (auto attention = attentions.find(definition->op); attention != attentions.end()) {
    os << ", " << attention->second;
    return hover;
  }
  if (auto function = dyn_cast<func::FuncOp>(definition->op)) {
    os << " `" << function.getName() << " : " << function.getFunctionType() << "`";
    return hover;
  }
  os << "\n\n`(";
  llvm::interleaveComma(definition->op->getOperandTypes(), os);
  os << ") -> (";
  llvm::interleaveComma(definition->op->getResultTypes(), os);
  os << ")`";
  return hover;
}

std::optional<lsp::Location> Document::definition(lsp::Position position) {
  SMLoc place = position.getAsSMLoc(sources);
  if (!place.isValid())
    return std::nullopt;
  Value value;
  if (const AsmParserState::SMDefinition *definition = definitionAt(place, &value))
    return lsp::Location(uri, sources, definition->loc);
  for (const auto &definition : state.getAttributeAliasDefs())
    if (contains(definition.definition, place))
      return lsp::Location(uri, sources, definition.definition.loc);
  for (const auto &operation : state.getOpDefs())
    if (llvm::any_of(operation.symbolUses, [&](SMRange use) { return contains(use, place); }))
      return lsp::Location(uri, sources, operation.loc);
  return std::nullopt;
}

std::vector<lsp::DocumentSymbol> Document::symbols() {
  std::vector<lsp::DocumentSymbol> result;
  for (const auto &definition : state.getOpDefs())
    if (auto function = dyn_cast<func::FuncOp>(definition.op))
      result.emplace_back(function.getName(), lsp::SymbolKind::Function, lsp::Range(sources, definition.scopeLoc),
                          lsp::Range(sources, definition.loc));
  return result;
}
