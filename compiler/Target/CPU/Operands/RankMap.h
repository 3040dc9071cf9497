//===- RankMap.h - Index maps that kernels share -------------- -*- C++ -*-===//
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

/// An index map at one residue, whose windows may be known only when the kernel runs. Then its questions take divisions
/// of tens of cycles: code that asks for many ranks does so by forEach.
struct RankMap {
  RankMap(const ResidueMap &fixed) : fixed(fixed) {}
  RankMap(const ResidueMap &fixed, Value period, Value width) : fixed(fixed), period(period), width(width) {}

  ResidueMap fixed;
  Value period, width; ///< i64 that take the place of those of `fixed`, or null

  bool hasKnownWindows() const { return !width; }
  /// x(r, a).
  Value at(KernelBuilder &kb, Value a) const;
  /// The smallest a with x(r, a) >= x.
  Value rank(KernelBuilder &kb, Value x) const;
  /// Builds a loop over n in [0, count) with x(r, first + n).
  void forEach(KernelBuilder &kb, Value first, Value count, function_ref<void(Value n, Value x)> body) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_RANKMAP_H
