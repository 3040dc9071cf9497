//===- TabulateCode.h - Numbers of rows and keys, one by one -- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `xft.tabulate` computes for one element, and where the lists of `xft.sort_lists` lie.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::kernel {

class TabulateCode {
public:
  /// To be built at the kernel's head.
  TabulateCode(xft::TabulateOp op, KernelBuilder &kb);

  /// The number of groups of a batch.
  Value groups() const { return ranges.sizes[1]; }
  /// The range (least, greatest), i64, of no numbers.
  SmallVector<Value> noRange() const { return {kb.integer(INT64_MAX), kb.integer(INT64_MIN)}; }
  /// Writes values[b, n]; returns `range` with what is there.
  SmallVector<Value> buildValue(Value b, Value n, ValueRange range) const;
  /// Writes ranges[b, g].
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

/// Where list `number` begins and ends among `count` numbers, by offsets that may be anything.
std::pair<Value, Value> buildListBounds(KernelBuilder &kb, const View &offsets, Value number, Value count);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_TABULATECODE_H
