//===- PrefetchRows.h - Software prefetch of rows ------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefetches the rows of the next task while a task computes. Each register tile prefetches one row of each matrix. If
// all rows were prefetched at once, the prefetches would wait for each other, and the products for the prefetches.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_PREFETCHROWS_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_PREFETCHROWS_H

#include "compiler/Target/CPU/Operands/GatherRows.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Prefetches rows of several matrices, one row of each at a time.
struct PrefetchRows {
  /// The rows of one matrix, from rank `first` on.
  struct Matrix {
    GatheredRows rows;
    Value first;
  };

  Value done; ///< pointer to an i64: the number of rows of each matrix that have been prefetched
  SmallVector<Matrix, 4> matrices;
  Value count; ///< number of rows of each matrix to prefetch

  /// Sets the number of rows that have been prefetched to 0.
  void start(KernelBuilder &kb) const;
  /// Prefetches the next row of each matrix, until `count` rows have been prefetched.
  void build(KernelBuilder &kb) const;
  /// Prefetches rows of each matrix until `limit` rows, but at most `count`, have been prefetched.
  void buildUpTo(KernelBuilder &kb, Value limit) const;

private:
  void prefetch(Value number) const;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_PREFETCHROWS_H
