//===- InterleavedCopies.h - Copies of code that run side by side -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of one piece of code for neighbouring columns are independent, but written one after the other they run so
// when each is longer than what a processor looks ahead. Interleaved, the latency of one hides behind the others, and a
// constant is loaded once for all.
// Before:   %a0 = f(%x0)  %b0 = g(%a0)  %a1 = f(%x1)  %b1 = g(%a1)
// After:    %a0 = f(%x0)  %a1 = f(%x1)  %b0 = g(%a0)  %b1 = g(%a1)
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_OPERANDS_INTERLEAVEDCOPIES_H
#define XF_COMPILER_TARGET_CPU_OPERANDS_INTERLEAVEDCOPIES_H

#include "mlir/IR/Builders.h"

namespace mlir::xf::cpu {

/// Whether elementary functions are in the block, whose polynomials are chains: each step waits for the one before.
/// Regions of plain arithmetic have short chains and gain nothing from copies side by side.
bool hasLongChains(Block &block);

class InterleavedCopies {
public:
  /// Copies are built at the builder's insertion point, which they leave behind themselves.
  explicit InterleavedCopies(OpBuilder &b) : b(b) {}

  void add(function_ref<void()> build);
  /// Copies keep the order of their own ops. They may differ at their start, where addresses are computed; ends are
  /// aligned.
  void interleave();

private:
  /// The last op before the insertion point; null at the start of the block.
  Operation *last();

  OpBuilder &b;
  SmallVector<SmallVector<Operation *>> copies;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_OPERANDS_INTERLEAVEDCOPIES_H
