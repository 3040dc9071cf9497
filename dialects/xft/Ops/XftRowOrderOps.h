//===- XftRowOrderOps.h - Rows whose columns depend on others -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_OPS_XFTROWORDEROPS_H
#define XF_DIALECTS_XFT_OPS_XFTROWORDEROPS_H

#include "dialects/xft/IR/XftOps.h"

#define GET_OP_CLASSES
#include "dialects/xft/IR/XftRowOrderOps.h.inc"

namespace mlir::xft {

/// The scratch memory of xft.sort_row holds candidates for the k elements that are wanted, and spare ones. This is the
/// least number of spare candidates, if the row has as many columns. A step that collects candidates in registers, or
/// by the threads of a thread block, adds at most this number.
constexpr int64_t leastSpareCandidates = 256;

/// Returns the only op of `rows` if it is an OpTy, else null.
template <typename OpTy>
OpTy onlyOpOf(RowsOp rows) {
  Block &body = rows.getBody().front();
  return body.empty() ? OpTy() : dyn_cast<OpTy>(body.front());
}

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_OPS_XFTROWORDEROPS_H
