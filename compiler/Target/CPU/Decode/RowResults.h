//===- RowResults.h - The results of a row of attention --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_DECODE_ROWRESULTS_H
#define XF_COMPILER_TARGET_CPU_DECODE_ROWRESULTS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Stores the results of one row of a softmax whose sums are complete: o, lse, and the softmax that is kept for a
/// gradient.
class RowResults {
public:
  /// Memrefs of the op.
  struct Buffers {
    Value o, lse; ///< lse may be null
    ValueRange kept;
  };
  /// `index` is (b, h, row). `l` is the sum of the row's weights, 0 if the row has seen no key. `normalizer` is the sum
  /// of the weights by which P V multiplied the values.
  RowResults(KernelBuilder &kb, const Buffers &buffers, ArrayRef<Value> index, Value l, Value normalizer);

  /// Normalises `sums`, a register of o, and stores it to the columns from `column` on.
  void storeColumns(Value column, Value sums);
  /// Stores lse, and m and log l for a gradient. `m` is the maximum of the row.
  void storeSums(Value m);

private:
  /// Returns a pointer to element `index` of `buffer`. If `buffer` is o, this is the first element of the row.
  Value rowOf(Value buffer) { return View::of(kb, buffer).at(kb, index); }

  KernelBuilder &kb;
  Value o, lse;
  ValueRange kept;
  SmallVector<Value> index;
  Value l, seen, inverse;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_DECODE_ROWRESULTS_H
