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

/// The partial sums of a row, lane by lane: of P, if some result has them, and of P as it enters P V by the
/// instructions of `product`, if it is rounded there. An instruction adds `product.terms` rounded weights to a lane.
class PartialSums {
public:
  /// Loads the sums at `sums` and `roundedSums`, each null if there are none.
  PartialSums(KernelBuilder &kb, const ProductForm &product, Value sums, Value roundedSums);

  /// Multiplies the sums by `factor`, which is the same in lanes that an instruction adds.
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
