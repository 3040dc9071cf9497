//===- LowerKernelAbi.cpp - The arguments of kernels ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the operands of kernels (memrefs and indices) by the arguments that the runtime passes on the target.
//
// Runs after kernels were expanded, because structured ops have memrefs as operands. Runs after host programs became
// tables (Emit/HostTable.h), because a launch has the operands of its kernel.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "compiler/Target/Passes.h"
#include "compiler/Target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::xf {
#define GEN_PASS_DEF_LOWERKERNELABIPASS
#include "compiler/Target/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
struct LowerKernelAbiPass : xf::impl::LowerKernelAbiPassBase<LowerKernelAbiPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    MachineRef found =
        findMachine({machine, vectorBits, f32Products, targetTriple}, [&] { return getOperation().emitError(); });
    if (!found || failed(kernel::checkKernels(getOperation())))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (xft::isKernel(function) && failed(targetOf(*found).lowerKernelAbi(function)))
        return signalPassFailure();
  }
};
} // namespace
