//===- XfSelectionOps.h - Elements by order and index ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFSELECTIONOPS_H
#define XF_DIALECTS_XF_OPS_XFSELECTIONOPS_H

#include "dialects/xf/IR/XfOps.h"

#define GET_OP_CLASSES
#include "dialects/xf/IR/XfSelectionOps.h.inc"

#endif // XF_DIALECTS_XF_OPS_XFSELECTIONOPS_H
