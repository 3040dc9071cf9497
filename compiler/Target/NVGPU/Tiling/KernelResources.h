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

/// The resources that the choice of a tile counted on. The tile fits only if its kernel takes no more.
struct KernelResources {
  int64_t sharedBytes;         ///< shared memory of a thread block
  int64_t heldRegisters;       ///< registers of a consumer thread throughout a loop: sums, scores, weights
  int64_t otherRegisters = 56; ///< for bounds, addresses and temporaries

  /// Estimates the largest number of registers that a thread needs at once: heldRegisters plus otherRegisters, but at
  /// most 240, which a consumer thread has.
  int64_t mostRegisters() const;
  /// Returns a description such as "expected 163904 bytes, of a thread 160 registers throughout loops and at most 216".
  std::string text() const;
};

/// Returns the resources that the choice of the tile of `kernel` counted on. The kernel must not be expanded yet.
/// Returns nullopt unless warpgroups compute its op.
std::optional<KernelResources> expectedResources(func::FuncOp kernel);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_TILING_KERNELRESOURCES_H
