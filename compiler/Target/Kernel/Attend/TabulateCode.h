//===- TabulateCode.h - Tables of a predicate ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code of `xft.tabulate` for one element, and the bounds of the lists of `xft.sort_lists`.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::kernel {

/// The code of an `xft.tabulate` for one element.
class TabulateCode {
public:
  /// Builds code at the kernel's head.
  TabulateCode(xft::TabulateOp op, KernelBuilder &kb);

  /// Returns the number of groups of a batch entry.
  Value groups() const { return ranges.sizes[1]; }
  /// Returns the empty range (least, greatest), i64.
  SmallVector<Value> noRange() const { return {kb.integer(INT64_MAX), kb.integer(INT64_MIN)}; }
  /// Stores values[b, n]; returns `range` extended by it.
  SmallVector<Value> buildValue(Value b, Value n, ValueRange range) const;
  /// Stores ranges[b, g].
  void storeRange(Value b, Value g, ValueRange range) const;

private:
  Value place(Value b, Value n) const;

  KernelBuilder &kb;
  View source, values, ranges;
  Value count, first;
  AffineMap at;
  SmallVector<int64_t> inputSymbols;
  SmallVector<View> inputs;
  SmallVector<Value> symbols; ///< Nq, Nk, and zeros for the inputs
};

/// Returns the begin and end of list `number` within `count` numbers; the offsets may be invalid.
std::pair<Value, Value> buildListBounds(KernelBuilder &kb, const View &offsets, Value number, Value count);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H
