//===- AttendSoftmax.cpp - The softmax state of a block of rows -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Online softmax. Each row keeps m (as shift = -m), l = sum 2^(s - m) and o = sum 2^(s - m) v. The running maximum m is
// lazy: it changes only if a score exceeds it by 8 (in powers of 2), so P <= 256. This is rare after the first tiles.
// One comparison tests a tile. The rescaling is a function of its own, which takes no registers from the tile's code.
//
// Scores come as s - m, which has as many digits as the larger of s and m. If m is the score of padding, say -1e9, all
// other scores are 1e9 after the subtraction. So the rare path only moves m and rescales the state, and the tile is
// computed again by the same code. If m moves so far that nothing is left of a row's weights, the row starts again with
// this tile, at m = 0.
//
// A row with l = 0 has seen no key. It starts with m = 0 if the largest score of its first tile lies between `lowest`
// and `slack`. As long as a group of rows has a row with l = 0, the guard of the group is open. Then its tiles are
// rescaled, unless all their scores allow m = 0.
//
// If weights are rounded to 16 bits for P V, o is divided by the sum of the rounded weights. So o stays a mean of
// values, which is exact if one key outweighs all others. lse, and P of a gradient, use the sum of the unrounded
// weights. A saved state has only this sum as l, so its o is multiplied by the quotient of the two sums. With rounded
// weights, m grows by whole powers of 2, which leave weights rounded as they are.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// The largest score relative to m, in natural logarithms, that needs no rescaling: P = exp(score - m) <= 2^8.
static constexpr double slack = 8 * M_LN2;
/// A row may start at m = 0 only if the maximum of its first tile of scores, in natural logarithms, is at least this.
static constexpr double lowest = -16 * M_LN2;
/// The largest |m| that moves by powers of 2 (see growth). Up to it, adding a multiple of log 2 to m rounds by 2^-12 at
/// most.
static constexpr double largestMoved = 4096;

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

/// Returns the open guard. It marks a group of rows of which some row may not have seen a key yet. It is the smallest
/// integer as wide as `real`, and so differs from the closed guard.
static Value openGuard(KernelBuilder &kb, Type real) {
  return real.isF64() ? kb.integerOf(kb.b.getI64Type(), INT64_MIN) : kb.integerOf(kb.b.getI32Type(), INT32_MIN);
}

static Value bitsOf(KernelBuilder &kb, Type real, double value) {
  Type bits = real.isF64() ? kb.b.getI64Type() : kb.b.getI32Type();
  return arith::BitcastOp::create(kb.b, kb.loc, bits, kb.real(real, value));
}

/// Returns the closed guard. It marks a group of rows that have all seen a key, and consists of the bits of `slack`.
static Value closedGuard(KernelBuilder &kb, Type real) { return bitsOf(kb, real, slack); }

Value cpu::buildIsOpen(AttendKernel &k, Value row) {
  KernelBuilder &kb = k.kb;
  Value guard = kb.load(k.integer(), kb.at(k.integer(), k.buffers.guard, row));
  return kb.compare(arith::CmpIPredicate::eq, guard, openGuard(kb, k.real));
}

Value cpu::stateBuffer(AttendKernel &k, unsigned which, Value index) {
  return View::of(k.kb, k.op.getSums()[which]).at(k.kb, {k.b, k.h, index});
}

Value cpu::accumulatorRow(AttendKernel &k, Value index) {
  Value buffer = k.op.getAccumulator() ? k.op.getAccumulator() : k.op.getO();
  return View::of(k.kb, buffer).at(k.kb, {k.b, k.h, index});
}

static void resumeRow(AttendKernel &k, Value row, Value index) {
  KernelBuilder &kb = k.kb;
  Value m = kb.load(k.real, stateBuffer(k, 0, index)), l = kb.load(k.real, stateBuffer(k, 1, index));
  Value first = vector::InsertOp::create(kb.b, kb.loc, l, kb.real(k.vector(), 0), ArrayRef<int64_t>{0});
  Value sums = k.at(k.buffers.sums, row, k.buffers.sumColumns());
  kb.store(first, sums);
  if (k.roundsWeights()) {
    Value zeros = kb.real(k.roundedSums(), 0);
    kb.store(vector::InsertOp::create(kb.b, kb.loc, l, zeros, ArrayRef<int64_t>{0}), k.roundedSumsAt(kb, sums));
  }
  kb.store(kb.subf(kb.real(k.real, 0), m), k.at(k.buffers.shift, row, 1));
  Value from = accumulatorRow(k, index), to = k.at(k.buffers.output, row, k.valueColumns());
  forEachRegister(kb, k.real, k.valueDepth(),
                  [&](Value d, Type type) { kb.store(kb.load(type, kb.at(k.real, from, d)), kb.at(k.real, to, d)); });
}

/// Stores the guards of groups whose rows resume a saved state: closed if all rows of the group have seen a key, else
/// open.
static void resumeGuards(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.rows.padded, k.tile.getRows(), [&](Value row) {
    Value seen;
    for (int64_t n = 0; n < k.tile.getRows(); ++n) {
      Value sum = kb.load(k.real, k.at(k.buffers.sums, kb.add(row, n), k.buffers.sumColumns())); // resumed: l and zeros
      Value started = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, sum, kb.real(k.real, 0));
      seen = seen ? Value(arith::AndIOp::create(kb.b, kb.loc, seen, started)) : started;
    }
    kb.store(kb.select(seen, closedGuard(kb, k.real), openGuard(kb, k.real)), kb.at(k.integer(), k.buffers.guard, row));
  });
}

void cpu::buildStart(AttendKernel &k) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.rows.padded, 1, [&](Value row) {
    Value zero = kb.real(k.vector(), 0), output = k.at(k.buffers.output, row, k.valueColumns());
    if (!k.writesOutput() && (!k.op.getResume() || k.valueColumns() != k.valueDepth()))
      forEachRegister(kb, k.real, k.valueColumns(), [&](Value d, Type) { kb.store(zero, kb.at(k.real, output, d)); });
    for (int64_t c = 0; c < k.buffers.sumColumns(); c += k.lanes)
      kb.store(zero, kb.at(k.real, k.at(k.buffers.sums, row, k.buffers.sumColumns()), c));
    kb.store(kb.real(k.real, 0), k.at(k.buffers.shift, row, 1));
    kb.store(openGuard(kb, k.real), kb.at(k.integer(), k.buffers.guard, row));
    if (k.op.getResume())
      resumeRow(k, row, kb.load(kb.i64(), kb.at(kb.i64(), k.rows.indices, row)));
  });
  if (k.op.getResume())
    resumeGuards(k);
}

//===----------------------------------------------------------------------===//
// Rescaling
//===----------------------------------------------------------------------===//

namespace {
/// Builds the rescaling function, which a tile calls in the rare case that m of some row must move. Before the call,
/// the code of the tile has stored its scores to memory. The function moves m by these scores, and rescales the state
/// of the rows. It returns whether the tile must be verified when it is computed again, because a row starts again and
/// its m is not known yet.
///   func @attend_rescale_..(%scores, %shift, %sums, %output, %p, %guard, %registers, %first, %last) -> i1
/// `registers` is the width of the tile in registers. Columns [first, last) of p hold the P of earlier tiles of the key
/// block; they are rescaled too.
struct Rescaling {
  AttendKernel &k;
  KernelBuilder kb;
  Value scores, shift, sums, output, p, guard, registers, first, last;

  Rescaling(AttendKernel &k, func::FuncOp function) : k(k), kb(function, k.kb.machine) {
    auto arguments = function.getArguments();
    Value *fields[] = {&scores, &shift, &sums, &output, &p, &guard, &registers, &first, &last};
    for (auto [field, argument] : llvm::zip(fields, arguments))
      *field = argument;
  }

  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(kb.b, kb.loc, predicate, x, y);
  }
  Value register_(Value base, Value row, int64_t stride, Value column) {
    return kb.at(k.real, kb.at(k.real, base, kb.mul(row, stride)), kb.mul(column, k.lanes));
  }

  Value rowMaximum(Value row) {
    Value start = kb.real(k.vector(), -std::numeric_limits<double>::infinity());
    Value maximum = kb.loop(kb.integer(0), registers, 1, start, [&](Value column, ValueRange maximum) {
      Value score = kb.load(k.vector(), register_(scores, row, spillRegisters * k.lanes, column));
      return SmallVector<Value>{kb.maxf(score, maximum[0])};
    })[0];
    return kb.reduceMax(maximum);
  }

  /// Returns by how much m grows in a row that has seen keys. `maximum` is the row's largest score, relative to m. In
  /// general m grows by `maximum`, and the result is this growth after m is rounded. But if weights are rounded and m
  /// is small, m grows by a multiple n log 2. Then the earlier weights of the row are multiplied by 2^-n, and need no
  /// second rounding.
  Value growth(Value row, Value maximum) {
    Value before = kb.load(k.real, kb.at(k.real, shift, row)), after = kb.subf(before, maximum);
    Value distance = kb.subf(before, after);
    if (!k.roundsWeights())
      return distance;
    Value integers = kb.real(k.real, 0x1.8p23); // f32: the integers near it are its neighbours
    Value exponent = kb.mulf(maximum, kb.real(k.real, M_LOG2E));
    Value powers = kb.addf(kb.addf(exponent, kb.real(k.real, .5)), integers);
    Value multiple = kb.mulf(kb.subf(powers, integers), kb.real(k.real, M_LN2));
    Value magnitude = kb.maxf(math::AbsFOp::create(kb.b, kb.loc, before), maximum);
    Value isSmall = compare(arith::CmpFPredicate::OLT, magnitude, kb.real(k.real, largestMoved));
    return kb.select(isSmall, multiple, distance);
  }

  void scale(Value pointer, Value by) { kb.store(kb.mulf(kb.load(k.vector(), pointer), by), pointer); }

  /// Multiplies the state of a row (l, o, and the P of earlier columns) by `factor`.
  void scaleState(Value row, Value factor) {
    Value by = kb.broadcast(factor, k.lanes);
    for (int64_t c = 0; c < k.buffers.sumColumns(); c += k.lanes)
      scale(kb.at(k.real, kb.at(k.real, sums, kb.mul(row, k.buffers.sumColumns())), c), by);
    kb.loop(kb.integer(0), kb.integer(k.valueColumns() / k.lanes), 1,
            [&](Value column) { scale(register_(output, row, k.valueColumns(), column), by); });
    Type stored = k.product.operand;
    Value line = kb.at(stored, p, kb.mul(row, k.tile.getKeys()));
    // Subnormal P would slow down every product with it: it becomes 0 with its sign, since -0 marks a masked pair. NaN
    // stays.
    Value tiny = kb.real(k.real, std::exp2(KernelBuilder::leastExponent(k.real)));
    Value limit = kb.broadcast(kb.divf(tiny, factor), k.lanes);
    kb.loop(first, last, k.lanes, [&](Value column) {
      Value slot = kb.at(stored, line, column), p = loadRegister(kb, stored, k.lanes, slot);
      Value kept = arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UGE, p, limit);
      Value zero = kb.real(k.vector(), 0);
      Value signedZero = math::CopySignOp::create(kb.b, kb.loc, zero, p);
      storeRegister(kb, kb.mulf(kb.select(kept, p, signedZero), by), stored, slot);
    });
  }

  /// Moves m of a row whose weights have the sum `sum`. `maximum` is the row's largest score, relative to m. If the
  /// earlier weights of the row become 0, the row starts again. Returns whether it does (i1). A row whose `sum` is NaN
  /// never starts again, so that the NaN stays.
  Value move(Value row, Value sum, Value maximum) {
    Value pointer = kb.at(k.real, shift, row), zero = kb.real(k.real, 0);
    Value distance = growth(row, maximum), by = kb.exp2(kb.mulf(distance, kb.real(k.real, -M_LOG2E)));
    Value isEmpty = arith::AndIOp::create(kb.b, kb.loc, compare(arith::CmpFPredicate::OEQ, by, zero),
                                          compare(arith::CmpFPredicate::ORD, sum, sum));
    kb.store(kb.select(isEmpty, zero, kb.subf(kb.load(k.real, pointer), distance)), pointer);
    scaleState(row, by);
    return isEmpty;
  }

  /// Moves m of row `row` of the tile if m must change. Returns two numbers (i1): whether the row has seen a key, in
  /// this tile or before, and whether the row starts again.
  std::pair<Value, Value> rescale(Value row) {
    Value maximum = rowMaximum(row), no = kb.constant(kb.b.getBoolAttr(false));
    Value sum = k.weightSum(kb, kb.at(k.real, sums, kb.mul(row, k.buffers.sumColumns())));
    Value started = compare(arith::CmpFPredicate::UNE, sum, kb.real(k.real, 0)); // also NaN, which comes from a key
    Value sees = compare(arith::CmpFPredicate::UNE, maximum, kb.real(k.real, -std::numeric_limits<double>::infinity()));
    Value exceeds = compare(arith::CmpFPredicate::OGT, maximum, kb.real(k.real, slack));
    Value isLow = compare(arith::CmpFPredicate::OLT, maximum, kb.real(k.real, lowest));
    Value starts = arith::AndIOp::create(kb.b, kb.loc, sees, arith::OrIOp::create(kb.b, kb.loc, exceeds, isLow));
    Value restarts = kb.ifElse(
        arith::AndIOp::create(kb.b, kb.loc, started, exceeds), no.getType(),
        [&]() -> SmallVector<Value> { return {move(row, sum, maximum)}; },
        [&]() -> SmallVector<Value> { return {no}; })[0];
    kb.ifThen(kb.select(started, no, starts), [&] {
      Value pointer = kb.at(k.real, shift, row);
      kb.store(kb.subf(kb.load(k.real, pointer), maximum), pointer);
    });
    Value seen = arith::OrIOp::create(kb.b, kb.loc, started, sees);
    return {kb.select(restarts, no, seen), restarts};
  }

  Value build() {
    Value all = kb.constant(kb.b.getBoolAttr(true)), none = kb.constant(kb.b.getBoolAttr(false));
    SmallVector<Value> rows = {all, none};
    rows = kb.loop(kb.integer(0), kb.integer(k.tile.getRows()), 1, rows, [&](Value row, ValueRange before) {
      auto [seen, restarts] = rescale(row);
      return SmallVector<Value>{arith::AndIOp::create(kb.b, kb.loc, before[0], seen),
                                arith::OrIOp::create(kb.b, kb.loc, before[1], restarts)};
    });
    kb.store(kb.select(rows[0], closedGuard(kb, k.real), openGuard(kb, k.real)), guard);
    return rows[1];
  }
};
} // namespace

/// Returns the rescaling function for the shapes of the kernel `k`. All kernels of the module with these shapes share
/// one function. The first call for them creates it.
static func::FuncOp rescaleFunction(AttendKernel &k) {
  auto module = k.kernel()->getParentOfType<ModuleOp>();
  std::string name;
  llvm::raw_string_ostream(name) << "attend_rescale_" << k.real << "x" << k.lanes << "_" << k.tile.getRows() << "x"
                                 << k.tile.getRegisters() << "_" << k.tile.getKeys() << "_" << k.valueColumns();
  if (k.product.operand != k.real)
    llvm::raw_string_ostream(name) << "_" << k.product.operand << (k.sumsWeights() ? "_sums" : "");
  if (auto existing = module.lookupSymbol<func::FuncOp>(name))
    return existing;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types(6, k.kb.pointer());
  types.append(3, k.kb.i64());
  auto function = func::FuncOp::create(b, k.kb.loc, name, b.getFunctionType(types, b.getI1Type()));
  function.setPrivate();
  function->setAttr("passthrough", b.getStrArrayAttr({"noinline", "cold"}));
  b.setInsertionPointToStart(function.addEntryBlock());
  Value isAgain = arith::ConstantOp::create(b, k.kb.loc, b.getBoolAttr(false)); // stands for what is built before
  auto result = func::ReturnOp::create(b, k.kb.loc, isAgain);
  result->setOperand(0, Rescaling(k, function).build());
  return function;
}

static Value anyLane(KernelBuilder &kb, Value lanes) {
  return vector::ReductionOp::create(kb.b, kb.loc, vector::CombiningKind::OR, lanes);
}

/// Returns whether a score exceeds `slack` (i1). `bits` are the scores, reinterpreted as signed integers.
static Value exceedsSlack(AttendKernel &k, Value bits) {
  KernelBuilder &kb = k.kb;
  Value limit = kb.broadcast(closedGuard(kb, k.real), k.lanes);
  return anyLane(kb, kb.compare(arith::CmpIPredicate::sgt, bits, limit));
}

/// Returns the lanes (i1) whose score is below `lowest`. `bits` are the scores, reinterpreted as unsigned integers: of
/// two negative floats, the lower one has the larger integer.
static Value belowLowest(AttendKernel &k, Value bits) {
  KernelBuilder &kb = k.kb;
  return kb.compare(arith::CmpIPredicate::ugt, bits, kb.broadcast(bitsOf(kb, k.real, lowest), k.lanes));
}

/// Opens the guard of the group of rows that begins at `row` if `isBelow` (i1), else closes it. `isBelow` is whether
/// some score of the tile, visible or masked, is below `lowest`.
static void setGuard(AttendKernel &k, Value row, Value isBelow) {
  KernelBuilder &kb = k.kb;
  kb.store(kb.select(isBelow, openGuard(kb, k.real), closedGuard(kb, k.real)),
           kb.at(k.integer(), k.buffers.guard, row));
}

/// Returns whether some score of a tile exceeds `slack` (i1). `bits` are the scores, reinterpreted as signed integers.
/// As integers, positive floats keep their order, and negative floats, such as masked scores (-inf), are below them.
/// Unlike in a maximum of floats, a NaN cannot hide the score of another row.
static Value buildExceeds(AttendKernel &k, ArrayRef<Value> bits) {
  KernelBuilder &kb = k.kb;
  SmallVector<Value> level(bits);
  while (level.size() > 1) {
    SmallVector<Value> next;
    for (size_t n = 0; n + 1 < level.size(); n += 2)
      next.push_back(kb.max(level[n], level[n + 1]));
    if (level.size() % 2)
      next.push_back(level.back());
    level = next;
  }
  return exceedsSlack(k, level[0]);
}

/// Returns whether some visible score of a tile is below `lowest` (i1), so that its row may not start at m = 0. Also
/// sets the guard of the group of rows that begins at `row`. If no score is below `lowest`, not even a masked one
/// (-inf), all rows have seen a key, and the guard becomes closed; otherwise it becomes open. `bits` are the scores,
/// reinterpreted as integers.
static Value buildIsLow(AttendKernel &k, ArrayRef<Value> bits, Value row) {
  KernelBuilder &kb = k.kb;
  Value masked = kb.broadcast(bitsOf(kb, k.real, -std::numeric_limits<double>::infinity()), k.lanes);
  Value below, low;
  auto join = [&](Value &sum, Value term) { sum = sum ? Value(arith::OrIOp::create(kb.b, kb.loc, sum, term)) : term; };
  for (Value score : bits) {
    Value isBelow = belowLowest(k, score);
    Value isVisible = kb.compare(arith::CmpIPredicate::ne, score, masked);
    join(below, isBelow);
    join(low, arith::AndIOp::create(kb.b, kb.loc, isBelow, isVisible));
  }
  setGuard(k, row, anyLane(kb, below));
  return anyLane(kb, low);
}

/// Returns whether a tile of scores must be rescaled (i1). There are two reasons. Some score exceeds `slack`
/// (`exceeds`). Or the guard of the tile's group of rows is open and `isLow` returns true: a row that has not seen a
/// key yet may not start at m = 0. If `isChecked` is false, m has just been moved for this tile and would not move
/// further. Then returns false.
static Value needsRescale(AttendKernel &k, Value row, Value isChecked, Value exceeds, function_ref<Value()> isLow) {
  KernelBuilder &kb = k.kb;
  Value low = kb.ifElse(
      buildIsOpen(k, row), exceeds.getType(), [&]() -> SmallVector<Value> { return {isLow()}; },
      [&]() -> SmallVector<Value> { return {kb.constant(kb.b.getBoolAttr(false))}; })[0];
  return arith::AndIOp::create(kb.b, kb.loc, arith::OrIOp::create(kb.b, kb.loc, exceeds, low), isChecked);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Calls the rescaling function for the scores in the buffer `spill`, a tile of `registers` registers. Returns whether
/// the tile must be verified when it is computed again (i1).
static Value callRescale(AttendKernel &k, func::FuncOp function, int64_t registers, Value row, Value firstColumn,
                         Value column) {
  KernelBuilder &kb = k.kb;
  Value arguments[] = {k.buffers.spill,
                       k.at(k.buffers.shift, row, 1),
                       k.at(k.buffers.sums, row, k.buffers.sumColumns()),
                       k.at(k.buffers.output, row, k.valueColumns()),
                       k.buffers.p,
                       kb.at(k.integer(), k.buffers.guard, row),
                       kb.integer(registers),
                       firstColumn,
                       column};
  return func::CallOp::create(kb.b, kb.loc, function, arguments).getResult(0);
}

/// Builds a loop that computes a tile, and repeats this in a rare case. `tile` computes the tile. It returns results of
/// types `types`, followed by whether m must move (i1). The latter must be false if the argument `isChecked` is false.
/// If m must move, `rare` moves it, and returns `isChecked` of the next iteration. Returns the results of the last
/// iteration. Whether m must move is the condition of the loop itself, so that nothing is tested after the loop.
static SmallVector<Value> repeatRarely(KernelBuilder &kb, TypeRange types,
                                       function_ref<SmallVector<Value>(Value isChecked)> tile,
                                       function_ref<Value(ValueRange results)> rare) {
  auto op = scf::WhileOp::create(kb.b, kb.loc, types, ValueRange{kb.constant(kb.b.getBoolAttr(true))});
  OpBuilder::InsertionGuard guard(kb.b);
  Block *before = kb.b.createBlock(&op.getBefore(), {}, kb.b.getI1Type(), kb.loc);
  SmallVector<Value> results = tile(before->getArgument(0));
  Value needed = results.pop_back_val();
  scf::ConditionOp::create(kb.b, kb.loc, needed, results);
  Block *after = kb.b.createBlock(&op.getAfter(), {}, types, SmallVector<Location>(types.size(), kb.loc));
  scf::YieldOp::create(kb.b, kb.loc, rare(after->getArguments()));
  return SmallVector<Value>(op.getResults());
}

SmallVector<Value> cpu::buildRescaled(AttendKernel &k, RegisterTile shape, TypeRange types, TileBuilder tile, Value row,
                                      Value firstColumn, Value column) {
  KernelBuilder &kb = k.kb;
  func::FuncOp function = rescaleFunction(k);
  Type type = kb.vector(k.integer(), k.lanes);
  auto verified = [&](Value isChecked) {
    SmallVector<Value> results = tile();
    auto bits = llvm::map_to_vector(ArrayRef(results).take_front(shape.size()), [&](Value score) -> Value {
      return arith::BitcastOp::create(kb.b, kb.loc, type, score);
    });
    Value exceeds = buildExceeds(k, bits);
    results.push_back(needsRescale(k, row, isChecked, exceeds, [&] { return buildIsLow(k, bits, row); }));
    return results;
  };
  return repeatRarely(kb, types, verified, [&](ValueRange results) {
    storeSpill(k, shape, results.take_front(shape.size()));
    return callRescale(k, function, shape.registers, row, firstColumn, column);
  });
}

SmallVector<Value> cpu::buildSpilledRescaled(AttendKernel &k, int64_t registers, TypeRange types,
                                             function_ref<SmallVector<Value>(SpilledScores &)> tile, Value row,
                                             Value firstColumn, Value column) {
  KernelBuilder &kb = k.kb;
  func::FuncOp function = rescaleFunction(k);
  auto verified = [&](Value isChecked) {
    SpilledScores scores;
    SmallVector<Value> results = tile(scores);
    auto isLow = [&] {
      Value low = anyLane(kb, belowLowest(k, scores.lowest));
      setGuard(k, row, kb.select(scores.seenByAll, low, kb.constant(kb.b.getBoolAttr(true))));
      return low;
    };
    results.push_back(needsRescale(k, row, isChecked, exceedsSlack(k, scores.largest), isLow));
    return results;
  };
  return repeatRarely(kb, types, verified,
                      [&](ValueRange) { return callRescale(k, function, registers, row, firstColumn, column); });
}
