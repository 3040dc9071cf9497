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

/// Returns the distance in bytes between the rows of a matrix in shared memory. A row has `rowBytes` bytes. The
/// distance is an odd multiple of 16. So if a warp reads 16 bytes of each of 8 consecutive rows, these bytes lie in
/// different banks.
inline int64_t sharedPitch(int64_t rowBytes) { return llvm::alignTo(rowBytes, 32) + 16; }

} // namespace mlir::xf

#endif // XF_COMPILER_SUPPORT_SHAREDMEMORY_H
