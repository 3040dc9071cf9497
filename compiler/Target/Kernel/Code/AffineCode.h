//===- AffineCode.h - Index maps and affine bounds as code ---- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_CODE_AFFINECODE_H
#define XF_COMPILER_TARGET_KERNEL_CODE_AFFINECODE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf::kernel {

/// Builds a quasi-affine expression on i64 scalars. Divisors and moduli must be positive constants.
Value buildAffine(KernelBuilder &kb, AffineExpr expression, ValueRange dims, ValueRange symbols);

/// The index map of a piece at one residue r, which takes rank a to the index x(r, a). A rank is a place in the
/// residue. Values that depend only on r are computed once.
struct ResidueMap {
  IndexMapAttr map;
  Value start; ///< offset + cell * ((multiplier * r + shift) mod residues), of `map`

  /// Returns the map at residue r, and computes its `start`.
  static ResidueMap of(KernelBuilder &kb, IndexMapAttr map, Value r);
  /// Returns the index x(r, a) of rank `a`.
  Value at(KernelBuilder &kb, Value a) const;
  /// Returns the smallest rank whose index is at least `x`.
  Value rank(KernelBuilder &kb, Value x) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_AFFINECODE_H
