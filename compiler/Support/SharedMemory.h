//===- SharedMemory.h - Matrices in the shared memory of GPUs - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_SUPPORT_SHAREDMEMORY_H
#define XF_COMPILER_SUPPORT_SHAREDMEMORY_H

#include "llvm/Support/MathExtras.h"

namespace mlir::xf {

/// Returns the bytes from row to row of a matrix whose rows have `rowBytes` bytes: an odd multiple of 16, so that 8
/// consecutive rows, which a warp reads 16 bytes of at a time, begin in different banks.
inline int64_t sharedPitch(int64_t rowBytes) { return llvm::alignTo(rowBytes, 32) + 16; }

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_SHAREDMEMORY_H
