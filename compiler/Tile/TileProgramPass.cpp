//===- TileProgramPass.cpp - tileProgram as a pass ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Passes.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct TileProgramPass : PassWrapper<TileProgramPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileProgramPass)

  explicit TileProgramPass(TileModelOf modelOf) : modelOf(modelOf) {}
  TileProgramPass(const TileProgramPass &other) : PassWrapper(other), modelOf(other.modelOf) {}

  StringRef getArgument() const override { return "xf-tile-program"; }
  StringRef getDescription() const override { return "functions on tensors to host programs of kernel launches"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<xft::XftDialect, memref::MemRefDialect, arith::ArithDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    std::unique_ptr<TileModel> model = modelOf(mcpu);
    if (!model) {
      getOperation().emitError("expected the name of a CPU of 64 bits that LLVM knows, got '") << mcpu << "'";
      return signalPassFailure();
    }
    if (failed(tileProgram(getOperation(), *model)))
      signalPassFailure();
  }

  Option<std::string> mcpu{*this, "mcpu", llvm::cl::desc("the CPU that tiles are chosen for"),
                           llvm::cl::init("native")};
  TileModelOf modelOf;
};
} // namespace

std::unique_ptr<Pass> xf::createTileProgramPass(TileModelOf modelOf) {
  return std::make_unique<TileProgramPass>(modelOf);
}

void xf::registerTilePasses(TileModelOf modelOf) {
  registerPass([modelOf] { return createTileProgramPass(modelOf); });
}
