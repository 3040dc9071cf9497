//===- ScanOperands.cpp - Loads and stores of chunks ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies rows of any element type and stride to scratch, as rows of whole registers. Masked rows become zeros, whatever
// memory holds. So later code needs no care for masked or incomplete rows. Also computes the masks, and stores results.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "compiler/Target/Kernel/Scan/ScanRounding.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

static constexpr auto slt = arith::CmpIPredicate::slt;

static Value both(KernelBuilder &kb, Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }

//===----------------------------------------------------------------------===//
// Which rows take part
//===----------------------------------------------------------------------===//

/// Loads element (b, row) of `ids`, the segment ids of rows, as i64. If `ids` has batch size 1, it serves all batch
/// entries.
static Value loadId(const ScanKernel &k, Value ids, Value row) {
  KernelBuilder &kb = k.kb;
  View view = View::of(kb, ids);
  Value b = cast<MemRefType>(ids.getType()).getDimSize(0) == 1 ? kb.integer(0) : k.task.b;
  Value id = kb.load(view.element, view.at(kb, {b, row}));
  return view.element.isInteger(64) ? id : Value(arith::ExtSIOp::create(kb.b, kb.loc, kb.i64(), id));
}

void kernel::forEachSegment(ScanKernel &k, function_ref<void()> body) {
  KernelBuilder &kb = k.kb;
  if (!k.task.queries.segments)
    return body();
  Value none = kb.integer(std::numeric_limits<int64_t>::max());
  auto nextAfter = [&](Value id) {
    return kb.loop(kb.integer(0), k.task.queries.limit, 1, none, [&](Value row, ValueRange least) {
      Value other = loadId(k, k.task.queries.segments, row);
      Value isNext = both(kb, kb.compare(slt, id, other), kb.compare(slt, other, least[0]));
      return SmallVector<Value>{kb.select(isNext, other, least[0])};
    })[0];
  };
  Value first = nextAfter(kb.integer(-1));
  auto loop = scf::WhileOp::create(kb.b, kb.loc, TypeRange(kb.i64()), ValueRange(first));
  OpBuilder::InsertionGuard guard(kb.b);
  Block *before = kb.b.createBlock(&loop.getBefore(), {}, kb.i64(), kb.loc);
  Value more = kb.compare(slt, before->getArgument(0), none);
  scf::ConditionOp::create(kb.b, kb.loc, more, before->getArguments());
  Block *after = kb.b.createBlock(&loop.getAfter(), {}, kb.i64(), kb.loc);
  k.task.segment = after->getArgument(0);
  body();
  scf::YieldOp::create(kb.b, kb.loc, nextAfter(k.task.segment));
  k.task.segment = {};
}

Value kernel::maskOf(const ScanKernel &k, const ScanSide &side, Value row) {
  KernelBuilder &kb = k.kb;
  VectorType bits = kb.vector(k.integer(), k.lanes);
  return kb.compare(arith::CmpIPredicate::ne, kb.load(bits, kb.at(k.integer(), k.buffers.mask[side], row)),
                    kb.integerOf(bits, 0));
}

Value kernel::takesPart(const ScanKernel &k, const ScanSide &side, Value row) {
  Value bits = k.kb.load(k.integer(), k.kb.at(k.integer(), k.buffers.mask[side], row));
  return k.kb.compare(arith::CmpIPredicate::ne, bits, k.kb.integerOf(k.integer(), 0));
}

Value kernel::findFirstKey(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  return kb.loop(kb.integer(0), k.task.keys.limit, 1, k.task.keys.limit, [&](Value row, ValueRange first) {
    Value isOwn = kb.compare(arith::CmpIPredicate::eq, loadId(k, k.task.keys.segments, row), k.task.segment);
    return SmallVector<Value>{kb.select(isOwn, kb.min(row, first[0]), first[0])};
  })[0];
}

Value kernel::endOfQueries(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  Value queries = k.task.queries.limit;
  if (k.task.segment && k.op.isOrdered)
    queries = kb.loop(kb.integer(0), queries, 1, kb.integer(0), [&](Value row, ValueRange end) {
      Value isOwn = kb.compare(arith::CmpIPredicate::eq, loadId(k, k.task.queries.segments, row), k.task.segment);
      return SmallVector<Value>{kb.select(isOwn, kb.add(row, 1), end[0])};
    })[0];
  Value end = k.op.isOrdered ? kb.add(queries, kb.sub(k.operands.nk, k.operands.nq)) : k.operands.nk;
  return kb.select(kb.compare(slt, kb.integer(0), queries), end, kb.integer(0));
}

/// Returns whether row `row` of the chunk of queries sees a key (i1). placeChunk must have set the chunk of keys.
static Value seesKey(const ScanKernel &k, Value row) {
  KernelBuilder &kb = k.kb;
  if (!k.countsKeys()) // it sees all keys, or those at and before its position
    return kb.compare(slt, kb.integer(0), k.operands.nk);
  Value count = k.op.isOrdered ? k.element(k.buffers.counts, row) : k.scalar(xft::ScanCount);
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::OGT, count, kb.real(k.real, 0));
}

/// Returns whether row `row` of a side's chunk is not masked (i1): it lies below the limit of the side, belongs to the
/// current segment and, if it is a query, sees a key. For queries, placeChunk must have set the chunk of keys.
static Value isOwnRow(const ScanKernel &k, const ScanSide &side, Value row) {
  KernelBuilder &kb = k.kb;
  Value index = kb.add(side.first, row);
  Value takesPart =
      both(kb, kb.compare(arith::CmpIPredicate::sge, index, kb.integer(0)), kb.compare(slt, index, side.limit));
  if (k.task.segment) {
    auto isOfSegment = [&]() -> SmallVector<Value> {
      return {kb.compare(arith::CmpIPredicate::eq, loadId(k, side.segments, index), k.task.segment)};
    };
    auto no = [&]() -> SmallVector<Value> { return {kb.constant(kb.b.getBoolAttr(false))}; };
    takesPart = kb.ifElse(takesPart, kb.b.getI1Type(), isOfSegment, no)[0];
  }
  return side.isKeys ? takesPart : both(kb, takesPart, seesKey(k, row));
}

/// Implements placeChunk for a thread block, with one row per lane. Counts of keys are exact in any order of additions.
static Value placeSharedChunk(const ScanKernel &k, const ScanSide &side) {
  KernelBuilder &kb = k.kb;
  Value none = kb.integerOf(k.integer(), 0), all = kb.integerOf(k.integer(), -1), zero = kb.real(k.real, 0);
  bool counts = side.isKeys && k.countsKeys();
  Value before = counts ? k.scalar(xft::ScanCount) : zero;
  Value takesPart;
  auto oneOf = [&](Value row) { return kb.select(takesPart = isOwnRow(k, side, row), kb.real(k.real, 1), zero); };
  auto plus = [&](Value x, Value y) { return kb.addf(x, y); };
  Value count = k.forPrefixes(before, oneOf, plus, [&](Value row, Value prefix) {
    kb.store(kb.select(takesPart, all, none), kb.at(k.integer(), k.buffers.mask[side], row));
    if (counts)
      kb.store(prefix, kb.at(k.real, k.buffers.counts, row));
  });
  if (counts)
    k.setScalar(xft::ScanCount, count);
  return arith::CmpFOp::create(kb.b, kb.loc, arith::CmpFPredicate::UNE, count, before);
}

Value kernel::placeChunk(ScanKernel &k, ScanSide &side, Value first) {
  KernelBuilder &kb = k.kb;
  side.first = first;
  if (!k.threads.isOne())
    return placeSharedChunk(k, side);
  Value none = kb.integerOf(k.integer(), 0), all = kb.integerOf(k.integer(), -1),
        no = kb.constant(kb.b.getBoolAttr(false));
  bool counts = side.isKeys && k.countsKeys();
  Value count = counts ? k.scalar(xft::ScanCount) : kb.real(k.real, 0);
  auto state = kb.loop(kb.integer(0), kb.integer(k.chunk), 1, {no, count}, [&](Value row, ValueRange state) {
    Value takesPart = isOwnRow(k, side, row);
    kb.store(kb.select(takesPart, all, none), kb.at(k.integer(), k.buffers.mask[side], row));
    Value any = arith::OrIOp::create(kb.b, kb.loc, state[0], takesPart), sum = state[1];
    if (counts) {
      sum = kb.select(takesPart, kb.addf(sum, kb.real(k.real, 1)), sum);
      kb.store(sum, kb.at(k.real, k.buffers.counts, row));
    }
    return SmallVector<Value>{any, sum};
  });
  if (counts)
    k.setScalar(xft::ScanCount, state[1]);
  return state[0];
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Calls body(d, type) for the elements of a row of `depth` elements. `d` is the first element to load and `type` what
/// to load: on a CPU, registers and then single elements; in a thread block, one element per lane.
static void forElements(const ScanKernel &k, int64_t depth, function_ref<void(Value d, Type type)> body) {
  if (k.threads.isOne())
    return forEachRegister(k.kb, k.real, depth, body);
  k.threads.overLanes(depth, 1, [&](Value d) { body(d, k.real); });
}

/// Returns `x` as products can take it (TaskThreads::canonicalized). `x` is an element, or a register of elements, of
/// type `element`, converted to the type of computation. If these types differ, the conversion has already made `x`
/// canonical.
static Value inputOf(const ScanKernel &k, Type element, Value x) {
  return element == k.real ? k.threads.canonicalized(x) : x;
}

/// Copies a row to scratch: to[d] = factor * from[d] for d < depth, then zeros to the end of the register. A null
/// `factor` stands for 1.
static void copyRow(const ScanKernel &k, Type element, Value from, Value to, int64_t depth, Value factor) {
  KernelBuilder &kb = k.kb;
  if (depth % k.lanes)
    kb.store(k.zero(), kb.at(k.real, to, depth / k.lanes * k.lanes));
  forElements(k, depth, [&](Value d, Type type) {
    Value pointer = kb.at(element, from, d);
    bool isRegister = isa<VectorType>(type);
    Value x = isRegister ? loadRegister(kb, element, k.lanes, pointer) : loadScalar(kb, element, pointer);
    x = inputOf(k, element, x);
    if (factor)
      x = kb.mulf(x, isRegister ? kb.broadcast(factor, k.lanes) : factor);
    kb.store(x, kb.at(k.real, to, d));
  });
}

/// Calls body(row, column, count) for all elements of the chunk's rows, in units of `count` consecutive elements.
/// `rows` is the memory of these rows. A unit has 16 bytes if all rows start at multiples of 16 bytes, else one
/// element. If `rowsFirst`, neighbouring threads get the same columns of neighbouring rows. Otherwise they get
/// neighbouring units of a row.
static void forUnits(const ScanKernel &k, const ScanRows &rows, bool rowsFirst,
                     function_ref<void(Value row, Value column, int64_t count)> body) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t vectorBytes = 16;
  int64_t bytes = rows.view.element.getIntOrFloatBitWidth() / 8;
  auto forAll = [&](int64_t count) {
    int64_t perRow = rows.depth / count, inner = rowsFirst ? k.chunk : perRow;
    k.threads.overThreads(k.chunk * perRow, 1, [&](Value n) {
      Value outer = kb.floorDiv(n, inner), own = kb.floorMod(n, inner);
      body(rowsFirst ? own : outer, kb.mul(rowsFirst ? outer : own, count), count);
    });
    return SmallVector<Value>();
  };
  if (rows.depth * bytes % vectorBytes != 0) {
    forAll(1);
    return;
  }
  Value start = LLVM::PtrToIntOp::create(kb.b, kb.loc, kb.i64(), rows.view.at(kb, {k.task.b, rows.head}));
  Value bits = arith::OrIOp::create(kb.b, kb.loc, start, kb.mul(rows.view.strides[2], bytes));
  Value rest = arith::AndIOp::create(kb.b, kb.loc, bits, kb.integer(vectorBytes - 1));
  kb.ifElse(
      kb.compare(arith::CmpIPredicate::eq, rest, kb.integer(0)), {}, [&] { return forAll(vectorBytes / bytes); },
      [&] { return forAll(1); });
}

/// Loads `count` consecutive elements of row `row` of the chunk, from column `column` on. `rows` is the memory of the
/// chunk's rows. Converts the elements to the type of computation. Returns zeros if the row is masked.
static SmallVector<Value> loadUnit(const ScanKernel &k, const ScanSide &side, const ScanRows &rows, Value row,
                                   Value column, int64_t count) {
  KernelBuilder &kb = k.kb;
  const View &source = rows.view;
  Type stored = memoryType(source.element), loaded = count == 1 ? stored : Type(kb.vector(stored, count));
  Type computed = count == 1 ? k.real : Type(kb.vector(k.real, count));
  auto load = [&]() -> SmallVector<Value> {
    Value from = kb.at(source.element, source.at(kb, {k.task.b, rows.head, kb.add(side.first, row)}), column);
    int64_t bytes = source.element.getIntOrFloatBitWidth() / 8;
    return {inputOf(k, source.element, fromMemory(kb, kb.load(loaded, from, count * bytes), source.element))};
  };
  Value unit = kb.ifElse(takesPart(k, side, row), computed, load,
                         [&]() -> SmallVector<Value> { return {kb.real(computed, 0)}; })[0];
  if (count == 1)
    return {unit};
  SmallVector<Value> elements;
  for (int64_t n = 0; n < count; ++n)
    elements.push_back(vector::ExtractOp::create(kb.b, kb.loc, unit, ArrayRef<int64_t>{n}));
  return elements;
}

/// Implements loadRows for a thread block.
static void loadSharedRows(const ScanKernel &k, const ScanSide &side, const ScanRows &source, const ScratchBuffer &to,
                           double factor, Value factors) {
  KernelBuilder &kb = k.kb;
  forUnits(k, source, /*rowsFirst=*/false, [&](Value row, Value column, int64_t count) {
    Value scale = factor == 1 ? Value() : kb.real(k.real, factor);
    if (factors) // the factor of a masked row may be infinite, and 0 times infinity is no zero
      scale = kb.select(takesPart(k, side, row), k.element(factors, row), kb.real(k.real, 0));
    for (auto [n, x] : llvm::enumerate(loadUnit(k, side, source, row, column, count)))
      kb.store(scale ? kb.mulf(x, scale) : x, k.at(to, row, kb.add(column, n)));
  });
  k.threads.synchronize();
}

/// Loads the channels of a side's chunk directly from memory, by a thread block.
static void loadChannels(const ScanKernel &k, const ScanSide &side, double factor) {
  KernelBuilder &kb = k.kb;
  ScanRows rows{side.source, side.head, k.depth};
  forUnits(k, rows, /*rowsFirst=*/true, [&](Value row, Value column, int64_t count) {
    for (auto [n, x] : llvm::enumerate(loadUnit(k, side, rows, row, column, count)))
      kb.store(factor == 1 ? x : kb.mulf(x, kb.real(k.real, factor)),
               k.at(k.buffers.channels[side], kb.add(column, n), row));
  });
  k.threads.synchronize();
}

/// Implements storeRows for a thread block, without adding.
static void storeSharedRows(const ScanKernel &k, const ScanSide &side, Value from, const ScanRows &rows) {
  KernelBuilder &kb = k.kb;
  const View &target = rows.view;
  forUnits(k, rows, /*rowsFirst=*/false, [&](Value row, Value column, int64_t count) {
    kb.ifThen(takesPart(k, side, row), [&] {
      SmallVector<Value> elements;
      for (int64_t n = 0; n < count; ++n)
        elements.push_back(kb.load(k.real, k.at(from, row, rows.depth, kb.add(column, n))));
      Value unit = elements[0];
      if (count > 1)
        unit = vector::FromElementsOp::create(kb.b, kb.loc, kb.vector(k.real, count), elements);
      Value to = kb.at(target.element, target.at(kb, {k.task.b, rows.head, kb.add(side.first, row)}), column);
      int64_t bytes = target.element.getIntOrFloatBitWidth() / 8;
      kb.store(toMemory(kb, unit, target.element), to, count * bytes);
    });
  });
  k.threads.synchronize();
}

void kernel::loadRows(const ScanKernel &k, const ScanSide &side, const ScanRows &source, const ScratchBuffer &to,
                      double factor, Value factors) {
  KernelBuilder &kb = k.kb;
  if (!k.threads.isOne())
    return loadSharedRows(k, side, source, to, factor, factors);
  int64_t columns = llvm::alignTo(source.depth, k.lanes);
  k.forLines([&](Value row) {
    Value isOwn = takesPart(k, side, row), target = k.at(to, row, columns);
    auto copy = [&]() -> SmallVector<Value> {
      Value scale = factor == 1 ? Value() : kb.real(k.real, factor);
      if (factors)
        scale = k.element(factors, row);
      copyRow(k, source.view.element, source.view.at(kb, {k.task.b, source.head, kb.add(side.first, row)}), target,
              source.depth, scale);
      return {};
    };
    auto clear = [&]() -> SmallVector<Value> {
      forEachRegister(kb, k.real, columns, [&](Value c, Type) { kb.store(k.zero(), kb.at(k.real, target, c)); });
      return {};
    };
    kb.ifElse(isOwn, {}, copy, clear);
  });
}

void kernel::transposeRows(const ScanKernel &k, const ScratchBuffer &rows, Value channels, int64_t columns) {
  KernelBuilder &kb = k.kb;
  k.forRowsOfWarps([&](Value row) {
    k.threads.overWarps(columns, k.lanes, [&](Value column) {
      SmallVector<Value> square;
      Value from = k.at(rows, row, column), to = k.at(channels, column, k.pitch(), row);
      for (int64_t n = 0; n < k.lanes; ++n)
        square.push_back(kb.load(k.vector(), kb.at(k.real, from, n * rows.pitch)));
      for (auto [n, lane] : llvm::enumerate(transposeRegisters(kb, square)))
        kb.store(lane, kb.at(k.real, to, n * k.pitch()));
    });
  });
}

void kernel::prefetchRows(const ScanKernel &k, const ScanSide &side, Value part, int64_t parts) {
  KernelBuilder &kb = k.kb;
  int64_t rows = llvm::divideCeil(k.chunk, parts);
  Value first = kb.mul(part, rows);
  auto prefetch = [&](const ScanRows &wanted, Value row) {
    kb.prefetchRow(wanted.view.element, wanted.view.at(kb, {k.task.b, wanted.head, row}), wanted.depth);
  };
  kb.ifThen(kb.compare(slt, first, kb.integer(k.chunk)), [&] {
    for (int64_t n = 0; n < rows; ++n) {
      Value row = kb.add(side.first, kb.add(first, n));
      for (const ScanRows &wanted : side.reads)
        prefetch(wanted, kb.add(row, side.step));
      for (const ScanRows &wanted : side.writes)
        prefetch(wanted, row);
    }
  });
}

bool kernel::isOwnSide(const ScanKernel &k, const ScanSide &side) {
  return side.isKeys == (k.phase == xft::ScanPhase::keys);
}

void kernel::loadInputs(const ScanKernel &k, const ScanSide &side) {
  if (k.inputTerms != 1)
    return loadInputOperands(k, side);
  bool readsRows = k.sharesTiles() ? k.readsRows() && isOwnSide(k, side) : k.isGradient;
  if (k.isBlock() && !readsRows)
    return loadChannels(k, side, k.op.inputScale / k.op.rowScale);
  loadRows(k, side, {side.source, side.head, k.depth}, k.buffers.rows[side], k.op.inputScale / k.op.rowScale);
  transposeRows(k, k.buffers.rows[side], k.buffers.channels[side], k.columns());
}

void kernel::storeRows(const ScanKernel &k, const ScanSide &side, Value from, const ScanRows &rows, bool adds) {
  KernelBuilder &kb = k.kb;
  const View &target = rows.view;
  if (!k.threads.isOne() && !adds)
    return storeSharedRows(k, side, from, rows);
  int64_t columns = llvm::alignTo(rows.depth, k.lanes);
  k.forLines([&](Value row) {
    kb.ifThen(takesPart(k, side, row), [&] {
      Value line = k.at(from, row, columns), to = target.at(kb, {k.task.b, rows.head, kb.add(side.first, row)});
      forElements(k, rows.depth, [&](Value d, Type type) {
        Value pointer = kb.at(target.element, to, d), x = kb.load(type, kb.at(k.real, line, d));
        if (adds)
          x = kb.addf(x, isa<VectorType>(type) ? loadRegister(kb, target.element, k.lanes, pointer)
                                               : loadScalar(kb, target.element, pointer));
        storeRegister(kb, x, target.element, pointer);
      });
    });
  });
}

//===----------------------------------------------------------------------===//
// Decays
//===----------------------------------------------------------------------===//

/// Computes decays.between by a thread block: for each key and later row, the product of the decays after the key up to
/// the row. A thread computes 16 rows of one key. It starts from the product of the decays before these rows.
static void buildDecaysBetween(const ScanKernel &k) {
  KernelBuilder &kb = k.kb;
  constexpr int64_t rows = 16;
  static_assert(rows <= 32);
  k.threads.overThreads(k.chunk * (k.chunk / rows), 1, [&](Value part) {
    Value key = kb.floorMod(part, k.chunk), first = kb.mul(kb.floorDiv(part, k.chunk), rows);
    auto decay = [&](Value row) { return k.element(k.buffers.decays.own, row); };
    Value isBehind = kb.compare(slt, key, first);
    Value start = kb.select(isBehind, kb.real(k.real, 1), kb.real(k.real, 0));
    Value product = kb.loop(kb.add(key, 1), first, 1, start, [&](Value row, ValueRange product) {
      return SmallVector<Value>{kb.mulf(product[0], decay(row))};
    })[0];
    for (int64_t n = 0; n < rows; ++n) {
      Value row = kb.add(first, n), isOwn = kb.compare(arith::CmpIPredicate::eq, row, key);
      product = kb.select(isOwn, kb.real(k.real, 1), kb.mulf(product, decay(row)));
      kb.store(product, kb.at(k.real, k.buffers.decays.between, kb.add(kb.mul(row, k.pitch()), key)));
    }
  });
  k.threads.synchronize();
}

void kernel::loadDecays(const ScanKernel &k, Value first) {
  if (!k.hasDecay)
    return;
  KernelBuilder &kb = k.kb;
  Value one = kb.real(k.real, 1), a;
  auto load = [&](Value row) {
    Value index = kb.add(first, row);
    auto element = [&]() -> SmallVector<Value> {
      return {kb.load(k.real, k.operands.decay.at(kb, {k.task.b, k.task.h, index}))};
    };
    return a = kb.ifElse(kb.compare(slt, index, k.operands.nk), k.real, element,
                         [&]() -> SmallVector<Value> { return {one}; })[0];
  };
  k.forPrefixes(
      one, load, [&](Value x, Value y) { return kb.mulf(x, y); },
      [&](Value row, Value product) {
        kb.store(a, kb.at(k.real, k.buffers.decays.own, row));
        kb.store(product, kb.at(k.real, k.buffers.decays.before, row));
      });
  if (!k.threads.isOne()) {
    buildDecaysBetween(k);
    return transposeRows(k, k.buffers.decays.between, k.buffers.decays.behind, k.chunk);
  }
  // The products of a query are those of the query before it times its own decay; the product for its own key is 1.
  k.clear(k.buffers.decays.between, k.chunk);
  kb.store(one, k.buffers.decays.between);
  kb.loop(kb.integer(1), kb.integer(k.chunk), 1, [&](Value row) {
    Value a = k.splat(k.buffers.decays.own, row), line = kb.mul(row, k.pitch());
    k.forRows([&](Value key) {
      Value above = k.load(k.buffers.decays.between, kb.add(kb.add(line, -k.pitch()), key));
      k.store(kb.mulf(above, a), k.buffers.decays.between, kb.add(line, key));
    });
    kb.store(one, kb.at(k.real, k.buffers.decays.between, kb.add(line, row)));
  });
  transposeRows(k, k.buffers.decays.between, k.buffers.decays.behind, k.chunk);
}
