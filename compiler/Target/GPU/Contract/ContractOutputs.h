//===- ContractOutputs.h - Epilogue of products --------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_CONTRACT_CONTRACTOUTPUTS_H
#define XF_COMPILER_TARGET_GPU_CONTRACT_CONTRACTOUTPUTS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::gpu {
using namespace kernel;

/// The operands and results of the epilogue of `xft.contract`, for one matrix of the batch at a time.
class ContractOutputs {
public:
  ContractOutputs(xft::ContractOp op, KernelBuilder &kb);

  /// Selects matrix `number` (i64) of the batch. The dimensions of the batch are all dimensions of `a` except the last
  /// two.
  void locate(const View &a, Value number);
  ArrayRef<Value> batch() const { return matrix; }
  /// Returns a pointer to an element of `view`, an operand or result, at a row and column of the selected matrix.
  Value at(const View &view, Value row, Value column);

  /// Returns whether vectors of `lanes` elements are aligned in all contiguous operands and results (i1). They are if
  /// rows start at multiples of `lanes` elements and have a multiple of `lanes` columns.
  Value areAligned(int64_t lanes);
  /// Evaluates the epilogue for `sums`, `lanes` consecutive sums of row `row` from `column` on, and stores its results.
  /// More than one lane requires areAligned(lanes).
  void store(Value sums, Value row, Value column, int64_t lanes);

private:
  Value load(const View &view, Value memref, Value row, Value column, int64_t lanes);

  xft::ContractOp op;
  KernelBuilder &kb;
  SmallVector<View> ins, outs;
  SmallVector<Value> matrix;
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_CONTRACT_CONTRACTOUTPUTS_H
