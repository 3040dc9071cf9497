//===- ExpandCols.cpp - One loop over the columns of a row, by a warp -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   %s = xft.cols ins(%x) combine(add) -> f32 { ^bb0(%column: i64, %e: f32): %t = arith.mulf %e, %e  xft.yield %t }
// After, in lane l of the warp: columns l, l + 32, .., then the lanes' partial results as a tree.
//   %p = scf.for %j = %lane to %count step 32 iter_args(identity) { load, region, add }
//   %s = %p + that of lane l ^ 16, + l ^ 8, ..
// A lane has the same columns in every phase and for every accumulator, so that it reads what it wrote itself.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/ExpandCols.h"
#include "compiler/Target/Kernel/Combine.h"
#include "compiler/Target/Kernel/VectorRegion.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static Value combineWarp(ThreadBlock &block, xft::Combiner combiner, Value partial) {
  for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2)
    partial = combine(block.kb, combiner, partial, block.exchange(partial, mask));
  return combineLanes(block.kb, combiner, partial);
}

void nvgpu::forColumns(ThreadBlock &block, TileColumns columns, function_ref<void(Value column)> body) {
  block.kb.loop(block.lane, columns.count, ThreadBlock::warpSize, body);
}

SmallVector<Value> nvgpu::expandCols(ThreadBlock &block, xft::ColsOp op, ArrayRef<RowAccess> operands,
                                     TileColumns columns, const IRMapping &scalars) {
  KernelBuilder &kb = block.kb;
  Block &body = op.getBody().front();
  auto ins = operands.take_front(op.getIns().size()), outs = operands.slice(op.getIns().size(), op.getOuts().size());
  auto accs = operands.take_back(op.getAccs().size());
  size_t reductions = op.getNumResults();
  SmallVector<Value> state;
  for (auto [n, type] : llvm::enumerate(op.getResultTypes()))
    state.push_back(combinerIdentity(kb, op.getCombiner(n), kb.vector(type, 1)));
  IRMapping captured; // as registers of one lane
  for (auto [from, to] : scalars.getValueMap())
    if (!isa<MemRefType>(from.getType()))
      captured.map(from, kb.broadcast(to, 1));
  state = kb.loop(block.lane, columns.count, ThreadBlock::warpSize, state, [&](Value column, ValueRange carried) {
    SmallVector<Value> next(carried), arguments = {kb.add(columns.first, column)};
    for (const RowAccess &row : ins)
      arguments.push_back(row.loadElement(kb, row.kind == RowAccess::Single ? kb.integer(0) : column));
    SmallVector<Value> yielded = vectorize(body, arguments, 1, kb, captured);
    auto scalar = [&](Value x) { return vector::ExtractOp::create(kb.b, kb.loc, x, ArrayRef<int64_t>{0}); };
    for (auto [n, partial] : llvm::enumerate(next))
      partial = combine(kb, op.getCombiner(n), partial, yielded[n]);
    for (auto [n, row] : llvm::enumerate(outs))
      row.storeElement(kb, scalar(yielded[reductions + n]), column);
    for (auto [n, row] : llvm::enumerate(accs)) {
      Value sum = combine(kb, op.getCombiner(reductions + n), row.loadElement(kb, column),
                          scalar(yielded[reductions + outs.size() + n]));
      row.storeElement(kb, sum, column);
    }
    return next;
  });
  for (auto [n, partial] : llvm::enumerate(state))
    partial = combineWarp(block, op.getCombiner(n), partial);
  return state;
}
