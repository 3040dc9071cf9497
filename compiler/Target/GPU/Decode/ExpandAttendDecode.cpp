//===- ExpandAttendDecode.cpp - Few rows become code of warps -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of `xft.attend_decode` is all rows of a head and one slice of its keys. So keys and values are read from
// memory once, by as many thread blocks as there are slices. The task differs from a task of `xft.attend`
// (AttendWarps.h) in how warps share the work: several warps have the same rows, and each of them computes other keys
// of a key block (DecodeWarps).
//
//   for each key block of the slice that some row sees
//     copy K, V of a later block to shared memory, by all threads
//     each warp: S, P, m, l and o of its rows and its keys
//   add the sums of warps that share rows, in the order of their keys
//   m, l, o to memory for xft.merge_slices or, without slices, o / l and m + log l
//
// Results have the same bits for any number of thread blocks: the keys of a slice do not depend on the launch, and
// warps and slices are added in their order. A slice that no row sees reads neither q nor keys, and stores only m =
// -inf and l = 0. So a cache costs as much as the keys that it holds, not as its capacity.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/AttendWarps.h"
#include "compiler/Target/GPU/Attend/TileOrder.h"
#include "compiler/Target/GPU/ExpandKernels.h"
#include "compiler/Target/GPU/Tiling/DecodeTiles.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
/// How the keys of a key block are split into groups. The warps of one group compute the same keys.
struct KeyGroups {
  DecodeWarps warps;
  Value number;   ///< index of the group of keys that the warp computes
  Value exchange; ///< shared memory by which groups pass their sums
};

struct DecodeKernel : AttendWarpKernel {
  DecodeKernel(xft::AttendDecodeOp decode, xft::AttendOp op, KernelBuilder &kb, DecodeWarps warps);

  xft::AttendDecodeOp decode;
  KeyGroups groups;

  /// Allocates shared memory. The sums that groups of keys pass to each other lie in the memory of the stages, if they
  /// fit there.
  void share();
  /// Selects the heads and the slice of task `task`.
  void locate(Value task);
  int64_t sumCount() const { return 4 + valueColumns() / WarpProduct::atomColumns * 4; }
};
} // namespace

/// Builds an xft.attend with the pairs and results of `op`, because DecodeKernel reads its operands from such an op. If
/// `op` saves the states of slices, leaves out the memory of these states.
static xft::AttendOp asAttend(xft::AttendDecodeOp op, KernelBuilder &kb, DecodeWarps warps) {
  MLIRContext *context = op.getContext();
  xft::DecodeTileAttr tile = op.getTile();
  auto blocks = xft::AttendTileAttr::get(context, WarpProduct::tileRows, /*registers=*/2, tile.getLanes(),
                                         warps.rowTiles * WarpProduct::tileRows, tile.getKeys());
  auto index = [&](Value x) { return arith::IndexCastOp::create(kb.b, kb.loc, kb.b.getIndexType(), x); };
  SmallVector<ValueRange> state(4), clauses;
  for (auto [to, from] : llvm::zip_equal(state, op.getState()))
    to = op.getSave() ? ValueRange() : ValueRange(from);
  for (OperandRange clause : op.getClauses())
    clauses.push_back(clause);
  return xft::AttendOp::create(kb.b, kb.loc, op.getQ(), op.getO(), index(kb.integer(1)),
                               index(View::of(kb, op.getK()).sizes[2]), op.getK(), op.getV(), state, clauses,
                               /*flags=*/Value(), op.getOrder(), op.getWeights(),
                               xft::WarpTilesAttr::get(context, blocks, /*recheck=*/false), /*resume=*/false,
                               /*save=*/false);
}

DecodeKernel::DecodeKernel(xft::AttendDecodeOp decode, xft::AttendOp op, KernelBuilder &kb, DecodeWarps warps)
    : AttendWarpKernel(op, kb, warps.threads()), decode(decode), groups{warps, Value(), Value()} {
  groups.number = kb.floorDiv(block.warp, warps.rowTiles);
  rows.ofWarp = kb.mul(kb.floorMod(block.warp, warps.rowTiles), WarpProduct::tileRows);
  keys.count = tile.getKeys() / warps.keyGroups;
  keys.first = kb.mul(groups.number, keys.count);
}

void DecodeKernel::share() {
  const DecodeWarps &warps = groups.warps;
  auto memory =
      DecodeMemory::of(warps.rowTiles * WarpProduct::tileRows, tile.getKeys(), product.element, depth(), valueDepth());
  shareMatrices(memory.stages(machineOf(kb), decode.getTile().getSlice() / tile.getKeys()));
  int64_t bytes =
      (warps.keyGroups - 1) * warps.rowTiles * ThreadBlock::warpSize * sumCount() * real.getIntOrFloatBitWidth() / 8;
  bool fits = bytes <= buffers.stages.count() * memory.stageBytes;
  groups.exchange = fits ? buffers.stages.at(kb.integer(0), 0) : block.shared(bytes);
}

void DecodeKernel::locate(Value task) {
  int64_t first = op.getFirstHead(), step = op.getHeadStep(), length = decode.getTile().getSlice();
  Value members = divideShort(kb, kb.add(q.sizes[1], step - 1 - first), kb.integer(step));
  Coordinates place{kb, task};
  slice.number = decode.getSave() ? place.next(View::of(kb, decode.getSums()[0]).sizes[0]) : kb.integer(0);
  h = kb.add(kb.mul(place.next(members), step), first);
  b = place.rest;
  r = kb.integer(0);
  locateKeys();
  findRows(op.getQueries(), kb.integer(0));
  if (!decode.getSave())
    return;
  slice.begin = kb.mul(slice.number, length);
  slice.end = kb.add(slice.begin, length);
}

/// Returns whether some row of the task sees a key of the slice (i1, the same in all threads).
static Value seesSlice(DecodeKernel &k) {
  KernelBuilder &kb = k.kb;
  Value sees = kb.constant(kb.b.getBoolAttr(!k.slice.begin));
  if (k.slice.begin)
    for (auto piece : k.op.getPieces().getAsRange<PieceAttr>()) {
      SeenRange seen = buildSeenRange(k, piece);
      Value some = kb.compare(slt, kb.max(seen.begin, k.slice.begin), kb.min(seen.end, k.slice.end));
      sees = arith::OrIOp::create(kb.b, kb.loc, sees, some);
    }
  return sees;
}

//===----------------------------------------------------------------------===//
// Sums of warps
//===----------------------------------------------------------------------===//

/// Merges the states `x` and `y` of the same rows over two sets of keys. Returns the states over both sets.
static RowStates addStates(DecodeKernel &k, const RowStates &x, const RowStates &y) {
  KernelBuilder &kb = k.kb;
  RowStates both = x;
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity()), zero = kb.real(k.real, 0);
  for (int64_t half : {0, 1}) {
    Value most = k.larger(x.largest[half], y.largest[half]);
    Value isNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, most, lowest);
    Value reference = kb.select(isNone, zero, most);
    auto weight = [&](Value largest) { return k.exp2(k.toLog2(kb.subf(largest, reference))); };
    Value ofX = weight(x.largest[half]), ofY = weight(y.largest[half]);
    auto add = [&](Value a, Value b) { return kb.fma(ofY, b, kb.mulf(ofX, a)); };
    both.largest[half] = most;
    both.sum[half] = add(x.sum[half], y.sum[half]);
    for (size_t n = 0; n < both.output.size(); ++n)
      if (WarpProduct::halfOf(n) == half)
        both.output[n] = add(x.output[n], y.output[n]);
  }
  return both;
}

/// Returns a pointer into the shared memory by which groups pass their sums. Group `group` (1 or more) passes value
/// `number` of this lane to group 0 there.
static Value passedAt(DecodeKernel &k, Value group, int64_t number) {
  KernelBuilder &kb = k.kb;
  Value tile = kb.floorMod(k.block.warp, k.groups.warps.rowTiles);
  Value warp = kb.add(kb.mul(kb.add(group, -1), k.groups.warps.rowTiles), tile);
  Value first = kb.add(kb.mul(warp, k.sumCount() * ThreadBlock::warpSize), k.block.lane);
  return kb.at(k.real, k.groups.exchange, kb.add(first, number * ThreadBlock::warpSize));
}

/// Passes the states of groups 1 and higher to group 0 through shared memory. Contains barriers of the thread block.
static void passStates(DecodeKernel &k, const RowStates &states) {
  KernelBuilder &kb = k.kb;
  k.block.synchronize(); // the last keys and values have been read
  kb.ifThen(kb.compare(slt, kb.integer(0), k.groups.number), [&] {
    for (auto [n, value] : llvm::enumerate(states.flat()))
      kb.store(value, passedAt(k, k.groups.number, n));
  });
  k.block.synchronize();
}

/// Returns the states over the keys of all groups, merged in the order of the groups. Only group 0 calls it.
static RowStates addGroups(DecodeKernel &k, const RowStates &states) {
  KernelBuilder &kb = k.kb;
  auto add = [&](Value group, ValueRange sums) {
    SmallVector<Value> passed;
    for (int64_t n = 0; n < k.sumCount(); ++n)
      passed.push_back(kb.load(k.real, passedAt(k, group, n)));
    return addStates(k, RowStates::of(sums), RowStates::of(passed)).flat();
  };
  return RowStates::of(kb.loop(kb.integer(1), kb.integer(k.groups.warps.keyGroups), 1, states.flat(), add));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Stores m and l of the slice's rows for xft.merge_slices. Also stores the unnormalised o of rows that have seen a
/// key.
static void saveSlice(DecodeKernel &k, const RowStates &states) {
  KernelBuilder &kb = k.kb;
  View m = View::of(kb, k.decode.getSums()[0]), l = View::of(kb, k.decode.getSums()[1]);
  View o = View::of(kb, k.decode.getAccumulator());
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, k.product.column(), kb.integer(0)), zero = kb.real(k.real, 0);
  for (int64_t half : {0, 1}) {
    Value index[] = {k.slice.number, k.b, k.h, k.rows.lane[half]};
    Value sum = k.product.combineRow(states.sum[half], [&](Value x, Value y) { return kb.addf(x, y); });
    kb.ifThen(k.rows.exists[half], [&] {
      kb.ifThen(isFirst, [&] {
        kb.store(states.largest[half], m.at(kb, index));
        kb.store(sum, l.at(kb, index));
      });
      Value hasSeen = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, sum, zero);
      kb.ifThen(hasSeen, [&] {
        Value row = o.at(kb, index);
        for (size_t n = 2 * half; n < states.output.size(); n += 4)
          for (size_t e : {0, 1}) {
            Value column = kb.add(k.product.column(), WarpProduct::columnOf(n + e));
            kb.ifThen(kb.compare(slt, column, kb.integer(k.valueDepth())),
                      [&] { kb.store(states.output[n + e], kb.at(k.real, row, column)); });
          }
      });
    });
  }
}

static void buildTask(DecodeKernel &k) {
  KernelBuilder &kb = k.kb;
  k.block.awaitCopies();
  k.block.synchronize(); // the previous task has read its matrices
  k.copyQueries(k.q, k.buffers.query, k.depth(), /*isOnce=*/true);
  RowStates states = buildAttempts(k);
  if (k.groups.warps.keyGroups > 1)
    passStates(k, states);
  kb.ifThen(kb.compare(arith::CmpIPredicate::eq, k.groups.number, kb.integer(0)), [&] {
    RowStates all = k.groups.warps.keyGroups > 1 ? addGroups(k, states) : states;
    k.decode.getSave() ? saveSlice(k, all) : buildFinish(k, all);
  });
}

/// Stores m = -inf and l = 0 for all rows of a slice that no row sees.
static void saveNothing(DecodeKernel &k) {
  KernelBuilder &kb = k.kb;
  View m = View::of(kb, k.decode.getSums()[0]), l = View::of(kb, k.decode.getSums()[1]);
  kb.loop(k.block.thread, k.nq, k.block.threads, [&](Value row) {
    Value index[] = {k.slice.number, k.b, k.h, row};
    kb.store(kb.real(k.real, -std::numeric_limits<double>::infinity()), m.at(kb, index));
    kb.store(kb.real(k.real, 0), l.at(kb, index));
  });
}

LogicalResult xf::gpu::expandAttendDecode(xft::AttendDecodeOp op, KernelBuilder &kb) {
  if (op.getTile().getOperand() || op.getTile().getKeys() % WarpProduct::unit != 0)
    return op->emitError("expected a tile without operand and with blocks of 16 n keys on GPUs, got ") << op.getTile();
  int64_t rows = cast<MemRefType>(op.getQ().getType()).getDimSize(2);
  DecodeWarps warps = DecodeWarps::of(rows, op.getTile().getKeys());
  xft::AttendOp attend = asAttend(op, kb, warps);
  DecodeKernel k(op, attend, kb, warps);
  k.share();
  k.block.forTiles([&](Value task) {
    k.locate(task);
    k.findLaneRows();
    auto compute = [&] {
      buildTask(k);
      return SmallVector<Value>();
    };
    auto leave = [&] {
      if (op.getSave())
        saveNothing(k);
      return SmallVector<Value>();
    };
    kb.ifElse(seesSlice(k), {}, compute, leave);
  });
  k.block.finish();
  attend.erase();
  op.erase();
  return success();
}
