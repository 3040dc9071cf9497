//===- AttendVjpSums.cpp - Sums of gradients ------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/AttendVjp/AttendVjpWarps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

SmallVector<Value> xf::gpu::addProduct(AttendVjpWarpKernel &k, ArrayRef<Value> sums, const TileProduct &factors,
                                       Value isCareful, function_ref<Value(Value)> isMasked) {
  SmallVector<Type> types(sums.size(), k.real);
  return k.kb.ifElse(
      isCareful, types, [&] { return addCarefully(k, k.buffers.scores, sums, factors, isMasked); },
      [&] { return addTile(k, sums, factors); });
}

/// Stores the lane's elements of one row of a gradient of 16-bit floats, two at a time. Rows are aligned and have a
/// multiple of 8 elements.
static void storeRounded(AttendVjpWarpKernel &k, const View &view, Value pointer, const LaneRow &row, int64_t depth) {
  KernelBuilder &kb = k.kb;
  const auto &[sums, half, factor] = row;
  for (int64_t n = 2 * half; n < depth / WarpProduct::atomColumns * 4; n += 4) {
    Value column = kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns);
    Value pair = LLVM::UndefOp::create(kb.b, kb.loc, kb.vector(k.real, 2));
    for (int64_t e : {0, 1})
      pair = LLVM::InsertElementOp::create(kb.b, kb.loc, pair, kb.mulf(sums[n + e], kb.real(k.real, factor)),
                                           kb.integerOf(kb.b.getI32Type(), e));
    Value rounded = LLVM::FPTruncOp::create(kb.b, kb.loc, kb.vector(view.element, 2), pair);
    kb.store(rounded, kb.at(view.element, pointer, column), 4);
  }
}

void xf::gpu::storeRow(AttendVjpWarpKernel &k, const View &view, Value pointer, const LaneRow &row, int64_t depth,
                       Value assigns) {
  KernelBuilder &kb = k.kb;
  if (view.element != k.real)
    return storeRounded(k, view, pointer, row, depth);
  for (auto [n, value] : llvm::enumerate(row.sums)) {
    if (WarpProduct::halfOf(n) != row.half)
      continue;
    Value column = kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
    kb.ifThen(kb.compare(slt, column, kb.integer(depth)), [&] {
      Value address = kb.at(view.element, pointer, column);
      Value sum = kb.mulf(value, kb.real(k.real, row.factor));
      auto before = [&]() -> SmallVector<Value> { return {kb.load(k.real, address)}; };
      auto zero = [&]() -> SmallVector<Value> { return {kb.real(k.real, 0)}; };
      kb.store(kb.addf(kb.ifElse(assigns, k.real, zero, before)[0], sum), address);
    });
  }
}

SmallVector<Value> xf::gpu::attempt(AttendVjpWarpKernel &k, size_t size,
                                    function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> state(size, kb.real(k.real, 0));
  if (k.op.getFlags())
    return body(state, kb.constant(kb.b.getBoolAttr(true)));
  state.push_back(kb.constant(kb.b.getBoolAttr(true)));
  SmallVector<Type> types(ValueRange(state).getTypes());
  state = kb.loop(kb.integer(0), kb.integer(2), 1, state, [&](Value number, ValueRange carried) {
    auto work = [&] {
      SmallVector<Value> zeros(size, kb.real(k.real, 0));
      SmallVector<Value> next = body(zeros, kb.compare(arith::CmpIPredicate::eq, number, kb.integer(1)));
      next.push_back(k.block.any(isInfinite(kb, next)));
      return next;
    };
    return kb.ifElse(carried.back(), types, work, [&] { return SmallVector<Value>(carried); });
  });
  state.pop_back();
  return state;
}
