//===- NonTemporalStores.h - Results that go past the caches -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ordinary store of a line that no cache holds reads it first. Where a kernel's results do not stay in the last
// cache anyway, stores that bypass it save that third of the traffic. Whether they do is known when the kernel runs:
//   %large = bytes of the results > half of the last cache (the operands take the other half)
//            and no result is an operand's memory, whose lines the cache holds because they were just read
// A result qualifies that is written once and read by no other phase. The loops that stream also fetch the next row.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_NONTEMPORALSTORES_H
#define XF_COMPILER_TARGET_CPU_MACHINE_NONTEMPORALSTORES_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xf::cpu {
using namespace kernel;

class NonTemporalStores {
public:
  /// `elements` is how many elements the space of `op` has. Emits the decision at the insertion point.
  NonTemporalStores(KernelBuilder &kb, xft::RowsOp op, const llvm::MapVector<Value, View> &views, Value elements);

  bool contains(Value memref) const { return llvm::is_contained(results, memref); }
  /// Whether they go past the caches, an i1; null where no result qualifies.
  Value isLarge() const { return large; }
  /// Orders the stores before what says that the kernel is done.
  void finish(KernelBuilder &kb) const;

private:
  SmallVector<Value> results;
  Value large;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_NONTEMPORALSTORES_H
