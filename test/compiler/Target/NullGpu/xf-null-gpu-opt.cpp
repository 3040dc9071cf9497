//===- xf-null-gpu-opt.cpp - The passes up to code of threads -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As xf-opt; `-xf-tile-program` chooses tiles for the GPU beside this file, and `-null-expand-kernels` expands kernels
// to its code. Nothing of another target is linked.
//
//===----------------------------------------------------------------------===//

#include "NullGpu.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Pattern/Passes.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/Kernel/Code/ExpandModule.h"
#include "compiler/Tile/Passes.h"
#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

namespace {
struct NullExpandKernelsPass : PassWrapper<NullExpandKernelsPass, OperationPass<ModuleOp>> {
  StringRef getArgument() const override { return "null-expand-kernels"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }
  void runOnOperation() override {
    xf::null::NullGpu machine;
    if (failed(xf::kernel::expandModule(getOperation(), machine, xf::gpu::expandOp)))
      signalPassFailure();
  }
};
} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect, xf::XfDialect, xft::XftDialect>();
  xf::registerPatternPasses();
  xf::registerGradientPasses();
  xf::registerTilePasses(
      [](const xf::MachineOptions &, function_ref<InFlightDiagnostic()>) -> std::unique_ptr<xf::TileModel> {
        return std::make_unique<xf::null::NullGpuTileModel>();
      });
  PassRegistration<NullExpandKernelsPass>();
  return asMainReturnCode(MlirOptMain(argc, argv, "xf optimizer driver for the null GPU\n", registry));
}
