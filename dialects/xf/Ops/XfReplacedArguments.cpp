//===- XfReplacedArguments.cpp - Arguments that results replace -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Ops/XfReplacedArguments.h"

using namespace mlir;

bool xf::hasName(func::FuncOp function, unsigned argument, StringAttr name) {
  for (const char *attribute : {"xf.parameter", "xf.state", "xf.name"})
    if (name && function.getArgAttr(argument, attribute) == name)
      return true;
  return false;
}

Value xf::replacedArgument(func::FuncOp function, unsigned number) {
  auto name = function.getResultAttrOfType<StringAttr>(number, "xf.updates");
  for (unsigned n = 0; name && n < function.getNumArguments(); ++n)
    if (hasName(function, n, name))
      return function.getArgument(n);
  return nullptr;
}

Value xf::replacedArgument(Value tensor) {
  for (OpOperand &use : tensor.getUses())
    if (auto terminator = dyn_cast<func::ReturnOp>(use.getOwner()))
      if (Value argument = replacedArgument(terminator->getParentOfType<func::FuncOp>(), use.getOperandNumber()))
        return argument;
  return nullptr;
}
