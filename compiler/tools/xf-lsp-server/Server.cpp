//===- Server.cpp - The language server -----------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-lsp-server/Server.h"
#include "compiler/tools/xf-lsp-server/Document.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::xf;
namespace lsp = llvm::lsp;

namespace {
/// A document that the editor has open. Each version has a context of its own: if a text is edited for days, the types
/// and attributes of old versions do not fill the memory.
struct OpenDocument {
  std::string text;
  std::unique_ptr<MLIRContext> context;
  std::unique_ptr<Document> document;
};

class Server {
public:
  Server(const DialectRegistry &registry, lsp::MessageHandler &messages) : registry(registry) {
    publish = messages.outgoingNotification<lsp::PublishDiagnosticsParams>("textDocument/publishDiagnostics");
    messages.method("initialize", this, &Server::initialize);
    messages.notification("initialized", this, &Server::initialized);
    messages.method("shutdown", this, &Server::shutdown);
    messages.notification("textDocument/didOpen", this, &Server::open);
    messages.notification("textDocument/didChange", this, &Server::change);
    messages.notification("textDocument/didClose", this, &Server::close);
    messages.method("textDocument/hover", this, &Server::hover);
    messages.method("textDocument/definition", this, &Server::definition);
    messages.method("textDocument/documentSymbol", this, &Server::symbols);
  }
  bool isShutDown() const { return gotShutdown; }

private:
  void initialize(const lsp::InitializeParams &, lsp::Callback<llvm::json::Value> reply) {
    llvm::json::Object sync{{"openClose", true}, {"change", int(lsp::TextDocumentSyncKind::Incremental)}};
    llvm::json::Object capabilities{{"textDocumentSync", std::move(sync)},
                                    {"hoverProvider", true},
                                    {"definitionProvider", true},
                                    {"documentSymbolProvider", true}};
    reply(llvm::json::Object{{"serverInfo", llvm::json::Object{{"name", "xf-lsp-server"}}},
                             {"capabilities", std::move(capabilities)}});
  }
  void initialized(const lsp::InitializedParams &) {}
  void shutdown(const lsp::NoParams &, lsp::Callback<std::nullptr_t> reply) {
    gotShutdown = true;
    reply(nullptr);
  }

  void update(const lsp::URIForFile &uri, std::string text, int64_t version) {
    OpenDocument &open = documents[uri.uri()];
    open.document.reset();
    open.text = text;
    open.context = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
    open.document = std::make_unique<Document>(uri, std::move(text), *open.context);
    lsp::PublishDiagnosticsParams params(uri, version);
    params.diagnostics = open.document->diagnostics();
    publish(params);
  }
  void open(const lsp::DidOpenTextDocumentParams &params) {
    update(params.textDocument.uri, params.textDocument.text, params.textDocument.version);
  }
  void change(const lsp::DidChangeTextDocumentParams &params) {
    auto open = documents.find(params.textDocument.uri.uri());
    if (open == documents.end())
      return;
    std::string text = open->second.text;
    if (succeeded(lsp::TextDocumentContentChangeEvent::applyTo(params.contentChanges, text)))
      update(params.textDocument.uri, std::move(text), params.textDocument.version);
  }
  void close(const lsp::DidCloseTextDocumentParams &params) {
    documents.erase(params.textDocument.uri.uri());
    publish(lsp::PublishDiagnosticsParams(params.textDocument.uri, /*version=*/0)); // none
  }

  Document *find(const lsp::TextDocumentIdentifier &identifier) {
    auto open = documents.find(identifier.uri.uri());
    return open == documents.end() ? nullptr : open->second.document.get();
  }
  void hover(const lsp::TextDocumentPositionParams &params, lsp::Callback<std::optional<lsp::Hover>> reply) {
    Document *document = find(params.textDocument);
    reply(document ? document->hover(params.position) : std::nullopt);
  }
  void definition(const lsp::TextDocumentPositionParams &params, lsp::Callback<std::vector<lsp::Location>> reply) {
    std::vector<lsp::Location> locations;
    if (Document *document = find(params.textDocument))
      if (std::optional<lsp::Location> location = document->definition(params.position))
        locations.push_back(*location);
    reply(std::move(locations));
  }
  void symbols(const lsp::DocumentSymbolParams &params, lsp::Callback<std::vector<lsp::DocumentSymbol>> reply) {
    Document *document = find(params.textDocument);
    reply(document ? document->symbols() : std::vector<lsp::DocumentSymbol>());
  }

  const DialectRegistry &registry;
  lsp::OutgoingNotification<lsp::PublishDiagnosticsParams> publish;
  llvm::StringMap<OpenDocument> documents;
  bool gotShutdown = false;
};
} // namespace

bool xf::serve(const DialectRegistry &registry, lsp::JSONTransport &transport) {
  lsp::MessageHandler messages(transport);
  Server server(registry, messages);
  if (llvm::Error error = transport.run(messages))
    llvm::consumeError(std::move(error)); // the editor is gone
  return server.isShutDown();
}
