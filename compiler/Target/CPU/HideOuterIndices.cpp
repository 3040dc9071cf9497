//===- HideOuterIndices.cpp - Strength reduction in innermost loops only --===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  scf.for %row = .. { .. scf.for %column = .. { f(%row, %column) } }
// After:   scf.for %row = .. { %r = llvm.intr.expect %row, .. ; .. scf.for %column = .. { f(%r, %column) } }
//
// LLVM reduces the strength of all addresses that depend on the index of a loop, also in the loops inside it. For a
// kernel of eight nested loops, this took a quarter of the compile time, and the kernel ran no faster. LLVM's analysis
// of indices (scalar evolution) does not look through `llvm.expect`, and instruction selection removes it.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/HideOuterIndices.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::xf;

static bool hasLoops(scf::ForOp loop) {
  auto found = loop.getBody()->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); });
  return found.wasInterrupted();
}

void cpu::hideOuterIndices(ModuleOp module) {
  module.walk([](scf::ForOp loop) {
    Value index = loop.getInductionVar();
    if (!index.getType().isInteger() || index.use_empty() || !hasLoops(loop))
      return;
    OpBuilder b = OpBuilder::atBlockBegin(loop.getBody());
    auto hidden = LLVM::ExpectOp::create(b, loop.getLoc(), index, index);
    index.replaceAllUsesExcept(hidden, hidden);
  });
}
