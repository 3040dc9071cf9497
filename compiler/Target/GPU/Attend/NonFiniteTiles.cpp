//===- NonFiniteTiles.cpp - Tiles to be computed again --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/NonFiniteTiles.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

Value xf::gpu::isLarge(KernelBuilder &kb, Value shift) {
  constexpr double most = 8192;
  Value size = math::AbsFOp::create(kb.b, kb.loc, shift);
  auto exceeds = [&](Value x, Value y) { return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OGT, x, y); };
  Value infinity = kb.real(shift.getType(), std::numeric_limits<double>::infinity());
  return arith::AndIOp::create(kb.b, kb.loc, exceeds(size, kb.real(shift.getType(), most)), exceeds(infinity, size));
}

void xf::gpu::markNonFinite(AttendRows &k, Value flags, Value tile, int64_t warps, Value condition) {
  KernelBuilder &kb = k.kb;
  View view = View::of(kb, flags);
  Value number = kb.add(kb.mul(tile, warps), k.block.warp);
  k.block.onFirstLane(
      [&] { kb.store(arith::ExtUIOp::create(kb.b, kb.loc, view.element, condition), view.at(kb, number)); });
}

Value xf::gpu::isNonFinite(AttendRows &k, Value flags, Value tile, int64_t warps) {
  KernelBuilder &kb = k.kb;
  View view = View::of(kb, flags);
  Value some = kb.integerOf(view.element, 0);
  for (int64_t warp = 0; warp < warps; ++warp) {
    Value number = kb.add(kb.mul(tile, warps), warp);
    some = arith::OrIOp::create(kb.b, kb.loc, some, kb.load(view.element, view.at(kb, number)));
  }
  return kb.compare(arith::CmpIPredicate::ne, some, kb.integerOf(view.element, 0));
}
