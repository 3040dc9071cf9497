//===- ContractOutputs.h - Sums of a product become its results --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_CONTRACT_CONTRACTOUTPUTS_H
#define XF_COMPILER_TARGET_NVGPU_CONTRACT_CONTRACTOUTPUTS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {
using namespace kernel;

/// What `xft.contract` reads and writes element by element, and the matrix of the batch that a tile belongs to.
class ContractOutputs {
public:
  ContractOutputs(xft::ContractOp op, KernelBuilder &kb);

  /// `number`: of the matrix, counted through the sizes of `a` before the last two.
  void locate(const View &a, Value number);
  ArrayRef<Value> batch() const { return matrix; }
  /// The element of an operand at a row and column of the matrix.
  Value at(const View &view, Value row, Value column);

  /// Whether all rows start at multiples of `lanes` elements and have a multiple of them.
  Value areAligned(int64_t lanes);
  /// out.. = epilogue(sums, in..) for `lanes` columns of a row; more than one where areAligned(lanes).
  void store(Value sums, Value row, Value column, int64_t lanes);

private:
  Value load(const View &view, Value memref, Value row, Value column, int64_t lanes);

  xft::ContractOp op;
  KernelBuilder &kb;
  SmallVector<View> ins, outs;
  SmallVector<Value> matrix;
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_CONTRACT_CONTRACTOUTPUTS_H
