//===- xf-lsp-server.cpp - Programs in editors ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/tools/xf-lsp-server/Server.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>

static constexpr llvm::StringLiteral help =
    R"(usage: xf-lsp-server
Serves an editor by the Language Server Protocol on standard input and output: diagnostics of programs (.mlir), solved
patterns and numbers of pairs where the mouse is on an attention, definitions, entries.

  --help               prints this
)";

int main(int argc, char **argv) {
  if (argc > 1) {
    bool isHelp = argc == 2 && llvm::StringRef(argv[1]) == "--help";
    (isHelp ? llvm::outs() : llvm::errs()) << help;
    return isHelp ? EXIT_SUCCESS : 2;
  }
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::tensor::TensorDialect, mlir::xf::XfDialect>();
  (void)llvm::sys::ChangeStdinToBinary();
  llvm::lsp::JSONTransport transport(stdin, llvm::outs());
  return mlir::xf::serve(registry, transport) ? EXIT_SUCCESS : EXIT_FAILURE;
}
