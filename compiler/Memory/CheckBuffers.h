//===- CheckBuffers.h - Overflow check of buffer sizes ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_MEMORY_CHECKBUFFERS_H
#define XF_COMPILER_MEMORY_CHECKBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Verifies that all static buffers of a host program together take less than 2^63 bytes, so that no offset in an arena
/// overflows. Fails after an error.
LogicalResult checkBuffers(func::FuncOp host);

} // namespace mlir::xf

#endif // XF_COMPILER_MEMORY_CHECKBUFFERS_H
