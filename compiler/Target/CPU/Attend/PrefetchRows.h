//===- PrefetchRows.h - Rows asked for before they are needed - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of what comes next are asked for while a task computes, one of each matrix with every register tile: all at
// once, they would wait for each other, and the products for them.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_PREFETCHROWS_H
#define XF_COMPILER_TARGET_CPU_ATTEND_PREFETCHROWS_H

#include "compiler/Target/CPU/Operands/GatherRows.h"

namespace mlir::xf::cpu {
using namespace kernel;

struct PrefetchRows {
  /// Rows of one matrix, from rank `first` on.
  struct Matrix {
    GatheredRows rows;
    Value first;
  };

  Value done; ///< pointer to an i64: rows of each matrix that have been asked for
  SmallVector<Matrix, 4> matrices;
  Value count; ///< rows of each matrix

  void start(KernelBuilder &kb) const;
  /// Asks for one row of each matrix, if there is one left.
  void build(KernelBuilder &kb) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_PREFETCHROWS_H
