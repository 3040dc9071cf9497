//===- InterleavedCopies.h - Interleaved unrolled copies ------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interleaves the ops of unrolled copies of a piece of code. Copies for neighbouring columns are independent. But if a
// copy is longer than the reorder window of the processor, they run one after the other. If their ops alternate, the
// latency of one copy hides behind the others, and a constant is loaded once for all copies.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_INTERLEAVEDCOPIES_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_INTERLEAVEDCOPIES_H

#include "mlir/IR/Builders.h"

namespace mlir::xf::cpu {

/// Returns whether `block` has elementary functions, whose polynomials are long dependence chains. Blocks of plain
/// arithmetic have short chains and gain nothing from interleaving.
bool hasLongChains(Block &block);

/// Collects unrolled copies of a piece of code and interleaves their ops.
class InterleavedCopies {
public:
  /// Copies are built at the insertion point of `b`. It must always lie behind the last copy.
  explicit InterleavedCopies(OpBuilder &b) : b(b) {}

  /// Builds one copy: calls `build`, which inserts the ops of the copy at the insertion point.
  void add(function_ref<void()> build);
  /// Interleaves the copies. Each copy keeps the order of its ops. Copies are aligned at their ends, since their
  /// starts, where addresses are computed, may differ.
  void interleave();

private:
  /// Returns the last op before the insertion point; null at the start of the block.
  Operation *last();

  OpBuilder &b;
  SmallVector<SmallVector<Operation *>> copies;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_INTERLEAVEDCOPIES_H
