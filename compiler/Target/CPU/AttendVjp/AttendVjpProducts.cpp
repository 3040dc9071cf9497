//===- AttendVjpProducts.cpp - dV += P^T dO, dK += dS^T Q, dQ = dS K ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The products dV += P^T dO, dK += dS^T Q and dQ = dS K. All three have one form: target[n][:] += sum over t of m(t, n)
// x[t][:], where m is P or dS. m is broadcast element by element at any stride, so nothing is transposed. A sum adds
// its terms in order of t, over one interval that contains all terms with a visible pair. With a predicate, only runs
// of terms in the interval are added (AttendVjpRuns.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static constexpr auto slt = arith::CmpIPredicate::slt;

namespace {
struct Product {
  Value multipliers; ///< m(t, n) is element t * termStride + n * rowStride
  int64_t termStride, rowStride;
  bool isProbability; ///< whether m is P; else m is dS
  Value x;            ///< [t][columns]
  Value target;       ///< [n][columns]
  int64_t columns;
  bool accumulates; ///< whether sums start from the target; else from 0

  TileTerms factors(KernelBuilder &kb) const { return {multipliers, kb.integer(termStride), kb.integer(rowStride)}; }
  /// Returns the rows of x, from column `column` on, as the right operand of a register tile.
  TileTerms rows(AttendVjpKernel &k, Value column) const {
    int64_t terms = k.product.terms;
    Value first = k.kb.at(k.product.operand, x, k.kb.mul(column, terms));
    return {first, k.kb.integer(columns), k.kb.integer(k.lanes * terms)};
  }
};
} // namespace

namespace {
/// The terms [begin, end) of a product. With `runs`, the terms outside of the runs have no visible pair and are left
/// out.
struct Terms {
  Value begin, end;
  Value runs; ///< in the layout of buildRowRuns, or null
};
} // namespace

using Sums = SmallVector<Value>;

/// Round `term`, a row or column of the blocks, down or up to a multiple of the terms that an instruction takes. The
/// pairs of additional terms are masked.
static Value firstTerm(AttendVjpKernel &k, Value term) {
  return k.kb.mul(k.kb.floorDiv(term, k.product.terms), k.product.terms);
}
static Value lastTerm(AttendVjpKernel &k, Value term) {
  return k.kb.mul(k.kb.ceilDiv(term, k.product.terms), k.product.terms);
}

/// Calls `add` with the accumulators for each run of the terms, or once for all terms if there are no runs. Returns the
/// accumulators.
static Sums addTerms(AttendVjpKernel &k, const Terms &terms, Sums sums,
                     function_ref<Sums(ValueRange sums, Value begin, Value end)> add) {
  KernelBuilder &kb = k.kb;
  if (!terms.runs)
    return add(sums, terms.begin, terms.end);
  auto entry = [&](Value n) { return kb.load(kb.i64(), kb.at(kb.i64(), terms.runs, n)); };
  return kb.loop(kb.integer(0), entry(kb.integer(0)), 1, sums, [&](Value run, ValueRange sums) {
    Value first = kb.mul(run, 2);
    return add(sums, firstTerm(k, entry(kb.add(first, 1))), lastTerm(k, entry(kb.add(first, 2))));
  });
}

/// Computes columns [column, column + registers * lanes) of a product for all rows of a register tile.
static void registerTile(AttendVjpKernel &k, const Product &product, const Terms &terms, Value column,
                         int64_t registers) {
  KernelBuilder &kb = k.kb;
  RegisterTile shape{k.tile.getRows(), registers};
  Value target = kb.at(k.real, product.target, column);
  auto slot = [&](int64_t n, int64_t c) { return kb.at(k.real, target, n * product.columns + c * k.lanes); };
  SmallVector<Value> sums = shape.fill([&](int64_t n, int64_t c) {
    return product.accumulates ? kb.load(k.vector(), slot(n, c)) : kb.real(k.vector(), 0);
  });
  sums = addTerms(k, terms, sums, [&](ValueRange sums, Value begin, Value end) {
    return multiplyInto({kb, k.product, shape}, sums, {begin, end}, product.factors(kb), product.rows(k, column));
  });
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      kb.store(shape.at(sums, n, c), slot(n, c));
}

static void buildTiles(AttendVjpKernel &k, const Product &product, const Terms &terms) {
  KernelBuilder &kb = k.kb;
  int64_t rest = product.columns / k.lanes % k.tile.getRegisters(), whole = product.columns - rest * k.lanes;
  kb.loop(kb.integer(0), kb.integer(whole), k.width(),
          [&](Value column) { registerTile(k, product, terms, column, k.tile.getRegisters()); });
  if (rest)
    registerTile(k, product, terms, kb.integer(whole), rest);
}

/// Computes a product whose x may have elements that are not finite. To keep these out of the sums, zeros replace the x
/// of masked pairs, register by register. Visible pairs are added in the same order as in buildTiles.
static void buildCarefully(AttendVjpKernel &k, const Product &product, const Terms &terms) {
  KernelBuilder &kb = k.kb;
  // P of a masked pair is -0 (+0 is a very small probability); dS is 0, as for a visible pair with a score of -inf. P
  // cannot mark the masked pairs of dS: dropout sets P of dropped pairs, which have a dS, to -0.
  auto visible = [&](Value m) { return product.isProbability ? isVisible(k, m) : isNotZero(k, m); };
  TermMask mask{visible};
  kb.loop(kb.integer(0), kb.integer(k.tile.getRows()), 1, [&](Value n) {
    Product row = product;
    row.multipliers = kb.at(k.product.operand, product.multipliers, kb.mul(n, product.rowStride));
    kb.loop(kb.integer(0), kb.integer(product.columns), k.lanes, [&](Value column) {
      Value slot = kb.at(k.real, k.at(product.target, n, product.columns), column);
      Value start = product.accumulates ? kb.load(k.vector(), slot) : kb.real(k.vector(), 0);
      Value sum = multiplyInto({kb, k.product, {1, 1}}, start, {terms.begin, terms.end}, row.factors(kb),
                               row.rows(k, column), mask)[0];
      kb.store(sum, slot);
    });
  });
}

static void buildProduct(AttendVjpKernel &k, Value finite, const Terms &terms, const Product &product) {
  auto with = [&](auto build) {
    return [&, build]() -> SmallVector<Value> {
      build(k, product, terms);
      return {};
    };
  };
  k.kb.ifElse(finite, {}, with(buildTiles), with(buildCarefully));
}

//===----------------------------------------------------------------------===//
// The three products
//===----------------------------------------------------------------------===//

/// Stores P = -0 and dS = 0 for the group of keys that begins at column `key` and for those groups of rows in [begin,
/// end) that see none of its keys. A product runs over these rows too, although their P and dS have not been computed.
static void hideGaps(AttendVjpKernel &k, Value key, Value begin, Value end) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(kb.floorDiv(key, k.lanes), k.lanes);
  Value last = kb.mul(kb.ceilDiv(kb.add(key, k.tile.getRows()), k.lanes), k.lanes);
  kb.loop(begin, end, k.tile.getRows(), [&](Value row) {
    ColumnRange range = buildSeenRange(k, row);
    Value before = kb.compare(slt, range.begin, last), after = kb.compare(slt, first, range.end);
    Value isComputed = arith::AndIOp::create(kb.b, kb.loc, before, after);
    kb.ifElse(
        isComputed, {}, [] { return SmallVector<Value>(); },
        [&]() -> SmallVector<Value> {
          maskColumns(k, row, first, last);
          return {};
        });
  });
}

/// Calls `body` for the groups of keys that meet the columns [begin, end).
static void forEachKeyGroup(AttendVjpKernel &k, Value begin, Value end, function_ref<void(Value key)> body) {
  k.kb.loop(k.kb.mul(k.kb.floorDiv(begin, k.tile.getRows()), k.tile.getRows()), end, k.tile.getRows(), body);
}

namespace {
/// The numbers stored for each group of keys. They tell which rows of the block are multiplied with the group. [Begin,
/// End) are the rows from the first to the last group of rows that sees a key of the group. Seeing is how many rows the
/// groups of rows that see such a key have together. Count is how many numbers are stored.
enum class RowsOfKeys : int64_t { Begin, End, Seeing, Count };
} // namespace

static Value entryOf(AttendVjpKernel &k, Value key, RowsOfKeys which) {
  KernelBuilder &kb = k.kb;
  Value first = kb.mul(kb.floorDiv(key, k.tile.getRows()), static_cast<int64_t>(RowsOfKeys::Count));
  return kb.at(kb.i64(), k.buffers.keyRows, kb.add(first, static_cast<int64_t>(which)));
}

/// Stores RowsOfKeys for each group of keys that some row of the block sees. Loops over the groups of rows, and for
/// each of them over the groups of keys that it sees; narrow patterns have few of these. Without a predicate, also
/// stores P = -0 and dS = 0 where a group of rows between Begin and End sees none of the keys.
static void buildRowsOfKeys(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  using enum RowsOfKeys;
  forEachKeyGroup(k, k.rowBlock.seen.first, k.rowBlock.seen.second, [&](Value key) {
    kb.store(k.rows.padded, entryOf(k, key, Begin));
    kb.store(kb.integer(0), entryOf(k, key, End));
    kb.store(kb.integer(0), entryOf(k, key, Seeing));
  });
  kb.loop(kb.integer(0), k.rows.padded, k.tile.getRows(), [&](Value row) {
    ColumnRange range = buildSeenRange(k, row);
    Value end = kb.select(kb.compare(slt, range.begin, range.end), range.end, kb.integer(0));
    forEachKeyGroup(k, range.begin, end, [&](Value key) {
      Value first = entryOf(k, key, Begin), seeing = entryOf(k, key, Seeing);
      kb.store(kb.min(kb.load(kb.i64(), first), row), first);
      kb.store(kb.add(row, k.tile.getRows()), entryOf(k, key, End));
      kb.store(kb.add(kb.load(kb.i64(), seeing), k.tile.getRows()), seeing);
    });
  });
  if (k.pairs.predicate)
    return;
  forEachKeyGroup(k, k.rowBlock.seen.first, k.rowBlock.seen.second, [&](Value key) {
    Value begin = kb.load(kb.i64(), entryOf(k, key, Begin)), end = kb.load(kb.i64(), entryOf(k, key, End));
    kb.ifThen(kb.compare(slt, kb.load(kb.i64(), entryOf(k, key, Seeing)), kb.sub(end, begin)),
              [&] { hideGaps(k, key, begin, end); });
  });
}

void cpu::buildKeyGradients(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  buildRowsOfKeys(k);
  auto forEachGroup = [&](function_ref<void(Value key)> body) {
    forEachKeyGroup(k, k.rowBlock.seen.first, k.rowBlock.seen.second, body);
  };
  auto multiply = [&](Value key, Value multipliers, bool isProbability, Value x, Value target, int64_t columns) {
    int64_t terms = k.product.terms;
    Product product{k.operandAt(multipliers, kb.integer(0), k.tile.getKeys(), kb.mul(key, terms)),
                    k.tile.getKeys(),
                    terms,
                    isProbability,
                    x,
                    k.at(target, key, columns),
                    columns,
                    /*accumulates=*/true};
    Terms rows{kb.load(kb.i64(), entryOf(k, key, RowsOfKeys::Begin)),
               kb.load(kb.i64(), entryOf(k, key, RowsOfKeys::End)), k.pairs.predicate ? k.buffers.runs : Value()};
    if (k.pairs.predicate)
      buildRowRuns(k, key, k.buffers.runs);
    buildProduct(k, k.rowBlock.areFinite, rows, product);
  };
  forEachGroup([&](Value key) {
    multiply(key, k.buffers.operands.pTerms, /*isProbability=*/true, k.buffers.operands.dOTerms, k.buffers.keys.dValues,
             k.valueColumns());
  });
  forEachGroup([&](Value key) {
    multiply(key, k.buffers.operands.dsTerms, /*isProbability=*/false, k.buffers.operands.queryTerms,
             k.buffers.keys.dKeys, k.columns());
  });
}

void cpu::buildQueryGradients(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.rows.padded, k.tile.getRows(), [&](Value row) {
    ColumnRange range = buildSeenRange(k, row);
    Terms terms{firstTerm(k, range.begin), lastTerm(k, range.end), k.pairs.predicate ? k.buffers.runs : Value()};
    if (k.pairs.predicate)
      buildKeyRuns(k, row, range, k.buffers.runs);
    Product product{k.operandAt(k.buffers.operands.dsRows, row, k.tile.getKeys(), kb.integer(0)),
                    1,
                    k.tile.getKeys(),
                    /*isProbability=*/false,
                    k.buffers.keys.keys,
                    k.at(k.buffers.dQuery, row, k.columns()),
                    k.columns(),
                    /*accumulates=*/false};
    buildProduct(k, k.keyBlock.areFinite, terms, product);
  });
}
