//===- PartialSums.h - Sums of the weights of a row ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_PARTIALSUMS_H
#define XF_COMPILER_TARGET_CPU_ATTEND_PARTIALSUMS_H

#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// The partial sums of the weights of a row, one for each lane. There are sums of P if a result needs them, and sums of
/// the rounded P if the instructions of `product` round it. Such an instruction adds `product.terms` rounded weights to
/// a lane.
class PartialSums {
public:
  /// Loads the sums at `sums` and `roundedSums`. A pointer is null if the kernel has no such sums.
  PartialSums(KernelBuilder &kb, const ProductForm &product, Value sums, Value roundedSums);

  /// Multiplies the sums by the register `factor`. If an instruction adds the weights of several lanes to one sum,
  /// these lanes must have the same factor.
  void scale(Value factor);
  /// Adds a register of weights.
  void add(Value weights);
  void store() const;

private:
  KernelBuilder &kb;
  const ProductForm &product;
  Value pointer, roundedPointer, sum, rounded;
};

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_PARTIALSUMS_H
