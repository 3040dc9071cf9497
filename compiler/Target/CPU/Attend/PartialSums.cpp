//===- PartialSums.cpp - Sums of the weights of a row ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/PartialSums.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

PartialSums::PartialSums(KernelBuilder &kb, const ProductForm &product, Value sums, Value roundedSums)
    : kb(kb), product(product), pointer(sums), roundedPointer(roundedSums) {
  VectorType type = product.sums(kb);
  if (pointer)
    sum = kb.load(type, pointer);
  if (roundedPointer)
    rounded = kb.load(kb.vector(product.sum, type.getNumElements() / product.terms), roundedPointer);
}

void PartialSums::scale(Value factor) {
  if (sum)
    sum = kb.mulf(sum, factor);
  if (!rounded)
    return;
  auto all = llvm::seq<int64_t>(0, cast<VectorType>(rounded.getType()).getNumElements());
  auto lanes = llvm::map_to_vector(all, [&](int64_t lane) { return lane * product.terms; });
  rounded = kb.mulf(rounded, vector::ShuffleOp::create(kb.b, kb.loc, factor, factor, lanes));
}

void PartialSums::add(Value weights) {
  if (sum)
    sum = kb.addf(sum, weights);
  if (!rounded)
    return;
  Value operand = convertFloat(kb, weights, product.operand);
  rounded = product.emit(kb, operand, kb.real(operand.getType(), 1), rounded);
}

void PartialSums::store() const {
  if (sum)
    kb.store(sum, pointer);
  if (rounded)
    kb.store(rounded, roundedPointer);
}
