//===- KernelResources.h - What tiles expect kernels to take -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H
#define XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H

#include "compiler/Support/Machine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf::nvgpu {

/// What the choice of a tile counts on: the tile fits where its kernel takes no more.
struct KernelResources {
  int64_t sharedBytes;   ///< of a block
  int64_t heldRegisters; ///< of a thread that computes, for what it holds throughout a loop: sums, scores, weights

  /// With bounds, addresses and whatever code keeps for a while.
  int64_t mostRegisters() const;
  /// "expected 163904 bytes, of a thread 160 registers throughout loops and at most 216".
  std::string text() const;
};

/// Of a kernel that is not expanded yet; nothing where its tile was not chosen by what fits.
std::optional<KernelResources> expectedResources(func::FuncOp kernel);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H
