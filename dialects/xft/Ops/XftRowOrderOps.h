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

/// The least number of candidates, in addition to the k wanted ones, that fit the scratch memory of xft.sort_row. A row
/// with fewer columns needs less memory. The threads of a thread block, and registers, collect fewer candidates at a
/// time.
constexpr int64_t leastSpareCandidates = 256;

/// Returns the only op of `rows` if it is an OpTy, else null.
template <typename OpTy>
OpTy onlyOpOf(RowsOp rows) {
  Block &body = rows.getBody().front();
  return body.empty() ? OpTy() : dyn_cast<OpTy>(body.front());
}

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_OPS_XFTROWORDEROPS_H
