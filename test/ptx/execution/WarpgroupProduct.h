//===- WarpgroupProduct.h - Products of wgmma: operands in shared memory *- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_EXECUTION_WARPGROUPPRODUCT_H
#define XF_TEST_PTX_EXECUTION_WARPGROUPPRODUCT_H

#include "test/ptx/execution/Cta.h"
#include "test/ptx/execution/Product.h"

namespace xf::ptx {

/// What an instruction wgmma.mma_async says, packed into its variants.
struct WarpgroupShape {
  Element type = Element::BF16;
  uint32_t columns = 0;
  bool aInRegisters = false;
  bool aTransposed = false, bTransposed = false; // MN-major
  bool aNegated = false, bNegated = false;

  int depth() const { return type == Element::TF32 ? 8 : 16; }
  void pack(Instruction &instruction) const;
  static WarpgroupShape of(const Instruction &instruction);
};

/// Computes what this warp has of a product: 16 of its 64 rows. The accumulators get their values at once.
void performProduct(Warp &warp, PendingProduct &product);
/// Notes the reads of shared memory, when the product has been waited for.
void noteProduct(Warp &warp, const PendingProduct &product);

/// Operands of wgmma.mma_async: accumulators, A, B, scale-d.
enum ProductOperand { Accumulators, OperandA, OperandB, ScaleD };

} // namespace xf::ptx

#endif // XF_TEST_PTX_EXECUTION_WARPGROUPPRODUCT_H
