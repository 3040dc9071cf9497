//===- XfRankOps.h - What ranks send each other ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_SHARDING_XFRANKOPS_H
#define XF_DIALECTS_XF_SHARDING_XFRANKOPS_H

#include "dialects/xf/IR/XfOps.h"

#define GET_OP_CLASSES
#include "dialects/xf/Sharding/XfRankOps.h.inc"

#endif // XF_DIALECTS_XF_SHARDING_XFRANKOPS_H
