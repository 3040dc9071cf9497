//===- XfViews.h - Ops whose result is memory of their operand -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_OPS_XFVIEWS_H
#define XF_DIALECTS_XF_OPS_XFVIEWS_H

#include "mlir/IR/Operation.h"

namespace mlir::xf {

/// Returns true if the result of `op` is its operand, under another index map or at a later position in the order of
/// ops (xf.after). Operand and result may then share memory, so that an op that reads the result reads the operand.
bool isView(Operation *op);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_OPS_XFVIEWS_H
