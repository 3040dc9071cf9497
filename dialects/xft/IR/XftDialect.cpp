//===- XftDialect.cpp - Registration -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xft/Ops/XftRowOrderOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xft;

#include "dialects/xft/IR/XftDialect.cpp.inc"
#include "dialects/xft/IR/XftEnums.cpp.inc"

#include "dialects/xft/IR/XftAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/xft/IR/XftAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/xft/IR/XftTypes.cpp.inc"

void XftDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/xft/IR/XftAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/xft/IR/XftTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/xft/IR/XftOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/xft/IR/XftRowOrderOps.cpp.inc"
      >();
}

bool xft::isKernel(func::FuncOp function) { return function->hasAttr(kernelAttrName); }
bool xft::isEntry(func::FuncOp function) { return function->hasAttr(entryAttrName); }

ArrayRef<BlockArgument> xft::kernelOperands(func::FuncOp kernel) {
  return ArrayRef<BlockArgument>(kernel.getArguments()).drop_front(kernelPrefix);
}
