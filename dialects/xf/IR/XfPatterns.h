//===- XfPatterns.h - Attention patterns ----------------------*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_IR_XFPATTERNS_H
#define XF_DIALECTS_XF_IR_XFPATTERNS_H

#include "dialects/xf/IR/XfDialect.h"
#include "mlir/IR/IntegerSet.h"

#include "dialects/xf/Interfaces/XfAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/xf/IR/XfAttributes.h.inc"

#endif // XF_DIALECTS_XF_IR_XFPATTERNS_H
