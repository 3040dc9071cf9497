//===- TabulateCode.h - Tables of a predicate ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of `xft.tabulate` for one element. Also computes the bounds of the lists of `xft.sort_lists`.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::kernel {

/// Builds the code of an `xft.tabulate` for one element.
class TabulateCode {
public:
  /// Reads the sizes and strides of the operands, so it must be called at the head of the kernel.
  TabulateCode(xft::TabulateOp op, KernelBuilder &kb);

  /// Returns the number of groups of elements in a batch entry.
  Value groups() const { return ranges.sizes[1]; }
  /// Returns the empty range (INT64_MAX, INT64_MIN).
  SmallVector<Value> noRange() const { return {kb.integer(INT64_MAX), kb.integer(INT64_MIN)}; }
  /// Computes values[b, n] and stores it. Returns `range`, extended to contain the value.
  SmallVector<Value> buildValue(Value b, Value n, ValueRange range) const;
  /// Stores `range` to ranges[b, g], for group g of batch entry b.
  void storeRange(Value b, Value g, ValueRange range) const;

private:
  void setPart(Value part, bool areRows);
  Value place(Value b, Value n) const;

  KernelBuilder &kb;
  View source, values, ranges;
  Value count, first;
  AffineMap at;
  SmallVector<int64_t> inputSymbols;
  SmallVector<View> inputs;
  SmallVector<Value> symbols; ///< Nq, Nk, and zeros for the inputs
};

/// Returns the begin and end of list `number` in an array of `count` elements. `offsets` come from the user and may be
/// invalid. 0 <= begin <= end <= count holds in any case.
std::pair<Value, Value> buildListBounds(KernelBuilder &kb, const View &offsets, Value number, Value count);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H
