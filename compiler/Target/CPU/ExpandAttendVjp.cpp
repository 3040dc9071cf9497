//===- ExpandAttendVjp.cpp - Gradient kernels of attention become vector code -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops of `xft.attend_vjp` around the parts that AttendVjpKernel.h lists.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AttendVjpKernel.h"
#include "compiler/Target/CPU/ExpandAttend.h"
#include "dialects/xft/IR/XftAttendScratch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

AttendVjpKernel::AttendVjpKernel(xft::AttendVjpOp op, KernelBuilder &kb)
    : AttendBlock(kb, op.getQ()), op(op), kernel(op->getParentOfType<func::FuncOp>()), piece(op.getPiece()),
      k(View::of(kb, op.getK())), v(View::of(kb, op.getV())), dOut(View::of(kb, op.getDO())),
      lse(View::of(kb, op.getLse())), delta(View::of(kb, op.getDelta())), dK(View::of(kb, op.getDK())),
      dV(View::of(kb, op.getDV())) {
  setTile(op.getTile(), q.element);
  lengths = op.getLengths();
  queryLengths = op.getQueryLengths();
  symbols = op.getSymbols();
  depth = cast<MemRefType>(op.getQ().getType()).getDimSize(3);
  valueDepth = cast<MemRefType>(op.getV().getType()).getDimSize(3);
  columns = llvm::alignTo(depth, lanes);
  valueColumns = llvm::alignTo(valueDepth, lanes);
  nq = q.sizes[2];
  nk = k.sizes[2];
  for (Value gradient : op.getDQ())
    dQ.push_back(View::of(kb, gradient));

  xft::AttendVjpScratch layout(op);
  auto part = [&](int64_t offset) { return kb.at(kb.b.getI8Type(), kernel.getArgument(2), offset); };
  rowOf = part(layout.rowOf);
  rowBounds = part(layout.rowBounds);
  groupBounds = part(layout.groupBounds);
  keyRows = part(layout.keyRows);
  query = part(layout.query);
  cotangent = part(layout.cotangent);
  shift = part(layout.shift);
  rest = part(layout.rest);
  negDelta = part(layout.delta);
  p = part(layout.p);
  ds = part(layout.ds);
  dQuery = part(layout.dQuery);
  keyPanels = part(layout.keyPanels);
  valuePanels = part(layout.valuePanels);
  keys = part(layout.keys);
  dKeys = part(layout.dKeys);
  dValues = part(layout.dValues);
  spill = part(layout.spill);
  keyOf = part(layout.keyOf);
  kept = part(layout.kept);
  tileStates = part(layout.tileStates);
  runs = part(layout.runs);
  nextRows.done = part(layout.requested);
  nextKeys.done = part(layout.requested + 8);

  KeyOrder order = keyOrder(piece.getKeys());
  Value sizes[] = {q.sizes[0], q.sizes[1], nq, nk};
  if (op.getTiles())
    predicate = TilePredicate(kb, *op.getTiles(), op.getData(), sizes);
  if (op.getDropout())
    dropout = KeptPairs(kb, op.getSeed(), op.getDropout()->convertToDouble(), order);
  if (op.getScore().empty())
    return;
  score = BlockScores(kb, op.getScore(), op.getCaptures(), order, sizes);
  derivative = BlockScores(kb, op.getDerivative(), op.getCaptures(), order, sizes);
  for (Value gradient : op.getDCaptures())
    dCaptures.emplace_back(kb, gradient);
}

/// The block of keys meets block `block` of rows; with `isFirst`, before others of the slice do.
static void buildMeeting(AttendVjpKernel &k, Value block, Value end, Value isFirst) {
  KernelBuilder &kb = k.kb;
  buildNextRows(k, block, end);
  buildRowsOf(k, k.piece.getQueries(), block, [&] {
    auto [begin, end] = buildBounds(k, k.piece, k.rowBounds, k.groupBounds, /*paddingSees=*/false);
    Value last = kb.add(k.firstKey, k.keyCount);
    auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(kb.b, kb.loc, x, y); };
    Value meets = both(kb.compare(slt, begin, last), kb.compare(slt, k.firstKey, end));
    if (k.predicate) {
      k.seen = buildSeenColumns(k, k.predicate, k.firstKey);
      meets = both(meets, kb.compare(slt, k.seen.first, k.seen.second));
    }
    auto multiply = [&]() -> SmallVector<Value> {
      loadRows(k);
      buildProbabilities(k);
      buildKeyGradients(k);
      buildQueryGradients(k);
      storeRows(k, isFirst);
      return {};
    };
    auto pass = [&]() -> SmallVector<Value> {
      if (isFirst)
        kb.ifThen(isFirst, [&] { clearRows(k); });
      return {};
    };
    kb.ifElse(meets, {}, multiply, pass);
  });
}

/// Clears the rows of d_q of blocks [first, last).
static void clearBlocks(AttendVjpKernel &k, Value first, Value last) {
  k.kb.loop(first, last, 1, [&](Value block) { buildRowsOf(k, k.piece.getQueries(), block, [&] { clearRows(k); }); });
}

/// The block of keys at firstKey, of `keysEnd` of the residue, for head h. Where the kernel assigns, rows of d_q are
/// written up to block `written`; returns how far they are then.
static SmallVector<Value> buildKeyBlock(AttendVjpKernel &k, Value keysEnd, ValueRange written) {
  KernelBuilder &kb = k.kb;
  auto [begin, end] = buildQueryRange(k, k.piece, k.firstKey, kb.add(k.firstKey, k.keyCount));
  Value first = kb.floorDiv(begin, k.blockRows), last = kb.ceilDiv(end, k.blockRows);
  auto seen = [&]() -> SmallVector<Value> {
    if ((k.score || k.dropout) && keyOrder(k.piece.getKeys()) != KeyOrder::Consecutive)
      buildKeys(kb, KeyMap::of(kb, *k.keyMap), k.firstKey, k.blockKeys, k.keyOf);
    loadKeys(k);
    buildNextKeys(k, keysEnd);
    if (!written.empty())
      clearBlocks(k, written[0], first);
    kb.loop(first, last, 1, [&](Value block) {
      Value isFirst = written.empty() ? Value() : kb.compare(arith::CmpIPredicate::sge, block, written[0]);
      buildMeeting(k, block, last, isFirst);
    });
    if (written.empty()) {
      storeKeys(k);
      return {};
    }
    return {kb.max(written[0], last)};
  };
  auto unseen = [&]() -> SmallVector<Value> {
    if (!written.empty())
      clearKeyGradients(k);
    return SmallVector<Value>(written);
  };
  SmallVector<Value> next = kb.ifElse(kb.compare(slt, begin, end), written.getTypes(), seen, unseen);
  if (!written.empty())
    storeKeys(k);
  return next;
}

/// The blocks of keys of residue r that are the slice's, for head h.
static void buildHead(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  Value end = k.keyMap->rank(kb, k.nk);
  int64_t slices = k.dQ.size();
  SmallVector<Value> written;
  if (k.op.getAssigns())
    written.push_back(kb.integer(0));
  written = kb.loop(kb.mul(k.slice, k.blockKeys), end, k.blockKeys * slices, written,
                    [&](Value firstKey, ValueRange written) {
                      k.firstKey = firstKey;
                      k.keyCount = kb.min(kb.sub(end, firstKey), kb.integer(k.blockKeys));
                      int64_t unit = std::lcm(k.width(), k.tileRows);
                      k.paddedKeys = kb.mul(kb.ceilDiv(k.keyCount, unit), unit);
                      return buildKeyBlock(k, end, written);
                    });
  if (written.empty())
    return;
  ResidueMap queries = ResidueMap::of(kb, k.piece.getQueries(), k.r);
  Value rows = kb.sub(queries.rank(kb, k.nk), queries.rank(kb, kb.sub(k.nk, k.nq)));
  clearBlocks(k, written[0], kb.ceilDiv(rows, k.blockRows));
}

/// Residue r, for the heads [firstHead, lastHead) of the solution.
static void buildResidue(AttendVjpKernel &k, Value firstHead, Value lastHead) {
  KernelBuilder &kb = k.kb;
  k.keyMap = ResidueMap::of(kb, k.piece.getKeys(), k.r);
  kb.loop(firstHead, lastHead, k.op.getHeadStep(), [&](Value head) {
    k.h = head;
    if (k.predicate)
      k.predicate.startTask(k);
    buildHead(k);
  });
}

/// Task (b, group, r, slice), the slice fastest.
static void buildTask(AttendVjpKernel &k, Value tile) {
  KernelBuilder &kb = k.kb;
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), k.op.getGroups());
  auto next = [&](Value count) {
    Value coordinate = kb.rem(tile, count);
    tile = kb.div(tile, count);
    return coordinate;
  };
  int64_t gridResidues = k.op.getGridResidues(), residues = k.piece.getResidues();
  k.slice = next(kb.integer(k.dQ.size()));
  Value r = next(kb.integer(gridResidues));
  k.group = next(groups);
  k.b = tile;
  Value heads = kb.div(k.q.sizes[1], groups), first = kb.mul(k.group, heads), last = kb.add(first, heads);
  // The first head of the group that has this solution.
  Value skipped = kb.floorMod(kb.sub(kb.integer(k.op.getFirstHead()), first), k.op.getHeadStep());
  auto residue = [&](Value r) {
    k.r = r;
    buildResidue(k, kb.add(first, skipped), last);
  };
  if (gridResidues == residues)
    residue(r);
  else
    kb.loop(kb.integer(0), kb.integer(residues), 1, residue);
}

LogicalResult cpu::expandAttendVjp(xft::AttendVjpOp op, KernelBuilder &kb) {
  AttendVjpKernel k(op, kb);
  kb.loop(k.kernel.getArgument(0), k.kernel.getArgument(1), 1, [&](Value tile) { buildTask(k, tile); });
  op.erase();
  return success();
}
