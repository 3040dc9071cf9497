//===- DecodeValues.cpp - Products with values of few rows ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/Decode/LineShares.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/Kernel/Code/RegisterTile.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// The number of keys whose values one iteration of the loop over keys adds.
static constexpr int64_t keysOfGroup = 4;

/// Returns pointers to the rows of v of the keys that one instruction adds, from `key` on. Unless `areSeen`, some of
/// these keys may lie behind the last key that some row sees. Then this last key takes their place.
static SmallVector<Value> rowsOfKeys(DecodeTask &decode, const KeyBlock &block, Value key, bool areSeen) {
  KernelBuilder &kb = decode.kb;
  SmallVector<Value> rows;
  for (int64_t term = 0; term < decode.product.terms; ++term) {
    Value number = kb.add(key, term);
    if (term > 0 && !areSeen)
      number = kb.min(number, kb.add(block.end, -1));
    rows.push_back(decode.values.at(kb, kb.add(block.first, number)));
  }
  return rows;
}

/// Loads the values of the keys at `rows`, as registers that begin at `column` + offsets[..]. In between, calls
/// prefetch(part, parts) for each of `parts` parts of a prefetch. If an instruction adds several keys, prefetches one
/// part before each pair of registers. Otherwise prefetches all before the first register.
static SmallVector<Value> loadValues(DecodeTask &decode, ArrayRef<Value> rows, Value column, ArrayRef<int64_t> offsets,
                                     function_ref<void(int64_t part, int64_t parts)> prefetch) {
  KernelBuilder &kb = decode.kb;
  Type operand = decode.product.operand;
  SmallVector<Value> registers;
  int64_t terms = decode.product.terms, ofPart = terms > 1 ? terms : offsets.size();
  for (size_t n = 0; n < offsets.size(); n = registers.size()) {
    if (n % ofPart == 0)
      prefetch(n / ofPart, llvm::divideCeil(offsets.size(), ofPart));
    Value first = kb.add(column, offsets[n]);
    if (decode.isPair(offsets, n)) {
      auto load = [&](Value row) { return kb.load(decode.product.operands(kb), kb.at(operand, row, first), 2); };
      auto [lower, upper] = interleaveParts(kb, load(rows[0]), load(rows[1]));
      registers.append({lower, upper});
    } else {
      auto ofKeys = llvm::map_to_vector(rows, [&](Value row) { return decode.values.load(kb, operand, row, first); });
      registers.push_back(decode.product.interleave(kb, ofKeys));
    }
  }
  return registers;
}

static Value alignDown(KernelBuilder &kb, Value key, int64_t to) { return kb.mul(kb.floorDiv(key, to), to); }

/// Returns the range of keys of a block that some row sees, widened to a multiple of the keys that an instruction adds.
/// Weights of the additional keys are masked.
static std::pair<Value, Value> wholeInstructions(DecodeTask &decode, const KeyBlock &block) {
  return {alignDown(decode.kb, block.begin, decode.product.terms), decode.product.padded(decode.kb, block.end)};
}

namespace {
/// A span of keys of a block. All register tiles of o read the values of a span before they read the next span. A span
/// is the whole block. But if tiles prefetch rows of v in order, it has only as many keys as stay in the first-level
/// cache.
struct KeySpan {
  Value first; ///< in the block
  int64_t keys;
};

/// A register tile of o: `shape.rows` rows from row `row` on, by registers of columns. Register c lies at `slot` + c *
/// lanes in scratch memory, and begins with column `slot` + offsets[c].
struct ValueTile {
  DecodeTask &decode;
  const KeyBlock &block;
  Value row;
  RegisterTile shape;
  Value slot;
  ArrayRef<int64_t> offsets;
  KeySpan span;
  Value number;                           ///< of this tile
  const std::optional<RowStream> &stream; ///< prefetches the rows of v, if tiles prefetch them in order
  const LineShares &shares;               ///< otherwise prefetches the lines of these columns
  ArrayRef<Value> starts;                 ///< where the tile's share of lines lies

  Value output(int64_t r, int64_t c) {
    Value start = decode.kb.at(decode.real, decode.outputAt(decode.kb.add(row, r)), slot);
    return decode.kb.at(decode.real, start, c * decode.lanes);
  }

  /// Adds the products with the values of the keys that one instruction adds, from `key` on. weights(row) returns a
  /// pointer to P of a row and this key, and `prefetch` prefetches as in loadValues(). `mask` is needed if some row may
  /// not see these keys.
  void addKeys(MutableArrayRef<Value> sums, Value key, function_ref<Value(Value row)> weights,
               function_ref<void(int64_t part, int64_t parts)> prefetch, const TermMask &mask) {
    KernelBuilder &kb = decode.kb;
    SmallVector<Value> rows = rowsOfKeys(decode, block, key, /*areSeen=*/!mask);
    SmallVector<Value> values = loadValues(decode, rows, slot, offsets, prefetch);
    auto left = [&](int64_t r) {
      return decode.product.broadcast(kb, decode.product.operand, weights(kb.add(row, r)));
    };
    addTerm({kb, decode.product, shape}, sums, {0, shape.rows}, {left, [&](int64_t c) { return values[c]; }}, mask);
  }

  /// Adds the products with values of keys [begin, end) of the block. These are whole groups, which all rows see.
  /// Prefetches the tile's share of later groups.
  SmallVector<Value> addGroups(ValueRange sums, Value begin, Value end) {
    KernelBuilder &kb = decode.kb;
    SmallVector<Value> carried(sums);
    if (stream)
      carried.push_back(stream->start(kb.add(block.first, span.first), number, span.keys));
    auto sharesAhead = [&](Value key) {
      Value ahead = decode.values.at(kb, kb.add(kb.add(block.first, key), shares.rowsAhead()));
      return kb.at(decode.values.view.element, ahead, kb.add(slot, offsets[0]));
    };
    carried = kb.loop(begin, end, keysOfGroup, carried, [&](Value key, ValueRange carried) {
      SmallVector<Value> next(carried.take_front(sums.size()));
      Value ahead = stream ? carried.back() : sharesAhead(key);
      int64_t terms = decode.product.terms, steps = keysOfGroup / terms;
      for (int64_t step = 0; step < steps; ++step) {
        auto prefetch = [&](int64_t part, int64_t parts) {
          if (stream)
            stream->prefetchStep(ahead, step * parts + part, steps * parts);
          else
            shares.prefetchStep(ahead, starts, step * parts + part, steps * parts);
        };
        int64_t n = step * terms;
        addKeys(next, kb.add(key, n), [&](Value row) { return decode.weightsAt(row, key, n, keysOfGroup); }, prefetch,
                {});
      }
      if (stream)
        next.push_back(stream->next(ahead));
      return next;
    });
    carried.resize(sums.size());
    return carried;
  }

  /// Adds the products with values of keys [begin, end) of the block, as many keys at a time as an instruction adds.
  /// Replaces values of masked pairs, which may be NaN, by zeros.
  SmallVector<Value> addMasked(ValueRange sums, Value begin, Value end) {
    KernelBuilder &kb = decode.kb;
    auto visible = [&](Value weight) { return isVisible(decode, weight); };
    TermMask mask;
    mask.ofWeight = visible;
    return kb.loop(begin, end, decode.product.terms, sums, [&](Value key, ValueRange sums) {
      SmallVector<Value> next(sums);
      auto weights = [&](Value row) { return decode.weightsAt(row, key, 0, decode.product.terms); };
      addKeys(next, key, weights, [](int64_t, int64_t) {}, mask);
      return next;
    });
  }

  /// Returns, in all lanes, the factor by which o of row `r` of the tile is multiplied before a span is added. It is
  /// the decay of the row before the first span of the block, and 1 before later spans.
  Value factor(int64_t r) {
    KernelBuilder &kb = decode.kb;
    Value from = decode.decayAt(kb.add(row, r));
    Value decay =
        decode.z.rowsOfBand == 1 ? kb.load(decode.vector(), from) : kb.broadcastLoad(decode.real, decode.lanes, from);
    if (span.keys == decode.z.tile.getKeys())
      return decay;
    Value isFirst = kb.compare(arith::CmpIPredicate::eq, span.first, kb.integer(0));
    return kb.select(isFirst, decay, kb.real(decode.vector(), 1));
  }

  void build() {
    KernelBuilder &kb = decode.kb;
    SmallVector<Value> factors;
    for (int64_t r = 0; r < shape.rows; ++r)
      factors.push_back(factor(r));
    SmallVector<Value> sums =
        shape.fill([&](int64_t r, int64_t c) { return kb.mulf(kb.load(decode.vector(), output(r, c)), factors[r]); });
    Value commonBegin = kb.mul(kb.ceilDiv(block.commonBegin, keysOfGroup), keysOfGroup);
    auto [begin, end] = wholeInstructions(decode, block);
    Value groupsEnd = alignDown(kb, block.commonEnd, keysOfGroup);
    Value isAny = kb.compare(arith::CmpIPredicate::slt, commonBegin, groupsEnd);
    commonBegin = kb.select(isAny, commonBegin, end);
    groupsEnd = kb.select(isAny, groupsEnd, end);
    sums = addMasked(sums, begin, commonBegin);
    sums = addGroups(sums, commonBegin, groupsEnd);
    sums = addMasked(sums, groupsEnd, end);
    for (int64_t r = 0; r < shape.rows; ++r)
      for (int64_t c = 0; c < shape.registers; ++c)
        kb.store(shape.at(sums, r, c), output(r, c));
  }
};
} // namespace

/// Returns the number of registers of columns in a tile of `rows` rows. Registers must suffice for the sums, a value
/// for each column, and a weight. Tiles have whole pairs of registers, except the last one.
static int64_t tileColumns(const DecodeTask &decode, int64_t rows) {
  int64_t sums = decode.z.tile.getSums(), others = interleavedKeys(decode.real), unit = decode.product.terms;
  int64_t most = rows == 1 ? sums : (sums + others) / (rows + 1);
  int64_t units = llvm::divideCeil(decode.values.registers.size(), unit);
  return std::min(balanced(units, std::max<int64_t>(1, most / unit)) * unit, decode.values.registers.size());
}

namespace {
/// How o is divided into register tiles. A tile has at most `rows` rows and `columns` registers of columns.
struct ValueTiles {
  int64_t rows, columns;
  int64_t ofColumns, count; ///< number of tiles that have the same columns, and of all tiles
  bool isStream;            ///< whether tiles prefetch whole rows of v in order

  // Tall tiles read few values, and all rows of up to eight read each value once. A stream has as many tiles as divide
  // a group.
  explicit ValueTiles(const DecodeTask &decode)
      : rows(balanced(decode.z.rows, std::max<int64_t>(4, decode.z.tile.getSums() / 3))),
        ofColumns(llvm::divideCeil(decode.z.rows, rows)) {
    int64_t registers = decode.values.registers.size(), most = tileColumns(decode, rows), unit = decode.product.terms;
    auto tiles = [&](int64_t columns) { return ofColumns * llvm::divideCeil(registers, columns); };
    columns = most;
    while (columns > unit && !RowStream::divides(keysOfGroup, tiles(columns)))
      columns -= columns % unit ? columns % unit : unit;
    isStream = decode.z.overlaps() && RowStream::divides(keysOfGroup, tiles(columns));
    columns = isStream ? columns : most;
    count = tiles(columns);
  }
};
} // namespace

/// Returns the number of keys in a span of values: half a block, or less if their values take more than a third of the
/// first-level cache. With shorter spans, tiles would load and store o more often.
static int64_t keysOfSpan(const DecodeTask &decode) {
  int64_t bytes = decode.values.registers.columns * decode.values.view.element.getIntOrFloatBitWidth() / 8;
  int64_t keys = decode.z.tile.getKeys() / 2, most = machineOf(decode.kb).l1Bytes / 3 / bytes;
  while (keys > most && keys % (2 * keysOfGroup) == 0)
    keys /= 2;
  return keys;
}

/// Returns the part of a block that lies in a span.
static KeyBlock partOf(DecodeTask &decode, const KeyBlock &block, const KeySpan &span) {
  auto clamp = [&](Value key) { return decode.kb.clamp(key, span.first, decode.kb.add(span.first, span.keys)); };
  return {block.first,     block.rowBounds, clamp(block.begin), clamp(block.commonBegin), clamp(block.commonEnd),
          clamp(block.end)};
}

/// Adds the products with the values of a span to o. `part` is the part of the block in the span.
static void buildSpan(DecodeTask &decode, const KeyBlock &part, const KeySpan &span, const ValueTiles &tiles) {
  KernelBuilder &kb = decode.kb;
  std::optional<RowStream> stream;
  if (tiles.isStream)
    stream.emplace(decode, keysOfGroup, tiles.count);
  decode.values.registers.forEach(kb, tiles.columns, [&](Value slot, ArrayRef<int64_t> offsets) {
    int64_t count = offsets.size();
    LineShares shares(decode, decode.values, count * decode.lanes, keysOfGroup, tiles.ofColumns);
    Value first = kb.mul(kb.floorDiv(slot, tiles.columns * decode.lanes), tiles.ofColumns);
    forEachTile(decode, decode.z.rows, tiles.rows, [&](Value row, int64_t rows) {
      Value ofRows = kb.floorDiv(row, tiles.rows), number = kb.add(first, ofRows);
      SmallVector<Value> starts = stream ? SmallVector<Value>() : shares.starts(ofRows);
      ValueTile{decode, part, row, {rows, count}, slot, offsets, span, number, stream, shares, starts}.build();
    });
  });
}

void cpu::buildValues(DecodeTask &decode, const KeyBlock &block) {
  KernelBuilder &kb = decode.kb;
  ValueTiles tiles(decode);
  int64_t keys = decode.z.tile.getKeys(), ofSpan = tiles.isStream ? keysOfSpan(decode) : keys;
  if (ofSpan == keys)
    return buildSpan(decode, block, {kb.integer(0), keys}, tiles);
  kb.loop(kb.integer(0), kb.integer(keys), ofSpan, [&](Value first) {
    KeySpan span{first, ofSpan};
    buildSpan(decode, partOf(decode, block, span), span, tiles);
  });
}
