//===- ExpandModule.cpp - All kernels of a module become code -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/ExpandModule.h"
#include "dialects/xft/IR/XftOps.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult kernel::expandModule(ModuleOp module, const KernelMachine &machine,
                                   function_ref<LogicalResult(Operation *op, KernelBuilder &kb)> expand) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!xft::isKernel(function))
      continue;
    SmallVector<Operation *> structured;
    for (Operation &op : function.getBody().front())
      if (isa<xft::XftDialect>(op.getDialect()))
        structured.push_back(&op);
    for (Operation *op : structured) {
      KernelBuilder kb(function, machine);
      kb.b.setInsertionPoint(op);
      kb.loc = op->getLoc();
      if (failed(expand(op, kb)))
        return failure();
    }
  }
  return success();
}
