//===- ExpandAttendVjp.cpp - Loops of attention gradient kernels ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of an `xft.attend_vjp` kernel: tasks, residues, heads, blocks of keys and blocks of rows. AttendVjpKernel.h
// lists the parts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"
#include "dialects/xft/IR/XftKeySlices.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

AttendVjpChoices::AttendVjpChoices(const SharedOps &shared, KernelBuilder &kb)
    : shared(shared), queries(shared.indexMap(kb, [&](size_t member) { return pieceOf(member).getQueries(); })),
      keys(shared.indexMap(kb, [&](size_t member) { return pieceOf(member).getKeys(); })),
      firstHead(shared.integer(kb, [&](size_t member) { return shared.firstHeadOf(member); })) {
  auto assigning = [&](size_t member) { return shared.get<UnitAttr>(member, "assigns") != nullptr; };
  auto members = llvm::seq<size_t>(0, shared.size());
  mayAssign = llvm::any_of(members, assigning);
  if (mayAssign && !llvm::all_of(members, assigning))
    assigns = kb.compare(arith::CmpIPredicate::ne, shared.integer(kb, assigning), kb.integer(0));
}

AttendVjpMatrices::AttendVjpMatrices(xft::AttendVjpOp op, KernelBuilder &kb)
    : k(View::of(kb, op.getK())), v(View::of(kb, op.getV())), dOut(View::of(kb, op.getDO())),
      lse(View::of(kb, op.getLse())), delta(View::of(kb, op.getDelta())), dK(View::of(kb, op.getDK())),
      dV(View::of(kb, op.getDV())) {
  for (Value gradient : op.getDQ())
    dQ.push_back(View::of(kb, gradient));
}

AttendVjpKernel::AttendVjpKernel(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb)
    : AttendBlock(kb, op), op(op), choices(shared, kb), matrices(op, kb), buffers{Scratch::ofKernel(kb, op), op} {
  setSchedule(cast<xft::RegisterTilesAttr>(op.getSchedule()), q.element);
  if (buffers.z.asksForKeys) // which each register has a copy of
    endRegisters = 1;
  nk = matrices.k.sizes[2];
  setPart(op.getPart());
  rows.indices = buffers.rowOf;
  rowBlock.next.done = buffers.requested;
  keyBlock.next.done = kb.at(kb.i64(), buffers.requested, 1);
  KeyOrder order = keyOrder(choices.keys.map);
  keyBlock.hasIndices = choices.keys.width || (buffers.z.asksForKeys && order != KeyOrder::Consecutive);
  bool isOnStack = keyBlock.hasIndices && !buffers.z.asksForKeys;
  keyBlock.indices = isOnStack ? kb.stack(kb.i64(), tile.getKeys()) : Value(buffers.keyOf);
  readPairs(order);
}

void AttendVjpKernel::readPairs(KeyOrder order) {
  Value sizes[] = {q.sizes[0], q.sizes[1], queryCount(), nk};
  if (op.getTiles())
    pairs.predicate = TilePredicate(kb, *op.getTiles(), op.getData(), sizes);
  if (op.getDropout())
    pairs.dropout = DropoutMask(kb, op.getSeed(), *op.getDropout(), order);
  if (op.getScore().empty())
    return;
  pairs.score = BlockScores(kb, op.getScore(), op.getCaptures(), order, sizes);
  pairs.derivative = BlockScores(kb, op.getDerivative(), op.getCaptures(), order, sizes);
  for (Value gradient : op.getDCaptures())
    pairs.dCaptures.emplace_back(kb, gradient);
}

/// Computes what the block of keys and one block of query rows contribute to the gradients. The block of query rows
/// begins at row number `first` and has no rows from number `end` on. Adds to d_q of the rows before number `written`.
/// Assigns d_q of the other rows, because no block of keys of the slice has contributed to them yet. If `written` is
/// null, adds to d_q of all rows.
static void buildMeeting(AttendVjpKernel &k, Value first, Value end, Value written) {
  KernelBuilder &kb = k.kb;
  buildNextRows(k, first, end);
  buildRowsOf(k, k.choices.queries.at(kb, k.r), first, end, [&] {
    k.choices.shared.choose(kb, {}, [&](size_t member) {
      buildRowBounds(k, k.choices.pieceOf(member), k.buffers.rowBounds, /*paddingSees=*/false);
      return SmallVector<Value>();
    });
    auto [seenBegin, seenEnd] = buildGroupBounds(k, k.buffers.rowBounds, k.buffers.groupBounds);
    Value added = written ? kb.clamp(kb.sub(written, first), kb.integer(0), k.rows.count) : k.rows.count;
    auto column = [&](Value rank) { return kb.clamp(kb.sub(rank, k.keyBlock.first), kb.integer(0), k.keyBlock.count); };
    k.rowBlock.seen = {column(seenBegin), column(seenEnd)};
    if (k.pairs.predicate) {
      auto columns = buildSeenColumns(k, k.pairs.predicate, k.keyBlock.first);
      k.rowBlock.seen = {kb.max(k.rowBlock.seen.first, columns.first), kb.min(k.rowBlock.seen.second, columns.second)};
    }
    auto multiply = [&]() -> SmallVector<Value> {
      loadRows(k);
      buildProbabilities(k);
      buildKeyGradients(k);
      buildQueryGradients(k);
      storeRows(k, added);
      return {};
    };
    auto pass = [&]() -> SmallVector<Value> {
      if (written)
        clearRows(k, added);
      return {};
    };
    kb.ifElse(kb.compare(slt, k.rowBlock.seen.first, k.rowBlock.seen.second), {}, multiply, pass);
  });
}

/// Assigns zeros to d_q of the query rows from number `first` on, up to `end`.
static void clearGap(AttendVjpKernel &k, Value first, Value end) {
  KernelBuilder &kb = k.kb;
  kb.loop(first, end, k.tile.getQueries(), [&](Value row) {
    buildRowsOf(k, k.choices.queries.at(kb, k.r), row, end, [&] { clearRows(k, kb.integer(0)); });
  });
}

/// Builds `body` under the run-time condition that the op that calls the code assigns gradients. Builds `body` without
/// a condition if all ops that share the code assign. Must not be called if none does.
static void whereAssigned(AttendVjpKernel &k, function_ref<void()> body) {
  k.choices.assigns ? k.kb.ifThen(k.choices.assigns, body) : body();
}

/// Computes what the block of keys `k.keyBlock` contributes to the gradients of head h. `keysEnd` is the number of key
/// ranks of the residue. `written` is empty if no op that shares the code assigns gradients. Otherwise it has one
/// number: d_q of all query rows before this row number has been written. Returns the new `written`.
static SmallVector<Value> buildKeyBlock(AttendVjpKernel &k, Value keysEnd, ValueRange written) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> range =
      k.choices.shared.choose(kb, {kb.i64(), kb.i64()}, [&](size_t member) -> SmallVector<Value> {
        auto [begin, end] =
            buildQueryRange(k, k.choices.pieceOf(member), k.keyBlock.first, kb.add(k.keyBlock.first, k.keyBlock.count));
        return {begin, end};
      });
  Value begin = k.task.haloBegin ? kb.max(range[0], k.task.rowsBegin) : range[0];
  Value end = k.task.haloBegin ? kb.min(range[1], k.task.rowsEnd) : range[1], isSeen = kb.compare(slt, begin, end);
  auto seen = [&]() -> SmallVector<Value> {
    if (k.keyBlock.hasIndices)
      buildKeys(kb, KeyMap::of(kb, *k.keyBlock.map), k.keyBlock.first, k.tile.getKeys(), k.keyBlock.indices);
    loadKeys(k);
    buildNextKeys(k, keysEnd);
    if (!written.empty())
      clearGap(k, written[0], begin);
    kb.loop(begin, end, k.tile.getQueries(), [&](Value first) {
      k.rowBlock.before = kb.sub(first, begin);
      buildMeeting(k, first, end, written.empty() ? Value() : written[0]);
    });
    if (written.empty()) {
      storeKeys(k);
      return {};
    }
    return {kb.max(written[0], end)};
  };
  auto unseen = [&]() -> SmallVector<Value> {
    if (!written.empty())
      whereAssigned(k, [&] { clearKeyGradients(k); });
    return SmallVector<Value>(written);
  };
  SmallVector<Value> next = kb.ifElse(isSeen, written.getTypes(), seen, unseen);
  if (k.choices.assigns)
    kb.ifThen(arith::OrIOp::create(kb.b, kb.loc, isSeen, k.choices.assigns), [&] { storeKeys(k); });
  else if (!written.empty())
    storeKeys(k);
  return next;
}

/// Sets the query rows whose d_q the task's slice owns (k.task). Returns an interval [begin, end) of key ranks. The
/// blocks of keys of the slice begin at the ranks begin, begin + step, .. below end (see buildHead).
static std::pair<Value, Value> buildSlice(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  Value keys = k.keyBlock.map->rank(kb, k.nk), rows = buildRowCount(k, k.choices.queries.at(kb, k.r));
  k.task.rowsBegin = kb.integer(0), k.task.rowsEnd = rows, k.task.haloBegin = Value();
  std::optional<xft::KeySlices> slices = xft::KeySlices::of(k.op);
  if (!slices)
    return {kb.mul(k.task.slice, k.tile.getKeys()), keys};
  Value begin = kb.mul(k.task.slice, slices->keys), halo = kb.add(begin, slices->haloBegin);
  Value isFirst = kb.compare(slt, k.task.slice, kb.integer(1));
  Value isLast = kb.compare(slt, kb.integer(slices->count - 2), k.task.slice);
  k.task.rowsBegin = kb.select(isFirst, k.task.rowsBegin, kb.sub(halo, kb.integer(slices->keys)));
  k.task.rowsEnd = kb.select(isLast, rows, kb.add(halo, slices->halo));
  k.task.haloBegin = kb.select(isLast, rows, halo);
  return {begin, kb.select(isLast, keys, kb.add(begin, slices->keys))};
}

/// Computes the gradients of head h from the blocks of keys of residue r in the task's slice. If the op that calls the
/// kernel assigns gradients instead of adding to them, stores zeros to d_q of the query rows that see none of these
/// keys.
static void buildHead(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  auto [begin, end] = buildSlice(k);
  int64_t step = k.task.haloBegin ? k.tile.getKeys() : k.tile.getKeys() * k.matrices.dQ.size();
  SmallVector<Value> written;
  Value nowhere = kb.integer(std::numeric_limits<int64_t>::max());
  if (k.choices.mayAssign) // else every block is added
    written.push_back(k.choices.assigns ? kb.select(k.choices.assigns, k.task.rowsBegin, nowhere) : k.task.rowsBegin);
  written = kb.loop(begin, end, step, written, [&, end = end](Value firstKey, ValueRange written) {
    k.keyBlock.first = firstKey;
    k.keyBlock.count = kb.min(kb.sub(end, firstKey), kb.integer(k.tile.getKeys()));
    int64_t unit = std::lcm(k.width(), k.tile.getRows());
    k.keyBlock.padded = kb.mul(kb.ceilDiv(k.keyBlock.count, unit), unit);
    return buildKeyBlock(k, end, written);
  });
  if (!written.empty())
    clearGap(k, written[0], k.task.rowsEnd);
}

/// Builds the loop over those heads of the task's group that this kernel covers: every headStep-th head from firstHead
/// on, below lastHead. The residue is k.r.
static void buildResidue(AttendVjpKernel &k, Value firstHead, Value lastHead) {
  KernelBuilder &kb = k.kb;
  k.keyBlock.map = k.choices.keys.at(kb, k.r);
  kb.loop(firstHead, lastHead, k.op.getHeadStep(), [&](Value head) {
    k.h = head;
    if (k.pairs.predicate)
      k.pairs.predicate.startTask(k);
    buildHead(k);
  });
}

/// Builds task `tile` of a grid (b, group of heads, r, slice) in which the slice varies fastest. The task loops over
/// all residues if the grid does not divide them.
static void buildTask(AttendVjpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), k.op.getGroups());
  auto next = [&](Value count) {
    Value coordinate = kb.rem(tile, count);
    tile = kb.div(tile, count);
    return coordinate;
  };
  int64_t gridResidues = k.op.getGridResidues(), residues = k.op.getPiece().getResidues();
  k.task.slice = next(kb.integer(xft::sliceCount(k.op)));
  Value r = next(kb.integer(gridResidues));
  k.task.group = next(groups);
  k.b = tile;
  Value heads = kb.div(k.q.sizes[1], groups), first = kb.mul(k.task.group, heads), last = kb.add(first, heads);
  // The first head of the group that has this solution.
  Value skipped = kb.floorMod(kb.sub(k.choices.firstHead, first), k.op.getHeadStep());
  auto residue = [&](Value r) {
    k.r = r;
    buildResidue(k, kb.add(first, skipped), last);
  };
  if (gridResidues == residues)
    residue(r);
  else
    kb.loop(kb.integer(0), kb.integer(residues), 1, residue);
}

LogicalResult cpu::expandAttendVjp(xft::AttendVjpOp op, const SharedOps &shared, KernelBuilder &kb) {
  AttendVjpKernel k(op, shared, kb);
  if (failed(k.requireProducts(op, op.getSchedule())))
    return failure();
  kb.loop(k.kernel().getArgument(0), k.kernel().getArgument(1), 1, [&](Value tile) { buildTask(k, tile); });
  op.erase();
  return success();
}
