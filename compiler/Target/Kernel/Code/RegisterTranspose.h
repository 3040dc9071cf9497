//===- RegisterTranspose.h - Square blocks in registers ------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTRANSPOSE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTRANSPOSE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// Transposes a square block: element l of result r is element r of rows[l]. There are as many registers as each has
/// lanes, a power of two.
SmallVector<Value> transposeRegisters(KernelBuilder &kb, ArrayRef<Value> rows);

/// Loads a square block from memory and transposes it. Row r, of elements of type `stored`, is at rows[r]. Returns
/// registers of computeType(stored). Saves shuffles: loads halves and quarters of rows straight to their place in a
/// register.
SmallVector<Value> loadTransposed(KernelBuilder &kb, Type stored, ArrayRef<Value> rows);
/// Loads and transposes a block of 16-bit elements (type `stored`) with twice as many columns as rows. Row r is at
/// rows[r]. Transposes pairs of columns, which halves the number of shuffles.
SmallVector<Value> loadTransposedPairs(KernelBuilder &kb, Type stored, ArrayRef<Value> rows);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTRANSPOSE_H
