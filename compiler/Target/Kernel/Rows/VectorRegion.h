//===- VectorRegion.h - Element regions on registers ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_VECTORREGION_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_VECTORREGION_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xf::kernel {

/// Clones a block of element-wise scalar ops (xft::verifyElementRegion) for `lanes` elements at once. Returns the
/// yielded values, one register each. `arguments` are the values of the block's arguments: registers, or scalars, which
/// are broadcast. Constants become constant registers. Scalars that the block captures are broadcast, unless `captured`
/// has registers for them.
SmallVector<Value> vectorize(Block &block, ValueRange arguments, int64_t lanes, KernelBuilder &kb,
                             const IRMapping &captured = {});

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_VECTORREGION_H
