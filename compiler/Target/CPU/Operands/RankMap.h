//===- RankMap.h - Index maps with run-time windows ----------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_RANKMAP_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_RANKMAP_H

#include "compiler/Target/Kernel/Code/AffineCode.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The index map of a piece at one residue r. It maps rank a to the index x(r, a). The period and width of its windows
/// may be known at run time only. Then at() and rank() build divisions, which take tens of cycles; code for many ranks
/// should call forEach().
struct RankMap {
  RankMap(const ResidueMap &fixed) : fixed(fixed) {}
  RankMap(const ResidueMap &fixed, Value period, Value width) : fixed(fixed), period(period), width(width) {}

  ResidueMap fixed;
  Value period, width; ///< i64; if not null, they replace the period and width of `fixed`

  bool hasKnownWindows() const { return !width; }
  /// Returns the index x(r, a) that rank `a` has.
  Value at(KernelBuilder &kb, Value a) const;
  /// Returns the smallest rank whose index is at least `x`.
  Value rank(KernelBuilder &kb, Value x) const;
  /// Builds a loop over n in [0, count) that calls `body` with n and the index x(r, first + n).
  void forEach(KernelBuilder &kb, Value first, Value count, function_ref<void(Value n, Value x)> body) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_RANKMAP_H
