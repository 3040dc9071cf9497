//===- MaskedPairs.h - Masked pairs in products --------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds out by P alone whether a pair is masked or visible. A masked pair has P = -0, and adding -0 leaves a sum as it
// is. P of a visible pair is never -0.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_ATTEND_MASKEDPAIRS_H
#define XF_COMPILER_TARGET_CPU_ATTEND_MASKEDPAIRS_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Returns the lanes (i1) in which `p` belongs to a visible pair: where it is not -0.
inline Value isVisible(AttendTask &task, Value p) {
  KernelBuilder &kb = task.kb;
  auto type = cast<VectorType>(p.getType());
  unsigned width = type.getElementTypeBitWidth();
  VectorType bits = type.clone(kb.b.getIntegerType(width));
  int64_t masked = llvm::minIntN(width);
  return kb.compare(arith::CmpIPredicate::ne, arith::BitcastOp::create(kb.b, kb.loc, bits, p),
                    kb.integerOf(bits, masked));
}

/// Returns the lanes (i1) where `weight` is not 0.
inline Value isNotZero(AttendTask &task, Value weight) {
  KernelBuilder &kb = task.kb;
  auto type = cast<VectorType>(weight.getType());
  if (type.getElementType().isBF16()) { // no CPU compares them as floats
    VectorType bits = type.clone(kb.b.getI16Type());
    Value word = arith::BitcastOp::create(kb.b, kb.loc, bits, weight);
    Value magnitude = arith::AndIOp::create(kb.b, kb.loc, word, kb.integerOf(bits, 0x7fff));
    return kb.compare(arith::CmpIPredicate::ne, magnitude, kb.integerOf(bits, 0));
  }
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, weight, kb.real(weight.getType(), 0));
}

/// Returns `value` in the lanes where `p` belongs to a visible pair, zeros elsewhere.
inline Value clearMasked(AttendTask &task, Value p, Value value) {
  KernelBuilder &kb = task.kb;
  return kb.select(isVisible(task, p), value, kb.real(task.vector(), 0));
}

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_ATTEND_MASKEDPAIRS_H
