//===- WrittenGradient.h - Gradients that programs write themselves -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_EXPAND_WRITTENGRADIENT_H
#define XF_COMPILER_EXPAND_WRITTENGRADIENT_H

#include "dialects/xf/IR/XfOps.h"

namespace mlir::xf {

/// Refuses the gradient of an attention that this stage writes out: the gradient stage makes it of what is written.
inline LogicalResult refuseWrittenGradient(AttentionVjpOp op) {
  return op.emitError("not implemented: an attention_vjp op of a program with ")
         << op.getPattern() << "; expected xf.vjp or xf.gradient of a function with the attention";
}

} // namespace mlir::xf

#endif // XF_COMPILER_EXPAND_WRITTENGRADIENT_H
