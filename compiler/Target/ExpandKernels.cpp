//===- ExpandKernels.cpp - Expansion of structured kernels ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hands the kernels of a module to their target, which expands them to the code of its machine. Host programs stay as
// they are. Kernels keep their operands, so that launches still fit.
//
// Runs after the memory stage, because the code of a kernel does not depend on where buffers lie. It is the last pass
// that reads structured ops.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "compiler/Target/Passes.h"
#include "compiler/Target/Target.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::xf {
#define GEN_PASS_DEF_EXPANDKERNELSPASS
#include "compiler/Target/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
struct ExpandKernelsPass : xf::impl::ExpandKernelsPassBase<ExpandKernelsPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const Target *target : allTargets())
      target->registerDialects(registry);
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect, xft::XftDialect>();
  }

  void runOnOperation() override {
    MachineRef found =
        findMachine({machine, vectorBits, f32Products, targetTriple}, [&] { return getOperation().emitError(); });
    if (!found || failed(kernel::checkKernels(getOperation())) ||
        failed(targetOf(*found).expandKernels(getOperation(), *found)))
      signalPassFailure();
  }
};
} // namespace
