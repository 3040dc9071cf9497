//===- ExpandAttendResiduesVjp.cpp - Gradients over residues in lanes -----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task keeps the keys and values of its residues in scratch memory while it loads blocks of their rows. For each
// block, it computes P, dS and d_q, one group of rows after the other. Then it adds the contributions of the block to
// d_k and d_v. Outside of the range of keys that a group of rows sees, P is -0 and dS is 0.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/Lanes/LaneSums.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
/// A product, the sum of m(t) x(t) over t. The multiplier m is P or dS. If m(t) belongs to a masked pair, x(t) must not
/// change the sum, even if x(t) is infinite or NaN.
struct LaneProduct {
  RegisterTile shape;
  TileTerms a, b;
  bool isFirst;       ///< whether m is `a`; else it is `b`
  bool isProbability; ///< whether m is P; else it is dS
};

struct AttendResiduesVjp : ResiduesTask {
  AttendResiduesVjp(xft::AttendResiduesVjpOp op, KernelBuilder &kb);

  xft::AttendResiduesVjpOp op;
  LaneMatrices matrices;
  AttendResiduesVjpBuffers buffers;
  LaneWeights weights;

  Value keysFinite, rowsFinite;

  int64_t depth() const { return buffers.s.depth; }
  int64_t valueDepth() const { return buffers.s.valueDepth; }
  int64_t pairStride() const { return tile.getRanks() * lanes; }
  /// Returns a pointer to the register of a row and key in `buffer` (P or dS).
  Value pairAt(Value buffer, Value row, Value key) { return slot(at(buffer, row, pairStride()), key); }
  /// Returns a pointer to the begin (`which` is 0) or the end (1) of the range of keys that the group of rows that
  /// begins at `row` sees.
  Value rangeAt(Value row, int64_t which) {
    return kb.at(kb.i64(), buffers.ranges, kb.add(kb.mul(kb.floorDiv(row, tile.getRows()), 2), which));
  }

  void buildTask(Value task, Value groups);
  void buildHead();
  void loadKeys();
  void storeKeys();
  void buildBlock(Value rank);
  void buildGroup(Value row, Value rank);
  void buildTile(Value row, Value key, bool isMasked);
  void maskKeys(Value row, Value first, Value end);
  SmallVector<Value> multiply(const LaneProduct &product, ValueRange sums, Value begin, Value end, Value finite);
  void buildQueryGradients(Value row, Value begin, Value end);
  void buildKeyGradients(Value pairs, bool isProbability, Value rows, Value target, int64_t columns);
};
} // namespace

AttendResiduesVjp::AttendResiduesVjp(xft::AttendResiduesVjpOp op, KernelBuilder &kb)
    : ResiduesTask(kb, op), op(op), matrices(LaneMatrices::of(kb, op)), buffers{{Scratch::ofKernel(kb, op), op}, tile},
      weights{View::of(kb, op.getLse()), View::of(kb, op.getDelta()), buffers.weights} {
  bounds = buffers.bounds;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

void AttendResiduesVjp::loadKeys() {
  LaneRows fromKeys = LaneRows::ofKeys(*this, matrices.k, headOf(*this, matrices.k, h), depth());
  LaneRows fromValues = LaneRows::ofKeys(*this, matrices.v, headOf(*this, matrices.v, h), valueDepth());
  Value zero = kb.real(vector(), 0);
  Value finite = kb.loop(kb.integer(0), keyRanks(), 1, zero, [&](Value rank, ValueRange finite) {
    fromValues.load(rankAt(buffers.values, rank, valueDepth()), rank, 1, zero);
    return SmallVector<Value>{fromKeys.load(rankAt(buffers.keys, rank, depth()), rank, 1, finite[0])};
  })[0];
  keysFinite = buildIsFinite(*this, finite);
  for (auto [buffer, columns] : {std::pair(buffers.dKeys, depth()), {buffers.dValues, valueDepth()}})
    kb.loop(kb.integer(0), kb.integer(tile.getRanks() * rankStride(columns)), lanes,
            [&, buffer = buffer](Value n) { kb.store(zero, kb.at(real, buffer, n)); });
}

/// Adds the gradients that the task's keys have in scratch to d_k and d_v. If the op assigns gradients, the first of
/// the query heads that share the keys assigns them instead.
void AttendResiduesVjp::storeKeys() {
  for (auto [view, buffer, columns] :
       {std::tuple(&matrices.dK, buffers.dKeys, depth()), {&matrices.dV, buffers.dValues, valueDepth()}}) {
    LaneRows rows = LaneRows::ofKeys(*this, *view, headOf(*this, *view, h), columns);
    auto store = [&, buffer = buffer, columns = columns](bool adds) -> SmallVector<Value> {
      kb.loop(kb.integer(0), keyRanks(), 1, [&](Value rank) { rows.store(rankAt(buffer, rank, columns), rank, adds); });
      return {};
    };
    if (!op.getAssigns()) {
      store(/*adds=*/true);
      continue;
    }
    Value member = kb.rem(h, kb.div(q.sizes[1], view->sizes[1]));
    kb.ifElse(
        kb.compare(arith::CmpIPredicate::eq, member, kb.integer(0)), {}, [&] { return store(false); },
        [&] { return store(true); });
  }
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Computes P and dS of the group of rows that begins at `row` and tile.keys keys from `key` on.
void AttendResiduesVjp::buildTile(Value row, Value key, bool isMasked) {
  RegisterTile shape{tile.getKeys(), tile.getRows()};
  auto product = [&](Value keyBuffer, Value rowBuffer, int64_t columns) {
    SmallVector<Value> sums(shape.size(), kb.real(vector(), 0));
    Value step = kb.integer(rankStride(columns));
    return multiplyInto({kb, form(), shape}, sums, {kb.integer(0), kb.integer(columns)},
                        TileTerms::perLane(rankAt(keyBuffer, key, columns), kb.integer(lanes), step),
                        {rankAt(rowBuffer, row, columns), kb.integer(lanes), step});
  };
  SmallVector<Value> scores = product(buffers.keys, buffers.query, depth());
  for (int64_t n = 0; n < tile.getRows(); ++n) {
    Value line = kb.add(row, n);
    for (int64_t c = 0; c < tile.getKeys(); ++c) {
      Value at = kb.add(key, c), weight = weights.probability(*this, shape.at(scores, c, n), line);
      if (isMasked)
        weight = kb.select(buildLaneVisible(*this, line, at), weight, kb.real(vector(), -0.0));
      kb.store(weight, pairAt(buffers.p, line, at));
    }
  }
  SmallVector<Value> gradients = product(buffers.values, buffers.cotangent, valueDepth());
  for (int64_t n = 0; n < tile.getRows(); ++n) {
    Value line = kb.add(row, n), less = kb.load(vector(), slot(buffers.weights.negDelta, line));
    for (int64_t c = 0; c < tile.getKeys(); ++c) {
      Value at = kb.add(key, c), weight = kb.load(vector(), pairAt(buffers.p, line, at));
      Value gradient = kb.mulf(weight, kb.addf(shape.at(gradients, c, n), less));
      kb.store(isMasked ? clearMasked(*this, weight, gradient) : gradient, pairAt(buffers.ds, line, at));
    }
  }
}

/// Masks the pairs of keys [first, end) and the tile.rows rows from `row` on: stores P = -0 and dS = 0.
void AttendResiduesVjp::maskKeys(Value row, Value first, Value end) {
  kb.loop(first, end, 1, [&](Value key) {
    for (int64_t n = 0; n < tile.getRows(); ++n) {
      kb.store(kb.real(vector(), -0.0), pairAt(buffers.p, kb.add(row, n), key));
      kb.store(kb.real(vector(), 0), pairAt(buffers.ds, kb.add(row, n), key));
    }
  });
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns `sums` plus the terms m(t) x(t), t in [begin, end), of a product (LaneProduct). Builds two versions and
/// chooses at run time. If `finite` (i1) is true, all x are finite and all terms are added as they are. Otherwise x is
/// replaced by 0 wherever m marks a masked pair, by P = -0 or dS = 0. Both versions add the terms in the same order.
SmallVector<Value> AttendResiduesVjp::multiply(const LaneProduct &product, ValueRange sums, Value begin, Value end,
                                               Value finite) {
  auto visible = [&](Value m) { return product.isProbability ? isVisible(*this, m) : isNotZero(*this, m); };
  TermMask mask{visible, /*weightIsRight=*/!product.isFirst};
  auto add = [&](const TermMask &mask) {
    return multiplyInto({kb, form(), product.shape}, sums, {begin, end}, product.a, product.b, mask);
  };
  auto whole = [&] { return add({}); };
  auto careful = [&] { return add(mask); };
  return kb.ifElse(finite, sums.getTypes(), whole, careful);
}

/// Computes d_q of the group of rows that begins at `row` from keys [begin, end), and stores it, times scale, to the
/// buffer dQuery.
void AttendResiduesVjp::buildQueryGradients(Value row, Value begin, Value end) {
  double scale = op.getScale();
  auto some = [&](Value column, int64_t columns) {
    RegisterTile shape{columns, tile.getRows()};
    LaneProduct product{
        shape,
        TileTerms::perLane(slot(buffers.keys, column), kb.integer(rankStride(depth())), kb.integer(lanes)),
        {at(buffers.ds, row, pairStride()), kb.integer(lanes), kb.integer(pairStride())},
        /*isFirst=*/false,
        /*isProbability=*/false};
    SmallVector<Value> sums(shape.size(), kb.real(vector(), 0));
    sums = multiply(product, sums, begin, end, keysFinite);
    for (int64_t c = 0; c < columns; ++c)
      for (int64_t n = 0; n < tile.getRows(); ++n)
        kb.store(kb.mulf(shape.at(sums, c, n), kb.real(vector(), scale)),
                 kb.at(real, slot(buffers.dQuery, column), n * rankStride(depth()) + c * lanes));
  };
  int64_t left = depth() % tile.getKeys(), whole = depth() - left;
  kb.loop(kb.integer(0), kb.integer(whole), tile.getKeys(), [&](Value column) { some(column, tile.getKeys()); });
  if (left)
    some(kb.integer(whole), left);
}

/// Adds the products of `pairs` (P or dS) with `rows` (dO or Q) of the block to `target` (d_v or d_k in scratch), for
/// all keys that some group of the block sees.
void AttendResiduesVjp::buildKeyGradients(Value pairs, bool isProbability, Value rows, Value target, int64_t columns) {
  Value zero = kb.integer(0), all = kb.integer(tile.getQueries());
  auto some = [&](Value key, ValueRange seen, Value column, int64_t registers) {
    RegisterTile shape{tile.getKeys(), registers};
    auto sumAt = [&](int64_t r, int64_t c) {
      return kb.at(real, slot(rankAt(target, key, columns), column), r * rankStride(columns) + c * lanes);
    };
    LaneProduct product{shape,
                        TileTerms::perLane(slot(pairs, key), kb.integer(pairStride()), kb.integer(lanes)),
                        {slot(rows, column), kb.integer(rankStride(columns)), kb.integer(lanes)},
                        /*isFirst=*/true,
                        isProbability};
    SmallVector<Value> sums = shape.fill([&](int64_t r, int64_t c) { return kb.load(vector(), sumAt(r, c)); });
    sums = multiply(product, sums, seen[0], seen[1], rowsFinite);
    for (int64_t r = 0; r < shape.rows; ++r)
      for (int64_t c = 0; c < registers; ++c)
        kb.store(shape.at(sums, r, c), sumAt(r, c));
  };
  kb.loop(zero, keyRanks(), tile.getKeys(), [&](Value key) {
    // The rows from the first group to the last that sees some key of the tile.
    SmallVector<Value> seen = {all, zero};
    seen = kb.loop(zero, all, tile.getRows(), seen, [&](Value row, ValueRange seen) {
      Value before = kb.compare(slt, kb.load(kb.i64(), rangeAt(row, 0)), kb.add(key, tile.getKeys()));
      Value after = kb.compare(slt, key, kb.load(kb.i64(), rangeAt(row, 1)));
      Value meets = arith::AndIOp::create(kb.b, kb.loc, before, after);
      return SmallVector<Value>{kb.select(meets, kb.min(seen[0], row), seen[0]),
                                kb.select(meets, kb.add(row, tile.getRows()), seen[1])};
    });
    kb.ifThen(kb.compare(slt, seen[0], seen[1]), [&] {
      int64_t registers = tile.getRows(), left = columns % registers, whole = columns - left;
      kb.loop(zero, kb.integer(whole), registers, [&](Value column) { some(key, seen, column, registers); });
      if (left)
        some(key, seen, kb.integer(whole), left);
    });
  });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Computes P, dS and d_q of a group of rows: tile.rows rows from row `row` of the block on. Row `row` has rank `rank`.
void AttendResiduesVjp::buildGroup(Value row, Value rank) {
  LaneRows queries = LaneRows::ofQueries(*this, q, depth());
  ColumnRange range = buildLaneBounds(*this, queries, rank, row, /*absentSees=*/false);
  Value begin = kb.mul(kb.floorDiv(range.begin, tile.getKeys()), tile.getKeys());
  Value end = kb.mul(kb.ceilDiv(range.end, tile.getKeys()), tile.getKeys());
  maskKeys(row, kb.integer(0), begin);
  forEachStep(kb, range, tile.getKeys(), [&](Value key, bool isMasked) { buildTile(row, key, isMasked); });
  maskKeys(row, kb.max(begin, end), kb.integer(tile.getRanks()));
  kb.store(begin, rangeAt(row, 0));
  kb.store(end, rangeAt(row, 1));
  buildQueryGradients(row, range.begin, range.end);
  LaneRows results = LaneRows::ofQueries(*this, matrices.dQ, depth());
  kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1, [&](Value n) {
    results.store(rankAt(buffers.dQuery, n, depth()), kb.add(rank, n), /*adds=*/!op.getAssigns());
  });
}

/// Computes P, dS and d_q of the query ranks [rank, rank + tile.queries), one group of rows after the other. Then adds
/// what these ranks contribute to d_k and d_v.
void AttendResiduesVjp::buildBlock(Value rank) {
  LaneRows queries = LaneRows::ofQueries(*this, q, depth()),
           cotangents = LaneRows::ofQueries(*this, matrices.dOut, valueDepth());
  Value rows = kb.integer(tile.getQueries());
  Value finite = kb.loop(kb.integer(0), rows, 1, kb.real(vector(), 0), [&](Value row, ValueRange finite) {
    Value at = kb.add(rank, row);
    weights.load(*this, queries, row, at);
    Value sum = queries.load(rankAt(buffers.query, row, depth()), at, op.getScale(), finite[0]);
    return SmallVector<Value>{cotangents.load(rankAt(buffers.cotangent, row, valueDepth()), at, 1, sum)};
  })[0];
  rowsFinite = buildIsFinite(*this, finite);
  kb.loop(kb.integer(0), rows, tile.getRows(), [&](Value row) { buildGroup(row, kb.add(rank, row)); });
  buildKeyGradients(buffers.p, /*isProbability=*/true, buffers.cotangent, buffers.dValues, valueDepth());
  buildKeyGradients(buffers.ds, /*isProbability=*/false, buffers.query, buffers.dKeys, depth());
}

void AttendResiduesVjp::buildHead() {
  loadKeys();
  auto [first, end] = queryRanks();
  kb.loop(first, end, tile.getQueries(), [&](Value rank) { buildBlock(rank); });
  storeKeys();
}

/// Builds task `task` of a grid (b, group of heads, group of residues). The task loops over the heads of its group that
/// this op covers, which are every headStep-th head from firstHead on.
void AttendResiduesVjp::buildTask(Value task, Value groups) {
  // The heads [first, last) of a task's group that have this solution.
  Value heads = kb.div(q.sizes[1], groups);
  setTask(task, groups);
  Value group = kb.mul(h, heads);
  Value first = kb.add(group, kb.floorMod(kb.sub(kb.integer(op.getFirstHead()), group), op.getHeadStep()));
  kb.loop(first, kb.add(group, heads), op.getHeadStep(), [&](Value head) {
    h = head;
    buildHead();
  });
}

LogicalResult cpu::expandAttendResiduesVjp(xft::AttendResiduesVjpOp op, KernelBuilder &kb) {
  AttendResiduesVjp vjp(op, kb);
  auto kernel = op->getParentOfType<func::FuncOp>();
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getGroups());
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value task) { vjp.buildTask(task, groups); });
  op.erase();
  return success();
}
