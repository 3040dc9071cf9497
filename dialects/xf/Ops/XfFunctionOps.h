//===- XfFunctionOps.h - Elementary functions as ops ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declares the ops that are elementary functions. XfOps.h does not include them, because few files name them: stages
// handle these ops by their interface.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFFUNCTIONOPS_H
#define XF_DIALECTS_XF_OPS_XFFUNCTIONOPS_H

#include "dialects/xf/IR/XfOps.h"

#define GET_OP_CLASSES
#include "dialects/xf/IR/XfFunctionOps.h.inc"

#endif // XF_DIALECTS_XF_OPS_XFFUNCTIONOPS_H
