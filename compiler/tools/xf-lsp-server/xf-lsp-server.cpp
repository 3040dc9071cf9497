//===- xf-lsp-server.cpp - Programs in editors ----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/PrintHelp.h"
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

namespace {
/// The messages on standard input. Refuses messages whose nesting would overflow the stack of the JSON parser.
class ShallowMessages : public llvm::lsp::JSONTransportInput {
public:
  bool hasError() const override { return all.hasError(); }
  bool isEndOfInput() const override { return all.isEndOfInput(); }
  llvm::LogicalResult readDelimitedMessage(std::string &message) override {
    return refuseDeep(all.readDelimitedMessage(message), message);
  }
  llvm::LogicalResult readStandardMessage(std::string &message) override {
    return refuseDeep(all.readStandardMessage(message), message);
  }

private:
  static constexpr int mostDepth = 256;

  static bool isDeep(llvm::StringRef message) {
    int depth = 0;
    bool isInString = false;
    for (size_t n = 0; n < message.size(); ++n) {
      const char c = message[n];
      if (c == '"')
        isInString = !isInString;
      else if (isInString)
        n += c == '\\'; // what it escapes
      else if (c == '[' || c == '{')
        ++depth;
      else if (c == ']' || c == '}')
        --depth;
      if (depth > mostDepth)
        return true;
    }
    return false;
  }
  static llvm::LogicalResult refuseDeep(llvm::LogicalResult isRead, llvm::StringRef message) {
    if (failed(isRead) || !isDeep(message))
      return isRead;
    llvm::errs() << "xf-lsp-server: error: expected JSON nested at most " << mostDepth << " deep, got a message of "
                 << message.size() << " bytes that is deeper\n";
    return llvm::failure();
  }

  llvm::lsp::JSONTransportInputOverFile all{stdin};
};
} // namespace

int main(int argc, char **argv) {
  if (argc > 1) {
    if (argc == 2 && llvm::StringRef(argv[1]) == "--help")
      return mlir::xf::printHelp("xf-lsp-server", help);
    llvm::errs() << help;
    return 2;
  }
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::tensor::TensorDialect, mlir::xf::XfDialect>();
  (void)llvm::sys::ChangeStdinToBinary();
  llvm::lsp::JSONTransport transport(std::make_unique<ShallowMessages>(), llvm::outs());
  return mlir::xf::serve(registry, transport) ? EXIT_SUCCESS : EXIT_FAILURE;
}
