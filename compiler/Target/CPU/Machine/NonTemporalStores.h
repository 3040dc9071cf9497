//===- NonTemporalStores.h - Results that bypass the caches --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores large results past the caches. An ordinary store to a line that no cache holds first reads the line from
// memory. Non-temporal stores bypass the caches, and so save this read. They are used if a kernel's results do not fit
// into the last-level cache. The decision is made at run time:
//   %large = bytes of the results > half of the last cache (the operands take the other half)
//            and no result is an operand's memory, whose lines the cache holds because they were just read
// A result qualifies if one phase writes it and no phase reads it. Loops with non-temporal stores also prefetch the
// next row.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_NONTEMPORALSTORES_H
#define XF_COMPILER_TARGET_CPU_MACHINE_NONTEMPORALSTORES_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The results of an xft.rows that are stored past the caches, and the run-time decision to do so.
class NonTemporalStores {
public:
  /// Chooses the results of `op` that qualify, and builds the run-time decision at the insertion point. `views` are the
  /// views of the operands of `op`. `elements` is the number of elements in its iteration space.
  NonTemporalStores(KernelBuilder &kb, xft::RowsOp op, const llvm::MapVector<Value, View> &views, Value elements);

  bool contains(Value memref) const { return llvm::is_contained(results, memref); }
  /// Returns whether the results are stored past the caches (i1, decided at run time); null if no result qualifies.
  Value isLarge() const { return large; }
  /// Builds a fence, so that the non-temporal stores are visible before the kernel is reported as done.
  void finish(KernelBuilder &kb) const;

private:
  SmallVector<Value> results;
  Value large;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_NONTEMPORALSTORES_H
