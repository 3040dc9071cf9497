//===- ExpandAttendStencilVjp.cpp - Gradients over boxes of a grid --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task walks through a head in groups of lines of queries. For each group, it computes P and dS, a register of
// neighbouring queries at a time, and stores them at the columns of their keys. From dS it computes d_q of the group.
// Then it computes d_v and d_k of the lines of keys that no later query sees. These are sums over the lines of queries
// in scratch memory that see the keys. Here, lanes hold neighbouring keys, which have the same shift to their queries.
//
// Each pair takes five products. But the first groups of a strip also need P and dS of the lines of queries just before
// the strip. If these were computed by another call of the kernel, they are computed again.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/ExpandAttend.h"
#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/Lanes/LaneSums.h"
#include "compiler/Target/CPU/Lanes/StencilLanes.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
/// What a group leaves to the next group of a head. `keys` is what LaneRows::load returned as `finite` for the keys,
/// and `rows` is the same for the queries and cotangents. Lines of keys before line `loaded` are in scratch.
struct LineState {
  Value keys, rows, loaded;

  static LineState of(ValueRange values) { return {values[0], values[1], values[2]}; }
  SmallVector<Value> values() const { return {keys, rows, loaded}; }
};

/// The group of lines of queries that is being built.
struct LineGroup {
  Value number;
  Value keysFinite, rowsFinite; ///< whether all keys, and all queries and cotangents, in scratch are finite (i1)
  SmallVector<Value> exist; ///< for each row of the group: the lanes (i1) that hold a query, in a register of columns
};

struct AttendStencilVjp : StencilTask {
  AttendStencilVjp(xft::AttendStencilVjpOp op, KernelBuilder &kb);

  xft::AttendStencilVjpOp op;
  LaneMatrices matrices;
  AttendStencilVjpBuffers buffers;
  LaneWeights weights;

  LineEnds ends;
  LineGroup group;

  int64_t depth() const { return buffers.s.depth; }
  int64_t valueDepth() const { return buffers.s.valueDepth; }
  /// Returns the slot of the line of queries that lies `lines` lines behind the group's first.
  Value slotOf(Value lines) {
    return kb.floorMod(kb.add(kb.mul(group.number, tile.getRows()), lines), buffers.queries.slots);
  }
  /// Returns a pointer to elements of `pairs` (P or dS) for the queries in slot `slot`, at shift 0 of line `line` of
  /// the box. The pointer is at column `x` of the grid, the column of the keys.
  Value pairsAt(const LineBuffer &pairs, Value slot, Value line, Value x) {
    return at(slotAt(pairs, slot, x), kb.mul(line, tile.getShifts()), sizes.stride);
  }
  /// Returns a pointer to the register of P or dS in `pairs` of the queries of row `row` from column `x` on, for line
  /// `number` of keys (see keyLine) and shift `shift`.
  Value pairAt(const LineBuffer &pairs, int64_t row, Value number, Value x, int64_t shift) {
    Value from = pairsAt(pairs, slotOf(kb.integer(row)), kb.sub(number, kb.integer(row)), x);
    return kb.at(real, from, shift * sizes.stride + tile.getFirstShift() + shift);
  }
  /// Returns a pointer to the register of column `column` of the gradient of row `row`.
  Value gradientAt(Value row, Value column) {
    return slot(at(buffers.gradient, row, rankStride(std::max(depth(), valueDepth()))), column);
  }

  Value firstLine() { return kb.min(queryRanks().first, kb.integer(-tile.getFirstLine())); }
  Value gradientGroups();
  void fillPairs(Value first, int64_t lines);
  void clearGroup();
  LineState loadGroup(LineState state);
  SmallVector<Value> multiplyPart(const LineBuffer &keys, const LineBuffer &rows, Value number, SeeingRows seeing,
                                  Value x, int64_t shift, int64_t count);
  void buildPart(Value number, SeeingRows rows, Value x, int64_t shift, int64_t count);
  void buildGradientPart(Value number, SeeingRows rows, Value x, int64_t shift, int64_t count);
  void buildPairs(Value x);
  void storeGradients(const LaneRows &results, Value line, bool adds);
  void buildQueryGradients(Value x);
  void buildKeyGradients(const LineBuffer &pairs, const LineBuffer &rows, const View &target);
  void buildGroup(Value isOwn);
  void buildHead(Value begin, Value end);
};
} // namespace

AttendStencilVjp::AttendStencilVjp(xft::AttendStencilVjpOp op, KernelBuilder &kb)
    : StencilTask(kb, op), op(op), matrices(LaneMatrices::of(kb, op)), buffers{{Scratch::ofKernel(kb, op), op}, tile},
      weights{View::of(kb, op.getLse()), View::of(kb, op.getDelta()), buffers.weights} {}

/// Returns the number of groups of tile.rows lines that a head has. Together they cover all lines of queries and keys.
Value AttendStencilVjp::gradientGroups() {
  Value end = queryRanks().second;
  Value last = kb.max(end, kb.add(end, -tile.getFirstLine()));
  return kb.ceilDiv(kb.sub(last, firstLine()), tile.getRows());
}

//===----------------------------------------------------------------------===//
// Lines in scratch memory
//===----------------------------------------------------------------------===//

/// Masks all pairs of `lines` slots from slot `first` on: stores P = -0 and dS = 0.
void AttendStencilVjp::fillPairs(Value first, int64_t lines) {
  for (auto [pairs, value] : {std::pair(&buffers.p, -0.0), {&buffers.ds, 0.0}}) {
    Value from = at(pairs->memory, first, pairs->columns * sizes.stride), masked = kb.real(vector(), value);
    kb.loop(kb.integer(0), kb.integer(sizes.elements(lines * pairs->columns)), lanes,
            [&](Value n) { kb.store(masked, kb.at(real, from, n)); });
  }
}

/// Clears the slots of a group whose lines have no queries. Masks their pairs (P = -0 and dS = 0), and fills queries
/// and cotangents with zeros.
void AttendStencilVjp::clearGroup() {
  Value first = slotOf(kb.integer(0)), zero = kb.real(vector(), 0);
  fillPairs(first, tile.getRows());
  for (const LineBuffer *rows : {&buffers.queries, &buffers.cotangents})
    kb.loop(kb.integer(0), kb.integer(tile.getRows() * rows->columns * sizes.stride), lanes,
            [&](Value n) { kb.store(zero, kb.at(real, at(rows->memory, first, rows->columns * sizes.stride), n)); });
}

/// Transposes the lines of queries of the group. Also transposes the lines of keys that they see and that are not in
/// scratch yet.
LineState AttendStencilVjp::loadGroup(LineState state) {
  LaneRows fromKeys = LaneRows::ofKeys(*this, matrices.k, headOf(*this, matrices.k, h), depth());
  LaneRows fromValues = LaneRows::ofKeys(*this, matrices.v, headOf(*this, matrices.v, h), valueDepth());
  LaneRows fromQueries = LaneRows::ofQueries(*this, q, depth());
  LaneRows fromCotangents = LaneRows::ofQueries(*this, matrices.dOut, valueDepth());
  Value zero = kb.real(vector(), 0), column = kb.integer(0), end = keyLine(kb.integer(tile.getKeyLines()));
  Value begin = kb.max(state.loaded, keyLine(kb.integer(0)));
  Value ofKeys = kb.loop(begin, end, 1, state.keys, [&](Value line, ValueRange finite) {
    loadLine(fromValues, lineAt(buffers.values, line, column), line, 1, zero);
    return SmallVector<Value>{loadLine(fromKeys, lineAt(buffers.keys, line, column), line, 1, finite[0])};
  })[0];
  Value ofRows = kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1, state.rows, [&](Value row, ValueRange finite) {
    Value line = kb.add(firstRow, row), slot = slotOf(row);
    Value sum = loadLine(fromQueries, slotAt(buffers.queries, slot, column), line, op.getScale(), finite[0]);
    return SmallVector<Value>{loadLine(fromCotangents, slotAt(buffers.cotangents, slot, column), line, 1, sum)};
  })[0];
  return {ofKeys, ofRows, end};
}

//===----------------------------------------------------------------------===//
// P and dS
//===----------------------------------------------------------------------===//

/// Returns the products of line `number` of keys (or values) with the queries (or cotangents) in `rows` that see it, at
/// shifts [shift, shift + count). The result is a tile of `count` x seeing.count registers.
SmallVector<Value> AttendStencilVjp::multiplyPart(const LineBuffer &keys, const LineBuffer &rows, Value number,
                                                  SeeingRows seeing, Value x, int64_t shift, int64_t count) {
  RegisterTile shape{count, seeing.count};
  SmallVector<Value> sums(shape.size(), kb.real(vector(), 0));
  Value from = lineAt(keys, keyLine(number), kb.add(x, tile.getFirstShift() + shift));
  Value stride = kb.integer(sizes.stride);
  return multiplyInto(
      {kb, form(), shape}, sums, {kb.integer(0), kb.integer(keys.columns)},
      TileTerms::perLane(from, stride, kb.integer(1)),
      {slotAt(rows, slotOf(kb.integer(seeing.first)), x), stride, kb.integer(rows.columns * sizes.stride)});
}

/// Computes P of a line of keys for the rows that see it, at shifts [shift, shift + count). A pair whose score is -inf
/// is masked.
void AttendStencilVjp::buildPart(Value number, SeeingRows rows, Value x, int64_t shift, int64_t count) {
  RegisterTile shape{count, rows.count};
  SmallVector<Value> scores = multiplyPart(buffers.keys, buffers.queries, number, rows, x, shift, count), visible;
  Value keyCount = keysOfLine(keyLine(number), ends.keys);
  Value lowest = kb.real(vector(), -std::numeric_limits<double>::infinity());
  for (int64_t n = 0; n < count; ++n)
    visible.push_back(buildVisible(x, shift + n, keyCount));
  for (int64_t r = 0; r < rows.count; ++r) {
    int64_t row = rows.first + r;
    for (int64_t n = 0; n < count; ++n) {
      Value score = shape.at(scores, n, r);
      Value isThere = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, score, lowest);
      isThere = arith::AndIOp::create(kb.b, kb.loc, isThere, visible[n]);
      isThere = arith::AndIOp::create(kb.b, kb.loc, isThere, group.exist[row]);
      Value weight = kb.select(isThere, weights.probability(*this, score, kb.integer(row)), kb.real(vector(), -0.0));
      kb.store(weight, pairAt(buffers.p, row, number, x, shift + n));
    }
  }
}

/// Computes dS of a line of keys for the rows that see it, at shifts [shift, shift + count).
void AttendStencilVjp::buildGradientPart(Value number, SeeingRows rows, Value x, int64_t shift, int64_t count) {
  RegisterTile shape{count, rows.count};
  SmallVector<Value> gradients = multiplyPart(buffers.values, buffers.cotangents, number, rows, x, shift, count);
  for (int64_t r = 0; r < rows.count; ++r) {
    int64_t row = rows.first + r;
    Value less = kb.load(vector(), slot(buffers.weights.negDelta, kb.integer(row)));
    for (int64_t n = 0; n < count; ++n) {
      Value weight = kb.load(vector(), pairAt(buffers.p, row, number, x, shift + n));
      Value product = kb.mulf(weight, kb.addf(shape.at(gradients, n, r), less));
      kb.store(clearMasked(*this, weight, product), pairAt(buffers.ds, row, number, x, shift + n));
    }
  }
}

/// Computes P and dS of the group's queries in the register of columns from `x` on.
void AttendStencilVjp::buildPairs(Value x) {
  LaneRows rows = LaneRows::ofQueries(*this, q, depth());
  group.exist.clear();
  for (int64_t row = 0; row < tile.getRows(); ++row) {
    Value line = kb.add(firstRow, row);
    weights.load(*this, rows, kb.integer(row), line);
    group.exist.push_back(buildExist(line, x, ends.rows));
  }
  forEachKeyLine({}, [&](Value number, SeeingRows rows, ValueRange) -> SmallVector<Value> {
    forEachPart([&](int64_t shift, int64_t count) { buildPart(number, rows, x, shift, count); });
    return {};
  });
  forEachKeyLine({}, [&](Value number, SeeingRows rows, ValueRange) -> SmallVector<Value> {
    forEachPart([&](int64_t shift, int64_t count) { buildGradientPart(number, rows, x, shift, count); });
    return {};
  });
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// Stores the gradients of the group's rows to the rows of `results` in the lines from `line` on. Adds them if `adds`.
void AttendStencilVjp::storeGradients(const LaneRows &results, Value line, bool adds) {
  kb.loop(kb.integer(0), kb.integer(tile.getRows()), 1,
          [&](Value row) { results.store(gradientAt(row, kb.integer(0)), kb.add(line, row), adds); });
}

/// Computes d_q of the group's queries in the register of columns from `x` on.
void AttendStencilVjp::buildQueryGradients(Value x) {
  int64_t stride = sizes.stride, shifts = tile.getShifts();
  Value from = kb.add(x, tile.getFirstShift()), scale = kb.real(vector(), op.getScale());
  auto product = [&](Value number, SeeingRows rows, Value column) {
    Value row = kb.integer(rows.first);
    Value pairs = pairsAt(buffers.ds, slotOf(row), kb.sub(number, row), from);
    return LineProduct{TileTerms::perLane(at(lineAt(buffers.keys, keyLine(number), from), column, stride),
                                          kb.integer(1), kb.integer(stride)),
                       {pairs, kb.integer(stride + 1), kb.integer((tile.getPairs() - shifts) * stride)},
                       group.keysFinite,
                       /*isProbability=*/false};
  };
  sumLines(depth(), product, [&](Value sum, int64_t row, Value column) {
    kb.store(kb.mulf(sum, scale), gradientAt(kb.integer(row), column));
  });
  storeGradients(LaneRows::ofQueries(*this, matrices.dQ, depth()), firstRow, /*adds=*/!op.getAssigns());
}

/// Adds the products of `pairs` (P or dS) with `rows` (d_o or q) to `target` (d_v or d_k), in the lines of keys that no
/// later group sees. If the op assigns gradients, the first of the heads of q that share the keys assigns them instead.
void AttendStencilVjp::buildKeyGradients(const LineBuffer &pairs, const LineBuffer &rows, const View &target) {
  int64_t stride = sizes.stride, shifts = tile.getShifts(), lines = tile.getLines();
  LaneRows results = LaneRows::ofKeys(*this, target, headOf(*this, target, h), rows.columns);
  auto store = [&](bool adds) -> SmallVector<Value> {
    storeGradients(results, keyLine(kb.integer(0)), adds);
    return {};
  };
  Value member = kb.rem(h, kb.div(q.sizes[1], target.sizes[1]));
  Value isFirst = kb.compare(arith::CmpIPredicate::eq, member, kb.integer(0));
  forEachRegister([&](Value x) {
    auto product = [&](Value number, SeeingRows seen, Value column) {
      Value slot = slotOf(kb.add(number, 1 - lines)), line = kb.sub(kb.integer(seen.first + lines - 1), number);
      Value from = at(slotAt(rows, slot, kb.add(x, -tile.getFirstShift())), column, stride);
      return LineProduct{TileTerms::perLane(from, kb.integer(-1), kb.integer(stride)),
                         {pairsAt(pairs, slot, line, x), kb.integer(stride), kb.integer(shifts * stride)},
                         group.rowsFinite,
                         /*isProbability=*/&pairs == &buffers.p};
    };
    sumLines(rows.columns, product,
             [&](Value sum, int64_t row, Value column) { kb.store(sum, gradientAt(kb.integer(row), column)); });
    if (op.getAssigns())
      kb.ifElse(isFirst, {}, [&] { return store(/*adds=*/false); }, [&] { return store(/*adds=*/true); });
    else
      store(/*adds=*/true);
  });
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

/// Computes P and dS of the group's lines of queries. If `isOwn` (i1), the task owns these lines, and computes their
/// d_q too.
void AttendStencilVjp::buildGroup(Value isOwn) {
  forEachRegister([&](Value x) {
    buildPairs(x);
    kb.ifThen(isOwn, [&] { buildQueryGradients(x); });
  });
}

/// Computes the gradients of groups [begin, end) of a head. Queries of a few groups before `begin` see keys of the
/// groups [begin, end). For those earlier groups, first computes P and dS, and nothing else.
void AttendStencilVjp::buildHead(Value begin, Value end) {
  PieceBounds bounds = PieceBounds::of(*this, op.getPiece());
  ends = {bounds.keyLimit, bounds.rowLimit ? bounds.rowLimit : nq};
  auto both = [&](Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); };
  auto [firstQuery, lineEnd] = queryRanks();
  Value origin = firstLine(), zero = kb.real(vector(), 0), none = kb.integer(std::numeric_limits<int32_t>::min());
  int64_t before = tile.getSeeingLines() / tile.getRows() - 1;
  LineState state{zero, zero, none};
  kb.loop(kb.add(begin, -before), end, 1, state.values(), [&](Value index, ValueRange values) {
    group.number = index;
    firstRow = kb.add(origin, kb.mul(group.number, tile.getRows()));
    Value isOwn = kb.compare(slt, begin, kb.add(group.number, 1));
    Value hasQueries =
        both(kb.compare(slt, firstQuery, kb.add(firstRow, tile.getRows())), kb.compare(slt, firstRow, lineEnd));
    auto compute = [&] {
      LineState next = loadGroup(LineState::of(values));
      group.keysFinite = buildIsFinite(*this, next.keys);
      buildGroup(isOwn);
      return next.values();
    };
    auto clear = [&] {
      clearGroup();
      return SmallVector<Value>(values);
    };
    SmallVector<Value> next = kb.ifElse(hasQueries, values.getTypes(), compute, clear);
    group.rowsFinite = buildIsFinite(*this, LineState::of(next).rows);
    Value firstKeys = keyLine(kb.integer(0));
    Value hasKeys = both(kb.compare(slt, kb.integer(-tile.getRows()), firstKeys), kb.compare(slt, firstKeys, lineEnd));
    kb.ifThen(both(isOwn, hasKeys), [&] {
      buildKeyGradients(buffers.p, buffers.cotangents, matrices.dV);
      buildKeyGradients(buffers.ds, buffers.queries, matrices.dK);
    });
    return next;
  });
}

/// Builds the tasks [first, end) of a grid (b, group of heads, strip). The tasks of one group of heads are computed
/// together, head by head.
static void buildTasks(AttendStencilVjp &vjp, Value first, Value end) {
  KernelBuilder &kb = vjp.kb;
  xft::AttendStencilVjpOp op = vjp.op;
  Value groups = arith::IndexCastOp::create(kb.b, kb.loc, kb.i64(), op.getGroups());
  Value heads = kb.div(vjp.q.sizes[1], groups), count = vjp.gradientGroups();
  Value strips = kb.ceilDiv(count, op.getStrip());
  Value last = kb.div(kb.add(kb.add(end, strips), -1), strips);
  kb.loop(kb.div(first, strips), last, 1, [&](Value part) {
    Value before = kb.mul(part, strips), headGroup = kb.rem(part, groups);
    Value begin = kb.max(kb.sub(first, before), kb.integer(0)), stripEnd = kb.min(kb.sub(end, before), strips);
    Value firstHead = kb.mul(headGroup, heads);
    Value head = kb.add(firstHead, kb.floorMod(kb.sub(kb.integer(op.getFirstHead()), firstHead), op.getHeadStep()));
    vjp.b = kb.div(part, groups);
    kb.loop(head, kb.add(firstHead, heads), op.getHeadStep(), [&](Value head) {
      vjp.h = head;
      vjp.buildHead(kb.mul(begin, op.getStrip()), kb.min(kb.mul(stripEnd, op.getStrip()), count));
    });
  });
}

LogicalResult cpu::expandAttendStencilVjp(xft::AttendStencilVjpOp op, KernelBuilder &kb) {
  AttendStencilVjp vjp(op, kb);
  auto kernel = op->getParentOfType<func::FuncOp>();
  vjp.fillPairs(kb.integer(0), vjp.buffers.p.slots);
  for (const LineBuffer *rows : {&vjp.buffers.keys, &vjp.buffers.queries, &vjp.buffers.cotangents})
    vjp.clearMargins(*rows);
  buildTasks(vjp, kernel.getArgument(0), kernel.getArgument(1));
  op.erase();
  return success();
}
