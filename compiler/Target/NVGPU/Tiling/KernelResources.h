//===- KernelResources.h - What tiles expect kernels to take -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H
#define XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf::nvgpu {

/// Resources that the choice of a tile assumes of its kernel: the tile fits only if the kernel takes no more.
struct KernelResources {
  int64_t sharedBytes;   ///< shared memory of a block
  int64_t heldRegisters; ///< registers of a consumer thread throughout a loop: sums, scores, weights

  /// Returns the registers of a thread including bounds, addresses and temporaries.
  int64_t mostRegisters() const;
  /// Describes the resources: "expected 163904 bytes, of a thread 160 registers throughout loops and at most 216".
  std::string text() const;
};

/// Returns the expected resources of a kernel that is not expanded yet; nothing if its tile was not chosen by
/// resources.
std::optional<KernelResources> expectedResources(func::FuncOp kernel);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H
