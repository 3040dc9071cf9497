//===- ExpandMergeSlices.cpp - Sums of slices become results --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the code of `xft.merge_slices`. A task adds the slices of one row. If there are few slices, one warp adds
// them:
//
//   m = max m(s)                            each lane some slices, then all lanes
//   for each 128 columns
//     l, o over slices 0, 1, .., several at a time, 4 columns a lane; o / l to memory
//
// If there are more slices, a thread block adds them. Its warp w has slices w, w + warps, .. The sums of warps are then
// added through shared memory, in the order of warps. The order of additions depends only on the number of slices. The
// o of a slice that has seen no key is not read.
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
  static constexpr int64_t warps = 8, laneColumns = 4; ///< a warp has 128 columns
  static constexpr int64_t slicesAtOnce = 8;           ///< slices that a warp loads before it adds them
  static constexpr int64_t fewSlices = 16;             ///< largest number of slices of a row that one warp adds alone

  MergeKernel(xft::MergeSlicesOp op, KernelBuilder &kb);

  xft::MergeSlicesOp op;
  KernelBuilder &kb;
  ThreadBlock block;
  View o, m, l, parts;
  Type real;
  int64_t columns;
  Value slices;
  SmallVector<Value> row; ///< b, h, row of the task
  Value largest;          ///< largest m of the row, or 0 if it has seen no key
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

/// A lane's sums over slices: first l, then its columns of o.
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

/// Returns the largest m of the slices that the lanes of a warp visit. A lane visits slices `first`, `first` + `step`,
/// .. .
static Value maximumOfWarp(MergeKernel &k, Value first, int64_t step) {
  KernelBuilder &kb = k.kb;
  Value most = kb.loop(first, k.slices, step, k.lowest(), [&](Value slice, ValueRange before) {
    return SmallVector<Value>{maximum(k, before[0], kb.load(k.real, k.at(k.m, slice)))};
  })[0];
  for (int64_t mask = 1; mask < ThreadBlock::warpSize; mask *= 2)
    most = maximum(k, most, k.block.exchange(most, mask));
  return most;
}

/// Returns the largest m of all slices, in all threads. Contains a barrier of the thread block.
static Value findMaximum(MergeKernel &k) {
  KernelBuilder &kb = k.kb;
  Value most = maximumOfWarp(k, k.block.thread, k.block.threads);
  k.block.onFirstLane([&] { kb.store(most, kb.at(k.real, k.sharedMaxima, k.block.warp)); });
  k.block.synchronize();
  most = k.lowest();
  for (int64_t warp = 0; warp < MergeKernel::warps; ++warp)
    most = maximum(k, most, kb.load(k.real, kb.at(k.real, k.sharedMaxima, warp)));
  return most;
}

/// Adds a slice to a lane's sums: its `l` and its columns `values` of o, each multiplied by `weight`.
static void addSlice(MergeKernel &k, WarpSums &sums, Value weight, Value l, ArrayRef<Value> values) {
  sums[0] = k.kb.fma(weight, l, sums[0]);
  for (auto [n, value] : llvm::enumerate(values))
    sums[1 + n] = k.kb.fma(weight, value, sums[1 + n]);
}

/// Adds slicesAtOnce slices, `first`, `first` + `step`, .., to the sums of `columns`. Loads all of them before adding
/// the first one. Returns the new sums.
static WarpSums addSlices(MergeKernel &k, Value first, int64_t step, ArrayRef<Value> columns, WarpSums sums) {
  KernelBuilder &kb = k.kb;
  Value zero = kb.real(k.real, 0);
  SmallVector<Type> types(columns.size(), k.real);
  SmallVector<Value> weights, parts;
  SmallVector<SmallVector<Value>> values;
  for (int64_t n = 0; n < MergeKernel::slicesAtOnce; ++n) {
    Value slice = kb.add(first, n * step), last = kb.add(k.slices, -1);
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

/// Stores column `column` of the row's o. `sum` is the sum of this column over all slices, and `l` the sum of l.
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

/// Returns this lane's columns of the 128 columns from `first` on.
static SmallVector<Value> laneColumns(MergeKernel &k, Value first) {
  SmallVector<Value> columns;
  for (int64_t n = 0; n < MergeKernel::laneColumns; ++n)
    columns.push_back(k.kb.add(k.kb.add(first, k.block.lane), n * ThreadBlock::warpSize));
  return columns;
}

/// Returns the lane's sums over slices `first`, `first` + `step`, ..: l, and the columns `columns` of o.
static WarpSums sumSlices(MergeKernel &k, Value first, int64_t step, ArrayRef<Value> columns) {
  WarpSums sums(1 + columns.size(), k.kb.real(k.real, 0));
  return k.kb.loop(first, k.slices, step * MergeKernel::slicesAtOnce, sums, [&](Value slice, ValueRange before) {
    return addSlices(k, slice, step, columns, WarpSums(before));
  });
}

/// Computes the 128 columns of o from `first` on by all warps of the thread block. `most` is the largest m of the row.
/// Contains barriers.
static void buildColumns(MergeKernel &k, Value first, Value most) {
  KernelBuilder &kb = k.kb;
  WarpSums sums = sumSlices(k, k.block.warp, MergeKernel::warps, laneColumns(k, first));
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

/// Computes the 128 columns of o from `first` on by one warp. `most` is the largest m of the row.
static void buildWarpColumns(MergeKernel &k, Value first, Value most) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> columns = laneColumns(k, first);
  WarpSums sums = sumSlices(k, kb.integer(0), /*step=*/1, columns);
  for (auto [column, sum] : llvm::zip_equal(columns, ArrayRef(sums).drop_front()))
    kb.ifThen(kb.compare(slt, column, kb.integer(k.columns)), [&] { storeColumn(k, column, sum, sums[0]); });
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, columns[0], kb.integer(0));
  kb.ifThen(isFirst, [&] { storeLse(kb, k.row, k.op.getLse(), k.op.getKept(), most, sums[0]); });
}

/// Computes row `number`. Gets the largest m of the row's slices from findMaximum(). Then calls buildColumns(first,
/// most) for every 128 columns.
static void buildRow(MergeKernel &k, Value number, function_ref<Value()> findMaximum,
                     function_ref<void(Value first, Value most)> buildColumns) {
  KernelBuilder &kb = k.kb;
  Coordinates place{kb, number};
  Value row = place.next(k.o.sizes[2]), head = place.next(k.o.sizes[1]);
  k.row = {place.rest, head, row};
  Value most = findMaximum();
  Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, most, k.lowest());
  k.largest = kb.select(isNone, kb.real(k.real, 0), most);
  int64_t step = MergeKernel::laneColumns * ThreadBlock::warpSize;
  kb.loop(kb.integer(0), kb.integer(k.columns), step, [&](Value first) { buildColumns(first, most); });
}

/// Computes one row by each warp. Task n computes the rows [n * warps, (n + 1) * warps). The launch has a task for each
/// row, so most tasks have nothing to compute.
static void buildRowsOfWarps(MergeKernel &k) {
  KernelBuilder &kb = k.kb;
  k.block.forTiles([&](Value task) {
    Value row = kb.add(kb.mul(task, MergeKernel::warps), k.block.warp);
    kb.ifThen(kb.compare(slt, row, k.block.tiles()), [&] {
      buildRow(
          k, row, [&] { return maximumOfWarp(k, k.block.lane, ThreadBlock::warpSize); },
          [&](Value first, Value most) { buildWarpColumns(k, first, most); });
    });
  });
}

LogicalResult xf::gpu::expandMergeSlices(xft::MergeSlicesOp op, KernelBuilder &kb) {
  MergeKernel k(op, kb);
  auto byWarps = [&] {
    buildRowsOfWarps(k);
    return SmallVector<Value>();
  };
  auto byBlocks = [&] {
    k.block.forTiles([&](Value task) {
      buildRow(k, task, [&] { return findMaximum(k); }, [&](Value first, Value most) { buildColumns(k, first, most); });
    });
    return SmallVector<Value>();
  };
  kb.ifElse(kb.compare(slt, kb.integer(MergeKernel::fewSlices), k.slices), {}, byBlocks, byWarps);
  k.block.finish();
  op.erase();
  return success();
}
