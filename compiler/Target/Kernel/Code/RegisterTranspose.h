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

/// Transposes a square block of as many registers as each has lanes: element l of result r is element r of rows[l]. The
/// number of lanes must be a power of two.
SmallVector<Value> transposeRegisters(KernelBuilder &kb, ArrayRef<Value> rows);

/// Loads and transposes a square block in memory, whose row r of elements of type `stored` is at rows[r]; returns
/// registers of computeType(stored). Halves and quarters of rows are loaded straight to their place in a register,
/// which saves shuffles.
SmallVector<Value> loadTransposed(KernelBuilder &kb, Type stored, ArrayRef<Value> rows);
/// The same for twice as many columns of elements of 16 bits, which are transposed in pairs: half as many shuffles.
SmallVector<Value> loadTransposedPairs(KernelBuilder &kb, Type stored, ArrayRef<Value> rows);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_REGISTERTRANSPOSE_H
