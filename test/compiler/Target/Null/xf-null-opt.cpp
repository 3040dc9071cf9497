//===- xf-null-opt.cpp - The passes up to tiles, for a target of its own --===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As xf-opt; `-xf-tile-program` chooses tiles by the null target beside this file. The stage `tile` needs nothing else
// of a target.
//
//===----------------------------------------------------------------------===//

#include "NullTarget.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Pattern/SolvePatterns.h"
#include "compiler/Tile/Passes.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
                  tensor::TensorDialect, xf::XfDialect, xft::XftDialect>();
  xf::registerSolvePatternsPass();
  xf::registerGradientPasses();
  xf::registerTilePasses([](StringRef) { return xf::null::getTarget().createTileModel(xf::Machine()); });
  return asMainReturnCode(MlirOptMain(argc, argv, "xf optimizer driver for the null target\n", registry));
}
