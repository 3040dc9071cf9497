//===- ExpandAttendVjp.cpp - Gradients of attention become code of warps --===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tasks of one side of `xft.attend_vjp` around what AttendVjpKernel.h describes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/QueryRange.h"
#include "compiler/Target/NVGPU/AttendSuspects.h"
#include "compiler/Target/NVGPU/AttendVjpKernel.h"
#include "compiler/Target/NVGPU/ExpandAttendVjpByGroups.h"
#include "compiler/Target/NVGPU/ExpandKernels.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

static int64_t threadsOf(xft::AttendVjpOp op) {
  bool hasKeys = op.getSide() == xft::VjpSide::keys;
  int64_t rows = hasKeys ? op.getTile().getKeys() : op.getTile().getQueries();
  return rows / WarpProduct::tileRows * ThreadBlock::warpSize;
}

AttendVjpKernel::AttendVjpKernel(xft::AttendVjpOp op, KernelBuilder &kb, int64_t threads)
    : AttendRows(op->getParentOfType<func::FuncOp>(), kb, op.getQ(), op.getTile(), threads), op(op),
      piece(op.getPiece()), hasKeys(op.getSide() == xft::VjpSide::keys), isLinear(op.getLinear()),
      k(View::of(kb, op.getK())), v(View::of(kb, op.getV())), dOut(View::of(kb, op.getDO())),
      lse(View::of(kb, op.getLse())), delta(View::of(kb, op.getDelta())), dQ(View::of(kb, op.getDQ()[0])),
      dK(View::of(kb, op.getDK())), dV(View::of(kb, op.getDV())) {
  nk = k.sizes[2];
  lengths = op.getLengths();
  queryLengths = op.getQueryLengths();
  symbols = op.getSymbols();
  depth = cast<MemRefType>(op.getQ().getType()).getDimSize(3);
  valueDepth = cast<MemRefType>(op.getV().getType()).getDimSize(3);
  columns = llvm::alignTo(depth, WarpProduct::unit);
  valueColumns = llvm::alignTo(valueDepth, WarpProduct::unit);
  Value sizes[] = {q.sizes[0], q.sizes[1], nq, nk};
  if (op.getTiles())
    predicate = TilePredicate(kb, *op.getTiles(), op.getData(), sizes);
  if (!op.getDerivative().empty()) {
    derivative = ScoreRegion(kb, op.getDerivative(), op.getCaptures(), sizes);
    for (Value gradient : op.getDCaptures())
      dCaptures.push_back(View::of(kb, gradient));
  }
  if (op.getDropout())
    dropout = AttendDropout(kb, op.getSeed(), op.getDropout()->convertToDouble());
}

void AttendVjpKernel::shareMatrices() {
  query = share(blockRows, columns);
  cotangent = share(blockRows, valueColumns);
  key = share(blockKeys, columns);
  value = share(blockKeys, valueColumns);
  int64_t warps = block.threads / ThreadBlock::warpSize, realBytes = real.getIntOrFloatBitWidth() / 8;
  scores = shareTiles(warps, passing());
  if (hasKeys) {
    for (Value *numbers : {&lowers, &uppers, &rows})
      *numbers = block.shared(blockRows * 8);
    for (Value *numbers : {&shifts, &rests, &deltas})
      *numbers = block.shared(blockRows * realBytes);
  }
  if (derivative)
    factors = shareTiles(warps, passing());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// sums += tile b. Careful sums leave out terms of which `isHidden` says so.
static SmallVector<Value> addProduct(AttendVjpKernel &k, ArrayRef<Value> sums, ArrayRef<Value> tile,
                                     const SharedMatrix &b, Value isCareful, function_ref<Value(Value)> isHidden) {
  SmallVector<Type> types(sums.size(), k.real);
  return k.kb.ifElse(
      isCareful, types, [&] { return addCarefully(k, sums, tile, b, k.passing(), isHidden); },
      [&] { return addTile(k, sums, tile, b, k.passing()); });
}

/// Writes the lane's sums of a row of a gradient, times `factor`; adds them unless `assigns` (i1).
static void storeRow(AttendVjpKernel &k, const View &view, Value pointer, ArrayRef<Value> sums, int64_t half,
                     int64_t depth, double factor, Value assigns) {
  KernelBuilder &kb = k.kb;
  for (size_t n = 0; n < sums.size(); ++n) {
    if (static_cast<int64_t>(n) % 4 / 2 != half)
      continue;
    Value column = kb.add(k.product.column(), n / 4 * WarpProduct::atomColumns + n % 2);
    kb.ifThen(kb.compare(slt, column, kb.integer(depth)), [&] {
      Value address = kb.at(view.element, pointer, column), sum = kb.mulf(sums[n], kb.real(k.real, factor));
      auto before = [&]() -> SmallVector<Value> { return {kb.load(k.real, address)}; };
      auto zero = [&]() -> SmallVector<Value> { return {kb.real(k.real, 0)}; };
      kb.store(kb.addf(kb.ifElse(assigns, k.real, zero, before)[0], sum), address);
    });
  }
}

/// body(sums, isCareful) from zeros; again and carefully where the sums are not finite. At once carefully where another
/// kernel has found that they are not.
static SmallVector<Value> attempt(AttendVjpKernel &k, size_t size,
                                  function_ref<SmallVector<Value>(ArrayRef<Value> zeros, Value isCareful)> body) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> state(size, kb.real(k.real, 0));
  if (k.op.getSuspects())
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

//===----------------------------------------------------------------------===//
// The side of rows
//===----------------------------------------------------------------------===//

/// Loads lse and delta of the lane's rows; a row that saw no key sees none here.
static void loadRowNumbers(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  for (int64_t half : {0, 1}) {
    std::tie(k.rowShift[half], k.rowRest[half]) = loadShift(k, k.row[half]);
    k.rowDelta[half] = kb.load(k.real, atRow(k, k.delta, k.row[half]));
    Value sawNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, k.rowShift[half], lowest);
    k.seen->upper[half] = kb.select(sawNone, k.seen->lower[half], k.seen->upper[half]);
  }
}

static SmallVector<Value> addKeyBlocks(AttendVjpKernel &k, ArrayRef<Value> zeros, Value isCareful) {
  KernelBuilder &kb = k.kb;
  const SeenKeys &seen = *k.seen;
  SmallVector<Type> types(zeros.size(), k.real);
  Value first = kb.mul(kb.div(seen.begin, kb.integer(k.blockKeys)), k.blockKeys);
  return kb.loop(first, seen.end, k.blockKeys, zeros, [&](Value keyBlock, ValueRange carried) {
    k.firstKey = keyBlock;
    Value sees = warpSees(k, seen, keyBlock), someSees = k.block.any(sees);
    auto skip = [&] { return SmallVector<Value>(carried); };
    auto work = [&] {
      auto keyAt = [&](Value rank) { return k.keys.at(kb, rank); };
      k.copyKeys(k.k, k.keyHead, keyAt, keyBlock, seen.begin, seen.end, k.blockKeys, k.key, k.depth);
      k.copyKeys(k.v, k.valueHead, keyAt, keyBlock, seen.begin, seen.end, k.blockKeys, k.value, k.valueDepth);
      k.block.synchronize();
      auto add = [&]() -> SmallVector<Value> {
        if (!k.dCaptures.empty()) {
          addCaptures(k, buildPairs(k));
          return {};
        }
        auto isZero = [&](Value x) -> Value {
          return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, x, kb.real(k.real, 0));
        };
        return addProduct(k, SmallVector<Value>(carried), buildPairs(k).gradients, k.key, isCareful, isZero);
      };
      return kb.ifElse(sees, types, add, skip);
    };
    return kb.ifElse(someSees, types, work, skip);
  });
}

/// What a block of rows needs of its rows, in registers and shared memory.
static void startRows(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  k.findLaneRows();
  if (k.predicate)
    k.predicate.startTask(k);
  k.keys = ResidueMap::of(kb, k.piece.getKeys(), k.r);
  k.seen = buildSeen(k, k.piece);
  loadRowNumbers(k);
  k.block.synchronize(); // the task before has been read
  k.copyQueries(k.q, k.query, k.depth);
  k.copyQueries(k.dOut, k.cotangent, k.valueDepth);
}

static void buildRowsTask(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  startRows(k);
  size_t size = k.columns / WarpProduct::atomColumns * 4;
  SmallVector<Value> sums =
      attempt(k, size, [&](ArrayRef<Value> zeros, Value isCareful) { return addKeyBlocks(k, zeros, isCareful); });
  double scale = k.op.getScale().convertToDouble();
  Value assigns = kb.constant(kb.b.getBoolAttr(k.op.getAssigns()));
  for (int64_t half : {0, 1})
    kb.ifThen(k.rowExists[half],
              [&] { storeRow(k, k.dQ, atRow(k, k.dQ, k.row[half]), sums, half, k.depth, scale, assigns); });
}

//===----------------------------------------------------------------------===//
// The side of keys
//===----------------------------------------------------------------------===//

/// Row `thread` of the block: whether it sees a key of the task's; with `stores`, leaves its numbers in shared memory.
static Value findRow(AttendVjpKernel &k, PieceBounds &bounds, bool stores) {
  KernelBuilder &kb = k.kb;
  Value n = kb.min(k.block.thread, kb.integer(k.blockRows - 1)), row = k.rowOf(n);
  auto [lower, upper] = bounds.interval(k.keys, row);
  auto [shift, rest] = loadShift(k, row);
  Value lowest = kb.real(k.real, -std::numeric_limits<double>::infinity());
  Value sawNone = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, shift, lowest);
  upper = kb.select(sawNone, lower, upper);
  upper = kb.select(kb.compare(slt, n, k.rowCount), upper, lower);
  if (stores)
    kb.ifThen(kb.compare(slt, k.block.thread, kb.integer(k.blockRows)), [&] {
      for (auto [numbers, number] : {std::pair(k.lowers, lower), {k.uppers, upper}, {k.rows, row}})
        kb.store(number, kb.at(kb.i64(), numbers, n));
      Value delta = kb.load(k.real, atRow(k, k.delta, row));
      for (auto [numbers, number] : {std::pair(k.shifts, shift), {k.rests, rest}, {k.deltas, delta}})
        kb.store(number, kb.at(k.real, numbers, n));
    });
  Value meets = both(kb, kb.compare(slt, lower, k.keyEnd), kb.compare(slt, k.firstKey, upper));
  return both(kb, meets, kb.compare(slt, lower, upper));
}

/// Whether a pair of the block of rows and the block of keys may be one of the predicate's.
static Value mayMeet(AttendVjpKernel &k, Value sees) {
  KernelBuilder &kb = k.kb;
  if (!k.predicate)
    return sees;
  Value first = k.positionOf(k.rowOf(kb.integer(0))), last = k.positionOf(k.rowOf(kb.integer(k.blockRows - 1)));
  Value isEmpty = k.predicate.decide(k, {first, last}, {k.firstKey, kb.add(k.keyEnd, -1)}).isEmpty;
  return kb.select(isEmpty, kb.constant(kb.b.getBoolAttr(false)), sees);
}

std::pair<Value, Value> AttendVjpKernel::passingBlocks() {
  auto join = [&](Value &lower, Value &upper) {
    for (int64_t mask = ThreadBlock::warpSize / 2; mask > 0; mask /= 2) {
      lower = kb.min(lower, block.exchange(lower, mask));
      upper = kb.max(upper, block.exchange(upper, mask));
    }
  };
  Value first = kb.add(firstKey, block.lane);
  auto [begin, end] = buildQueryRange(*this, piece, first, keyEnd, ThreadBlock::warpSize, join);
  return {kb.floorDiv(begin, blockRows), kb.ceilDiv(end, blockRows)};
}

/// The block of rows `number` passes.
static SmallVector<Value> addRowBlock(AttendVjpKernel &k, PieceBounds &bounds, Value number, ArrayRef<Value> before,
                                      Value isCareful) {
  KernelBuilder &kb = k.kb;
  k.findRows(k.piece.getQueries(), number);
  SmallVector<Type> types(before.size(), k.real);
  auto skip = [&] { return SmallVector<Value>(before); };
  auto work = [&] {
    findRow(k, bounds, /*stores=*/true);
    k.copyQueries(k.q, k.query, k.depth);
    k.copyQueries(k.dOut, k.cotangent, k.valueDepth);
    k.block.synchronize();
    PairTiles pairs = buildPairs(k);
    size_t split = k.columns / WarpProduct::atomColumns * 4;
    auto isZero = [&](Value x) -> Value {
      return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OEQ, x, kb.real(k.real, 0));
    };
    auto isHidden = [&](Value x) { return k.isHidden(x); };
    SmallVector<Value> sums = addProduct(k, before.take_front(split), pairs.gradients, k.query, isCareful, isZero);
    sums.append(addProduct(k, before.drop_front(split), pairs.probabilities, k.cotangent, isCareful, isHidden));
    return sums;
  };
  auto exists = [&] { // by now the block before has been read
    return kb.ifElse(k.block.any(mayMeet(k, findRow(k, bounds, /*stores=*/false))), types, work, skip);
  };
  return kb.ifElse(kb.compare(slt, kb.integer(0), k.rowCount), types, exists, skip);
}

static SmallVector<Value> addRowBlocks(AttendVjpKernel &k, ArrayRef<Value> zeros, Value isCareful) {
  KernelBuilder &kb = k.kb;
  PieceBounds bounds = PieceBounds::of(k, k.piece);
  auto [first, last] = k.passingBlocks();
  return kb.loop(first, last, 1, zeros, [&](Value number, ValueRange carried) {
    return addRowBlock(k, bounds, number, SmallVector<Value>(carried), isCareful);
  });
}

/// Whether the gradients of keys are assigned by head h: by the first that shares them.
static Value isFirstHead(AttendVjpKernel &k, const View &view) {
  KernelBuilder &kb = k.kb;
  if (!k.op.getAssigns())
    return kb.constant(kb.b.getBoolAttr(false));
  Value sharing = kb.div(k.q.sizes[1], view.sizes[1]);
  return kb.compare(arith::CmpIPredicate::eq, kb.rem(k.h, sharing), kb.integer(0));
}

static void buildKeysHead(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  k.keyHead = headOf(k, k.k, k.h);
  k.valueHead = headOf(k, k.v, k.h);
  if (k.predicate)
    k.predicate.startTask(k);
  k.block.synchronize(); // the head before has been read
  auto keyAt = [&](Value rank) { return k.keys.at(kb, rank); };
  k.copyKeys(k.k, k.keyHead, keyAt, k.firstKey, k.firstKey, k.keyEnd, k.blockKeys, k.key, k.depth);
  k.copyKeys(k.v, k.valueHead, keyAt, k.firstKey, k.firstKey, k.keyEnd, k.blockKeys, k.value, k.valueDepth);
  size_t split = k.columns / WarpProduct::atomColumns * 4, rest = k.valueColumns / WarpProduct::atomColumns * 4;
  SmallVector<Value> sums = attempt(
      k, split + rest, [&](ArrayRef<Value> zeros, Value isCareful) { return addRowBlocks(k, zeros, isCareful); });
  double scale = k.op.getScale().convertToDouble();
  Value firstOfKeys = isFirstHead(k, k.dK), firstOfValues = isFirstHead(k, k.dV);
  for (int64_t half : {0, 1}) {
    Value inBlock = kb.add(kb.mul(k.block.warp, WarpProduct::tileRows), k.product.row(half));
    Value rank = kb.add(k.firstKey, inBlock);
    kb.ifThen(kb.compare(slt, rank, k.keyEnd), [&] {
      Value key = k.keys.at(kb, rank);
      storeRow(k, k.dK, k.dK.at(kb, {k.b, headOf(k, k.dK, k.h), key}), ArrayRef(sums).take_front(split), half, k.depth,
               scale, firstOfKeys);
      storeRow(k, k.dV, k.dV.at(kb, {k.b, headOf(k, k.dV, k.h), key}), ArrayRef(sums).drop_front(split), half,
               k.valueDepth, 1, firstOfValues);
    });
  }
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

namespace {
/// Coordinates of a tile, from the fastest one on.
struct Coordinates {
  KernelBuilder &kb;
  Value rest;

  Value next(Value count) {
    Value coordinate = kb.rem(rest, count);
    rest = kb.div(rest, count);
    return coordinate;
  }
};
} // namespace

static Value residueOf(AttendVjpKernel &k, Coordinates &coordinates) {
  KernelBuilder &kb = k.kb;
  if (Value given = k.op.getResidue())
    return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), given);
  return coordinates.next(kb.integer(k.piece.getResidues()));
}

static Value indexOf(KernelBuilder &kb, Value index) {
  return arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), index);
}

void AttendVjpKernel::locateRows(Value tile) {
  Coordinates coordinates{kb, tile};
  Value blocks = indexOf(kb, op.getBlocks()), number = kb.sub(kb.add(blocks, -1), coordinates.next(blocks));
  int64_t first = op.getFirstHead(), step = op.getHeadStep();
  r = residueOf(*this, coordinates);
  Value members = kb.div(kb.add(q.sizes[1], step - 1 - first), kb.integer(step));
  h = kb.add(kb.mul(coordinates.next(members), step), first);
  b = coordinates.rest;
  keyHead = headOf(*this, k, h);
  valueHead = headOf(*this, v, h);
  findRows(piece.getQueries(), number);
}

void AttendVjpKernel::locateKeys(Value tile) {
  Coordinates coordinates{kb, tile};
  firstKey = kb.mul(coordinates.next(indexOf(kb, op.getBlocks())), blockKeys);
  r = residueOf(*this, coordinates);
  group = coordinates.next(indexOf(kb, op.getGroups()));
  b = coordinates.rest;
  keys = ResidueMap::of(kb, piece.getKeys(), r);
  keyEnd = kb.min(keys.rank(kb, nk), kb.add(firstKey, blockKeys));
}

std::pair<Value, Value> AttendVjpKernel::headsOfGroup() {
  Value heads = kb.div(q.sizes[1], indexOf(kb, op.getGroups())), first = kb.mul(group, heads);
  Value skipped = kb.floorMod(kb.sub(kb.integer(op.getFirstHead()), first), op.getHeadStep());
  return {kb.add(first, skipped), kb.add(first, heads)};
}

/// The heads of the group that have this solution, one after the other.
static void forHeads(AttendVjpKernel &k, function_ref<void()> body) {
  auto [first, last] = k.headsOfGroup();
  k.kb.loop(first, last, k.op.getHeadStep(), [&](Value head) {
    k.h = head;
    body();
  });
}

/// The residues and blocks of rows of head h.
static void buildCapturesHead(AttendVjpKernel &k, Value blocks) {
  KernelBuilder &kb = k.kb;
  k.keyHead = headOf(k, k.k, k.h);
  k.valueHead = headOf(k, k.v, k.h);
  kb.loop(kb.integer(0), kb.integer(k.piece.getResidues()), 1, [&](Value residue) {
    k.r = residue;
    kb.loop(kb.integer(0), blocks, 1, [&](Value number) {
      k.findRows(k.piece.getQueries(), number);
      kb.ifThen(kb.compare(slt, kb.integer(0), k.rowCount), [&] {
        startRows(k);
        addKeyBlocks(k, {}, kb.constant(kb.b.getBoolAttr(false)));
      });
    });
  });
}

/// (b, group), all pairs of the group's heads.
static void buildCapturesTile(AttendVjpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  Coordinates coordinates{kb, tile};
  k.group = coordinates.next(indexOf(kb, k.op.getGroups()));
  k.b = coordinates.rest;
  forHeads(k, [&] { buildCapturesHead(k, indexOf(kb, k.op.getBlocks())); });
}

/// A tile that has rows, or keys: others have left no suspects.
static void buildTask(AttendVjpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  auto body = [&] { k.hasKeys ? forHeads(k, [&] { buildKeysHead(k); }) : buildRowsTask(k); };
  if (!k.op.getSuspects())
    return body();
  kb.ifThen(isSuspect(k, k.op.getSuspects(), tile, k.block.warps()), body);
}

static void buildTile(AttendVjpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  if (!k.dCaptures.empty())
    return buildCapturesTile(k, tile);
  if (k.hasKeys) {
    k.locateKeys(tile);
    return kb.ifThen(kb.compare(slt, k.firstKey, k.keyEnd), [&] { buildTask(k, tile); });
  }
  k.locateRows(tile);
  kb.ifThen(kb.compare(slt, kb.integer(0), k.rowCount), [&] { buildTask(k, tile); });
}

LogicalResult nvgpu::expandAttendVjp(xft::AttendVjpOp op, KernelBuilder &kb) {
  if (!op.getSide())
    return op.emitError("expected one side of a gradient for the CUDA target, got both");
  if (!op.getDerivative().empty() && failed(checkLaneRegion(op.getDerivative().front())))
    return failure();
  if (op.getWarpgroups())
    return expandAttendVjpByGroups(op, kb);
  AttendVjpKernel k(op, kb, threadsOf(op));
  k.shareMatrices();
  k.block.forTiles([&](Value tile) { buildTile(k, tile); });
  k.block.finish();
  op.erase();
  return success();
}
