//===- KernelsToLLVM.cpp - Kernels in the LLVM dialect --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the passes of the target that lower the code of kernels to the LLVM dialect, and marks the kernels of the
// module. The functions of a host program are index arithmetic, and are lowered as kernels of a CPU.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Passes.h"
#include "compiler/Target/Target.h"

namespace mlir::xf {
#define GEN_PASS_DEF_KERNELSTOLLVMPASS
#include "compiler/Target/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
struct KernelsToLLVMPass : xf::impl::KernelsToLLVMPassBase<KernelsToLLVMPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    for (const Target *target : allTargets()) {
      target->registerDialects(registry);
      OpPassManager pm(ModuleOp::getOperationName());
      target->addLowering(pm);
      pm.getDependentDialects(registry);
    }
  }

  void runOnOperation() override {
    MachineRef found =
        findMachine({machine, vectorBits, f32Products, targetTriple}, [&] { return getOperation().emitError(); });
    if (!found)
      return signalPassFailure();
    const Target &target = targetOf(*found);
    OpPassManager pm(ModuleOp::getOperationName());
    target.addLowering(pm);
    if (failed(runPipeline(pm, getOperation())))
      return signalPassFailure();
    target.markKernels(getOperation());
  }
};
} // namespace
