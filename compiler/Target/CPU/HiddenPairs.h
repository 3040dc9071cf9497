//===- HiddenPairs.h - Values that a hidden pair must not see --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hidden pair has P = -0: no sum sees it, and its sign tells it from a visible pair, whose P is never negative.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_HIDDENPAIRS_H
#define XF_COMPILER_TARGET_CPU_HIDDENPAIRS_H

#include "compiler/Target/CPU/AttendTask.h"

namespace mlir::xf::cpu {

/// The lanes of `value` where the sign of `p` is clear, else zeros.
inline Value clearHidden(AttendTask &task, Value p, Value value) {
  KernelBuilder &kb = task.kb;
  Type bits = kb.vector(task.integer, task.lanes);
  auto asBits = [&](Value x) -> Value { return arith::BitcastOp::create(kb.b, kb.loc, bits, x); };
  Value width = kb.integerOf(bits, task.integer.getIntOrFloatBitWidth() - 1);
  Value sign = arith::ShRSIOp::create(kb.b, kb.loc, asBits(p), width);
  Value keep = arith::XOrIOp::create(kb.b, kb.loc, sign, kb.integerOf(bits, -1));
  Value kept = arith::AndIOp::create(kb.b, kb.loc, keep, asBits(value));
  return arith::BitcastOp::create(kb.b, kb.loc, task.vector(), kept);
}

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_HIDDENPAIRS_H
