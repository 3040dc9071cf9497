//===- ExpandMergeSlices.cpp - Sums of slices become results --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/ExpandDecode.h"
#include "compiler/Target/CPU/Decode/RowRegisters.h"
#include "compiler/Target/CPU/Decode/RowResults.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// The softmax states of all slices for the row at `index` (b, h, row).
struct SliceSums {
  KernelBuilder &kb;
  View m, l, o;
  SmallVector<Value> index;
  Type real;
  int64_t lanes;

  Value at(const View &view, Value slice) {
    SmallVector<Value> place = {slice};
    llvm::append_range(place, index);
    return view.at(kb, place);
  }
  /// Builds a loop over the slices in order, which carries `state`.
  SmallVector<Value> forEach(ValueRange state, KernelBuilder::LoopBody body) {
    return kb.loop(kb.integer(0), m.sizes[0], 1, state, body);
  }
  /// Returns exp(m of slice `slice` - `shift`).
  Value weight(Value slice, Value shift) {
    Value difference = kb.subf(kb.load(real, at(m, slice)), shift);
    return kb.exp2(kb.mulf(difference, kb.real(real, M_LOG2E)));
  }
};
} // namespace

/// Computes the results of one row from the softmax states of its slices.
static void buildRow(SliceSums sums, xft::MergeSlicesOp op, RowRegisters registers) {
  KernelBuilder &kb = sums.kb;
  Value lowest = kb.real(sums.real, -std::numeric_limits<double>::infinity()), zero = kb.real(sums.real, 0);
  Value m = sums.forEach(lowest, [&](Value slice, ValueRange m) {
    return SmallVector<Value>{kb.maxf(kb.load(sums.real, sums.at(sums.m, slice)), m[0])};
  })[0];
  Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, m, lowest);
  Value shift = kb.select(isNone, zero, m);
  Value l = sums.forEach(zero, [&](Value slice, ValueRange l) {
    Value part = kb.load(sums.real, sums.at(sums.l, slice));
    return SmallVector<Value>{kb.addf(l[0], kb.mulf(sums.weight(slice, shift), part))};
  })[0];
  RowResults results(kb, {op.getO(), op.getLse(), op.getKept()}, sums.index, l, l);
  constexpr int64_t most = 8;
  registers.forEach(kb, most, [&](Value slot, ArrayRef<int64_t> offsets) {
    RegisterTile shape{1, static_cast<int64_t>(offsets.size())};
    SmallVector<Value> o(offsets.size(), kb.real(kb.vector(sums.real, sums.lanes), 0));
    o = sums.forEach(o, [&](Value slice, ValueRange before) {
      SmallVector<Value> next(before);
      Value weight = kb.broadcast(sums.weight(slice, shift), sums.lanes), from = sums.at(sums.o, slice);
      auto right = [&](int64_t c) {
        return kb.load(kb.vector(sums.real, sums.lanes), kb.at(sums.real, from, kb.add(slot, offsets[c])));
      };
      addTerm({kb, ProductForm::multiplyAdd(sums.real), shape}, next, {0, 1}, {[&](int64_t) { return weight; }, right});
      return next;
    });
    for (auto [sum, offset] : llvm::zip(o, offsets))
      results.storeColumns(kb.add(slot, offset), sum);
  });
  results.storeSums(m);
}

LogicalResult cpu::expandMergeSlices(xft::MergeSlicesOp op, KernelBuilder &kb) {
  View o = View::of(kb, op.getO()), parts = View::of(kb, op.getAccumulator());
  int64_t lanes = kb.machine.lanes(parts.element), columns = cast<MemRefType>(op.getO().getType()).getDimSize(3);
  if (columns < lanes)
    return op.emitError("expected rows of at least ") << lanes << " elements, got " << op.getO().getType();
  SliceSums sums{kb, View::of(kb, op.getSums()[0]), View::of(kb, op.getSums()[1]), parts, {}, parts.element, lanes};
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value task) {
    Value row = kb.rem(task, o.sizes[2]), head = kb.div(task, o.sizes[2]);
    sums.index = {kb.div(head, o.sizes[1]), kb.rem(head, o.sizes[1]), row};
    buildRow(sums, op, {columns, lanes});
  });
  op.erase();
  return success();
}
