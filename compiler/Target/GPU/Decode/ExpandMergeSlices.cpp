//===- ExpandMergeSlices.cpp - Sums of slices become results --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.merge_slices` is a row, and a block of threads:
//
//   m = max m(s)                            each thread some slices, then all threads
//   for each 128 columns
//     each warp: l, o over slices warp, warp + warps, .., several at a time, 4 columns a lane
//     l, o of all warps, in their order; o / l to memory
//
// The order of additions follows from the number of slices alone. Of slices that have seen no key o is not read.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendKernel.h"
#include "compiler/Target/GPU/Attend/TileOrder.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
struct MergeKernel {
  static constexpr int64_t warps = 16, laneColumns = 4; ///< a warp has 128 columns
  static constexpr int64_t slicesAtOnce = 8;            ///< of a warp, whose loads are on their way together

  MergeKernel(xft::MergeSlicesOp op, KernelBuilder &kb);

  xft::MergeSlicesOp op;
  KernelBuilder &kb;
  ThreadBlock block;
  View o, m, l, parts;
  Type real;
  int64_t columns;
  Value slices;
  SmallVector<Value> row; ///< b, h, row of the task
  Value largest;          ///< m of the row; 0 if it has seen no key
  Value sharedMaxima;     ///< [warp]
  Value sharedSums;       ///< [warp][1 + 128]: l and columns of o

  Value lowest() { return kb.real(real, -std::numeric_limits<double>::infinity()); }
  Value at(const View &view, Value slice) {
    SmallVector<Value> index = {slice};
    llvm::append_range(index, row);
    return view.at(kb, index);
  }
  Value sharedSum(Value warp, Value number) {
    return kb.at(real, sharedSums, kb.add(kb.mul(warp, 1 + laneColumns * ThreadBlock::warpSize), number));
  }
};

/// The sums of a warp: l, and its lanes' columns of o.
using WarpSums = SmallVector<Value>;
} // namespace

MergeKernel::MergeKernel(xft::MergeSlicesOp op, KernelBuilder &kb)
    : op(op), kb(kb), block(op->getParentOfType<func::FuncOp>(), kb, warps * ThreadBlock::warpSize),
      o(View::of(kb, op.getO())), m(View::of(kb, op.getSums()[0])), l(View::of(kb, op.getSums()[1])),
      parts(View::of(kb, op.getAccumulator())), real(parts.element),
      columns(cast<MemRefType>(op.getO().getType()).getDimSize(3)), slices(m.sizes[0]) {
  int64_t bytes = real.getIntOrFloatBitWidth() / 8;
  sharedMaxima = block.shared(warps * bytes);
  sharedSums = block.shared(warps * (1 + laneColumns * ThreadBlock::warpSize) * bytes);
}

static Value maximum(MergeKernel &k, Value x, Value y) { return LLVM::MaxNumOp::create(k.kb.b, k.kb.loc, x, y); }

/// Returns the largest m of all slices, in all threads. Contains a barrier.
static Value findMaximum(MergeKernel &k) {
  KernelBuilder &kb = k.kb;
  Value most = kb.loop(k.block.thread, k.slices, k.block.threads, k.lowest(), [&](Value slice, ValueRange before) {
    return SmallVector<Value>{maximum(k, before[0], kb.load(k.real, k.at(k.m, slice)))};
  })[0];
  for (int64_t mask = 1; mask < ThreadBlock::warpSize; mask *= 2)
    most = maximum(k, most, k.block.exchange(most, mask));
  k.block.onFirstLane([&] { kb.store(most, kb.at(k.real, k.sharedMaxima, k.block.warp)); });
  k.block.synchronize();
  most = k.lowest();
  for (int64_t warp = 0; warp < MergeKernel::warps; ++warp)
    most = maximum(k, most, kb.load(k.real, kb.at(k.real, k.sharedMaxima, warp)));
  return most;
}

/// Adds a slice whose columns of o are `values` to the sums of a warp.
static void addSlice(MergeKernel &k, WarpSums &sums, Value weight, Value l, ArrayRef<Value> values) {
  sums[0] = k.kb.fma(weight, l, sums[0]);
  for (auto [n, value] : llvm::enumerate(values))
    sums[1 + n] = k.kb.fma(weight, value, sums[1 + n]);
}

/// Adds slices first, first + warps, .. of those that a warp takes at once.
static WarpSums addSlices(MergeKernel &k, Value first, ArrayRef<Value> columns, WarpSums sums) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0);
  SmallVector<Type> types(columns.size(), k.real);
  SmallVector<Value> weights, parts;
  SmallVector<SmallVector<Value>> values;
  for (int64_t n = 0; n < MergeKernel::slicesAtOnce; ++n) {
    Value slice = kb.add(first, n * MergeKernel::warps), last = kb.add(k.slices, -1);
    Value exists = kb.compare(slt, slice, k.slices), known = kb.min(slice, last);
    Value m = kb.load(k.real, k.at(k.m, known)), l = kb.select(exists, kb.load(k.real, k.at(k.l, known)), zero);
    Value shifted = kb.mulf(kb.subf(m, k.largest), kb.real(k.real, M_LOG2E));
    weights.push_back(k.real.isF32() && kb.machine.hasExp2() ? kb.machine.buildExp2(kb, shifted) : kb.exp2(shifted));
    parts.push_back(l);
    auto load = [&] {
      return llvm::map_to_vector<6>(columns, [&](Value column) -> Value {
        auto element = [&]() -> SmallVector<Value> {
          return {kb.load(k.real, kb.at(k.real, k.at(k.parts, known), column))};
        };
        Value isInside = kb.compare(slt, column, kb.integer(k.columns));
        return kb.ifElse(isInside, k.real, element, [&] { return SmallVector<Value>{zero}; })[0];
      });
    };
    Value hasSeen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, l, zero);
    values.push_back(kb.ifElse(
        hasSeen, types, [&] { return SmallVector<Value>(load()); },
        [&] { return SmallVector<Value>(columns.size(), zero); }));
  }
  for (auto [weight, l, value] : llvm::zip_equal(weights, parts, values))
    addSlice(k, sums, weight, l, value);
  return sums;
}

/// Stores a column of the row, of which `sum` and `l` are the sums of all slices.
static void storeColumn(MergeKernel &k, Value column, Value sum, Value l) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0);
  Value isEmpty = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, l, zero);
  Value x = kb.mulf(sum, kb.select(isEmpty, zero, kb.divf(kb.real(k.real, 1), l)));
  Type stored = k.o.element;
  kb.store(toMemory(kb, convertFloat(kb, x, computeType(stored)), stored),
           kb.at(memoryType(stored), k.o.at(kb, k.row), column));
  if (k.op.getKept().size() > 2)
    kb.store(x, kb.at(k.real, View::of(kb, k.op.getKept()[2]).at(kb, k.row), column));
}

/// Computes the columns from `first` on, as many as a warp has. Contains barriers.
static void buildColumns(MergeKernel &k, Value first, Value most) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> columns;
  for (int64_t n = 0; n < MergeKernel::laneColumns; ++n)
    columns.push_back(kb.add(kb.add(first, k.block.lane), n * ThreadBlock::warpSize));
  WarpSums sums(1 + columns.size(), kb.real(k.real, 0));
  sums = kb.loop(k.block.warp, k.slices, MergeKernel::warps * MergeKernel::slicesAtOnce, sums,
                 [&](Value slice, ValueRange before) { return addSlices(k, slice, columns, WarpSums(before)); });
  k.block.synchronize(); // the sums before have been read
  k.block.onFirstLane([&] { kb.store(sums[0], k.sharedSum(k.block.warp, kb.integer(0))); });
  for (auto [n, sum] : llvm::enumerate(ArrayRef(sums).drop_front()))
    kb.store(sum, k.sharedSum(k.block.warp, kb.add(k.block.lane, 1 + n * ThreadBlock::warpSize)));
  k.block.synchronize();
  Value column = kb.add(first, k.block.thread), all = kb.integer(MergeKernel::laneColumns * ThreadBlock::warpSize);
  auto sumOf = [&](Value number) {
    Value sum = kb.real(k.real, 0);
    for (int64_t warp = 0; warp < MergeKernel::warps; ++warp)
      sum = kb.addf(sum, kb.load(k.real, k.sharedSum(kb.integer(warp), number)));
    return sum;
  };
  Value l = sumOf(kb.integer(0));
  Value isInside = arith::AndIOp::create(kb.b, kb.loc, kb.compare(slt, k.block.thread, all),
                                         kb.compare(slt, column, kb.integer(k.columns)));
  kb.ifThen(isInside, [&] { storeColumn(k, column, sumOf(kb.add(k.block.thread, 1)), l); });
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, column, kb.integer(0));
  kb.ifThen(isFirst, [&] { storeLse(kb, k.row, k.op.getLse(), k.op.getKept(), most, l); });
}

LogicalResult xf::gpu::expandMergeSlices(xft::MergeSlicesOp op, KernelBuilder &kb) {
  MergeKernel k(op, kb);
  k.block.forTiles([&](Value task) {
    Coordinates place{kb, task};
    Value row = place.next(k.o.sizes[2]), head = place.next(k.o.sizes[1]);
    k.row = {place.rest, head, row};
    Value most = findMaximum(k);
    Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, most, k.lowest());
    k.largest = kb.select(isNone, kb.real(k.real, 0), most);
    int64_t step = MergeKernel::laneColumns * ThreadBlock::warpSize;
    kb.loop(kb.integer(0), kb.integer(k.columns), step, [&](Value first) { buildColumns(k, first, most); });
  });
  k.block.finish();
  op.erase();
  return success();
}
