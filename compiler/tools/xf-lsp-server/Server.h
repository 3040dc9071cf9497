//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Serves an editor by the Language Server Protocol, version 3.17
// (https://microsoft.github.io/language-server-protocol): diagnostics, hover, definition, symbols of a document.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFLSPSERVER_SERVER_H
#define XF_COMPILER_TOOLS_XFLSPSERVER_SERVER_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/LSP/Transport.h"

namespace mlir::xf {

/// Serves requests until the editor sends `exit` or closes the transport. Returns true if the editor sent `shutdown`
/// before, as the protocol requires.
bool serve(const DialectRegistry &registry, llvm::lsp::JSONTransport &transport);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFLSPSERVER_SERVER_H
