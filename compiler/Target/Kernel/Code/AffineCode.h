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

/// Builds a quasi-affine expression on i64 scalars; divisions and moduli are by positive constants.
Value buildAffine(KernelBuilder &kb, AffineExpr expression, ValueRange dims, ValueRange symbols);

/// An index map at one residue r; the terms that depend on r only are computed once.
struct ResidueMap {
  IndexMapAttr map;
  Value start; ///< o + e ((alpha r + beta) mod R)

  /// Computes the start of a map at residue r.
  static ResidueMap of(KernelBuilder &kb, IndexMapAttr map, Value r);
  /// Returns the index x(r, a) of rank a.
  Value at(KernelBuilder &kb, Value a) const;
  /// Returns the smallest rank a with x(r, a) >= x.
  Value rank(KernelBuilder &kb, Value x) const;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_CODE_AFFINECODE_H
