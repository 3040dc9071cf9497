//===- xf-planted-opt.cpp - A wrong rewrite, for the reducer to corner ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As xf-opt, with passes that go wrong on purpose. -plant-lost-member takes the first member of a union for the union:
//
//   %o = xf.attention %q, %k, %v pattern(#xf.union<[#xf.window<left = 3>, #xf.causal]>) : ..
//
// becomes
//
//   %o = xf.attention %q, %k, %v pattern(#xf.window<left = 3>) : ..
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

namespace {
struct PlantLostMember : PassWrapper<PlantLostMember, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantLostMember)

  StringRef getArgument() const override { return "plant-lost-member"; }
  StringRef getDescription() const override { return "Take the first member of a union for the union"; }

  void runOnOperation() override {
    getOperation().walk([](xf::AttentionOp op) {
      if (auto all = dyn_cast<xf::UnionPatternAttr>(op.getPattern()))
        op.setPatternAttr(all.getMembers().front());
    });
  }
};
} // namespace

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect, tensor::TensorDialect, xf::XfDialect>();
  PassRegistration<PlantLostMember>();
  return asMainReturnCode(MlirOptMain(argc, argv, "xf optimizer driver with wrong passes\n", registry));
}
