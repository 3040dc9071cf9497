//===- Document.h - A program in an editor ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFLSPSERVER_DOCUMENT_H
#define XF_COMPILER_TOOLS_XFLSPSERVER_DOCUMENT_H

#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/LSP/Protocol.h"
#include "llvm/Support/SourceMgr.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::xf {

/// One version of a text that an editor shows. The text is parsed and verified, and its patterns are solved. Positions
/// count lines and bytes from 0. A text with an error has diagnostics but no operations.
class Document {
public:
  /// `context` must outlive the document.
  Document(const llvm::lsp::URIForFile &uri, std::string text, MLIRContext &context);

  /// Returns the diagnostics of the text. Remarks, such as the one about queries without keys, have the severity
  /// `Information`.
  const std::vector<llvm::lsp::Diagnostic> &diagnostics() const { return found; }

  /// Describes the operation or value at `position` in Markdown. The description of an attention has the pieces of its
  /// pattern and the number of its pairs. Any other description has types.
  std::optional<llvm::lsp::Hover> hover(llvm::lsp::Position position);

  /// Returns the location of the definition of the value, block or symbol at a position.
  std::optional<llvm::lsp::Location> definition(llvm::lsp::Position position);

  /// Returns the entries of the program.
  std::vector<llvm::lsp::DocumentSymbol> symbols();

private:
  void parse(MLIRContext &context);
  void solve(MLIRContext &context);
  llvm::lsp::Diagnostic describe(Diagnostic &diagnostic);
  llvm::lsp::Range rangeOf(mlir::Location location);
  const AsmParserState::OperationDefinition *operationAt(SMLoc place) const;
  const AsmParserState::SMDefinition *definitionAt(SMLoc place, Value *value) const;

  llvm::lsp::URIForFile uri;
  std::string text;
  llvm::SourceMgr sources;
  AsmParserState state;
  Block operations;
  std::vector<llvm::lsp::Diagnostic> found;
  llvm::DenseMap<Operation *, std::string> attentions; ///< what hovering over an attention shows
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFLSPSERVER_DOCUMENT_H
