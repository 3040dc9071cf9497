//===- AttendVjpScores.cpp - P and dS of a block of pairs -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes P and dS in two passes over the rows: P with the panels of K, then dS with the panels of V. The panels stay
// in the first-level cache during a pass. Keys that all rows of a group see are computed in whole register tiles
// without a mask. At the ends of the interval, masked pairs get P = -0, which the second pass reads. Most registers
// outside of the interval are not written. If a product reads them, which is rare, they are masked before it
// (hideGaps). With a predicate, this code masks all registers outside of the interval.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/MaskedPairs.h"
#include "compiler/Target/CPU/AttendVjp/AttendVjpKernel.h"
#include "compiler/Target/CPU/Machine/RegisterFence.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// A product of rows of q or d_o with the transposed rows of K or V, which are packed to panels.
struct PanelProduct {
  Value rows;     ///< [row][stride]
  int64_t stride; ///< elements between rows
  int64_t depth;  ///< number of terms
  Value panels;   ///< [panel][panelDepth][width]
  int64_t panelDepth;
  double factor; ///< multiplies each sum
  Value added;   ///< [row]: added to each sum of a row, unless null
};
} // namespace

/// Returns the number of lines of a panel of K or V. This is `depth`, the number of elements of a row, rounded up to
/// whole instructions if operands have 16 bits. Otherwise it is `columns`, the elements of a row in whole registers.
static int64_t panelDepth(AttendVjpKernel &k, int64_t depth, int64_t columns) {
  return k.isNarrow() ? llvm::alignTo(depth, k.product.terms) : columns;
}

/// Returns the register tile of `product` that begins at `row` and `column`. All keys of the tile lie in one panel.
/// With `isEnd`, they may lie in several panels.
static SmallVector<Value> multiply(AttendVjpKernel &k, RegisterTile shape, const PanelProduct &product, Value row,
                                   Value column, bool isEnd) {
  KernelBuilder &kb = k.kb;
  const ProductForm &form = k.product;
  auto keysAt = [&](Value column) {
    return k.operandAt(product.panels, kb.floorDiv(column, k.width()), product.panelDepth * k.width(),
                       kb.mul(kb.floorMod(column, k.width()), form.terms));
  };
  SmallVector<Value> panels = {keysAt(column)};
  for (int64_t c = 1; c < (isEnd ? shape.registers : 1); ++c)
    panels.push_back(keysAt(kb.add(column, c * k.lanes)));
  TileTerms keys(panels, kb.integer(k.width()), kb.integer(k.lanes * form.terms));
  keys.rowsPerPointer = panels.size() > 1;
  Value rows = k.operandAt(product.rows, row, product.stride, kb.integer(0));
  int64_t depth = llvm::alignTo(product.depth, form.terms);
  SmallVector<Value> sums(shape.size(), kb.real(k.vector(), 0));
  TermLoop loop = k.termLoop(isEnd);
  sums = multiplyInto({kb, form, shape}, sums, kb.integer(depth), {rows, kb.integer(1), kb.integer(product.stride)},
                      keys, loop);
  if (product.factor == 1)
    return product.added ? addToRows(kb, shape, sums, k.at(product.added, row, 1)) : sums;
  return scaleRows(kb, shape, sums, product.factor, product.added ? k.at(product.added, row, 1) : Value());
}

Value cpu::pairSlot(AttendVjpKernel &k, Value buffer, Value row, Value column) {
  return k.kb.at(k.real, k.at(buffer, row, k.tile.getKeys()), column);
}

/// Returns a pointer to register (n, c) of the tile at (row, column) of `buffer` (P or dS), a matrix [row][tile.keys].
static Value slot(AttendVjpKernel &k, Value buffer, Value row, Value column, int64_t n, int64_t c) {
  return k.kb.at(k.real, pairSlot(k, buffer, row, column), n * k.tile.getKeys() + c * k.lanes);
}

Value cpu::buildSeen(AttendVjpKernel &k, PairMask mask, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  if (mask == PairMask::Bounds)
    return buildVisible(k, k.buffers.rowBounds, row, kb.add(k.keyBlock.first, column), 1)[0];
  VectorType bits = kb.vector(k.integer(), k.lanes);
  Value stored = kb.load(bits, pairSlot(k, k.buffers.masks, row, column));
  return kb.compare(arith::CmpIPredicate::ne, stored, kb.integerOf(bits, 0));
}

//===----------------------------------------------------------------------===//
// Tiles of a group of rows
//===----------------------------------------------------------------------===//

using TileBody = function_ref<void(RegisterTile, Value column, PairMask mask)>;

/// Returns the tiles of the group of rows that begins at `row` and the columns `range`. A predicate decides their
/// states.
static GroupTiles groupTiles(AttendVjpKernel &k, Value row, const ColumnRange &range) {
  return {k,
          k.pairs.predicate,
          k.buffers.rowBounds,
          tileStatesOf(k, row),
          k.at(k.buffers.masks, row, k.tile.getKeys()),
          row,
          k.keyBlock.first,
          range};
}

static void forEachDecidedTile(AttendVjpKernel &k, GroupTiles tiles, TileBody tile) {
  KernelBuilder &kb = k.kb;
  kb.loop(tiles.begin(), tiles.end(), k.width(), [&](Value column) {
    Value state = tiles.load(column, GroupTiles::State);
    kb.ifThen(tiles.isState(state, TileState::Some), [&] {
      tiles.forSome(column, [&](RegisterTile shape, Value column) { tile(shape, column, PairMask::Stored); });
    });
    kb.ifThen(tiles.isState(state, TileState::All), [&] { tile(tiles.shape(), column, PairMask::None); });
  });
}

/// Calls `tile` for the register tiles that cover the columns that the group of rows that begins at `row` sees. Without
/// a predicate, tiles at the ends of `range` are masked by the bounds of rows, and the other tiles have no masked
/// pairs.
static void forEachTile(AttendVjpKernel &k, Value row, const ColumnRange &range, TileBody tile) {
  if (k.pairs.predicate)
    return forEachDecidedTile(k, groupTiles(k, row, range), tile);
  forEachPanelTile(k, range, {}, [&](RegisterTile shape, Value column, PanelTiles kind, ValueRange) {
    tile(shape, column, kind == PanelTiles::Whole ? PairMask::None : PairMask::Bounds);
    return SmallVector<Value>();
  });
}

/// Stores a tile to `buffer` (P or dS) at `row` and `column`.
static void storeTile(AttendVjpKernel &k, RegisterTile shape, ValueRange tile, Value buffer, Value row, Value column) {
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c)
      k.kb.store(shape.at(tile, n, c), slot(k, buffer, row, column, n, c));
}

static Value probability(AttendVjpKernel &k, Value score, Value rest) {
  return k.kb.exp2(k.kb.fma(score, k.kb.real(k.vector(), M_LOG2E), rest));
}

/// Returns whether the code of a tile prefetches a row of a later block for each row that it computes. A wide tile
/// does, because it may be the only tile of these rows.
static bool prefetchesByRow(AttendVjpKernel &k, RegisterTile shape) { return shape.registers > k.tile.getRegisters(); }

/// Computes P of a tile from its scores in the buffer of P, row by row. Masks the pairs outside of the bounds of rows.
static void boundedProbabilities(AttendVjpKernel &k, RegisterTile shape, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  kb.loop(row, kb.add(row, shape.rows), 1, [&](Value row) {
    if (prefetchesByRow(k, shape))
      k.rowBlock.next.buildUpTo(kb, kb.add(row, 1));
    Value rest = k.splat(k.at(k.buffers.rows.rest, row, 1)), slots = pairSlot(k, k.buffers.p, row, column);
    SmallVector<Value> visible =
        buildVisible(k, k.buffers.rowBounds, row, kb.add(k.keyBlock.first, column), shape.registers);
    for (auto [c, seen] : llvm::enumerate(visible)) {
      Value slot = kb.at(k.real, slots, c * k.lanes);
      Value p = probability(k, kb.load(k.vector(), slot), rest);
      kb.store(kb.select(seen, p, kb.real(k.vector(), -0.0)), slot);
    }
  });
}

static void probabilities(AttendVjpKernel &k, RegisterTile shape, Value row, Value column, PairMask mask) {
  KernelBuilder &kb = k.kb;
  k.rowBlock.next.build(kb);
  double factor = k.isNarrow() ? k.op.getScale() : 1;
  PanelProduct product{k.buffers.rows.query,
                       k.columns(),
                       k.depth(),
                       k.buffers.keys.keyPanels,
                       panelDepth(k, k.depth(), k.columns()),
                       factor,
                       k.pairs.score ? Value() : k.buffers.rows.shift};
  SmallVector<Value> scores = multiply(k, shape, product, row, column, mask == PairMask::Bounds);
  if (k.pairs.score)
    return buildModifiedProbabilities(k, shape, scores, row, column, mask);
  if (mask == PairMask::Bounds) {
    storeTile(k, shape, scores, k.buffers.p, row, column);
    freeRegisters(kb);
    return boundedProbabilities(k, shape, row, column);
  }
  for (int64_t n = 0; n < shape.rows; ++n) {
    Value rest = k.splat(kb.at(k.real, k.at(k.buffers.rows.rest, row, 1), n));
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value p = probability(k, shape.at(scores, n, c), rest);
      if (mask != PairMask::None) {
        Value seen = buildSeen(k, mask, kb.add(row, n), kb.add(column, c * k.lanes));
        p = kb.select(seen, p, kb.real(k.vector(), -0.0));
      }
      kb.store(p, slot(k, k.buffers.p, row, column, n, c));
    }
  }
}

/// Computes dS of a tile from its dP - delta in the buffer of dS, row by row.
static void boundedGradients(AttendVjpKernel &k, RegisterTile shape, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  kb.loop(row, kb.add(row, shape.rows), 1, [&](Value row) {
    if (prefetchesByRow(k, shape))
      k.keyBlock.next.buildUpTo(kb, kb.add(k.rowBlock.before, kb.add(row, 1)));
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value to = slot(k, k.buffers.ds, row, column, 0, c),
            p = kb.load(k.vector(), slot(k, k.buffers.p, row, column, 0, c));
      kb.store(clearMasked(k, p, kb.mulf(p, kb.load(k.vector(), to))), to);
    }
  });
}

static void scoreGradients(AttendVjpKernel &k, RegisterTile shape, Value row, Value column, PairMask mask) {
  KernelBuilder &kb = k.kb;
  k.keyBlock.next.build(kb);
  PanelProduct product{k.buffers.rows.cotangent,
                       k.valueColumns(),
                       k.valueDepth(),
                       k.buffers.keys.valuePanels,
                       panelDepth(k, k.valueDepth(), k.valueColumns()),
                       /*factor=*/1,
                       k.pairs.dropout ? Value() : k.buffers.rows.negDelta};
  SmallVector<Value> gradients = multiply(k, shape, product, row, column, mask == PairMask::Bounds);
  if (k.pairs.dropout)
    dropGradients(k, shape, gradients, row, column);
  if (k.pairs.score)
    return buildModifiedGradients(k, shape, gradients, row, column);
  if (mask == PairMask::Bounds) {
    storeTile(k, shape, gradients, k.buffers.ds, row, column);
    freeRegisters(kb);
    return boundedGradients(k, shape, row, column);
  }
  for (int64_t n = 0; n < shape.rows; ++n)
    for (int64_t c = 0; c < shape.registers; ++c) {
      Value p = kb.load(k.vector(), slot(k, k.buffers.p, row, column, n, c));
      Value ds = kb.mulf(p, shape.at(gradients, n, c));
      kb.store(mask != PairMask::None ? clearMasked(k, p, ds) : ds, slot(k, k.buffers.ds, row, column, n, c));
    }
}

/// Rounds P and dS of one term group of a tile: the product.terms rows from row `row` on. Stores them as 16-bit
/// operands of products.
static void narrowRows(AttendVjpKernel &k, int64_t registers, Value row, Value column) {
  KernelBuilder &kb = k.kb;
  const ProductForm &form = k.product;
  auto narrow = [&](Value buffer, int64_t n, int64_t c) {
    return convertFloat(kb, kb.load(k.vector(), slot(k, buffer, row, column, n, c)), form.operand);
  };
  auto storeTerms = [&](Value buffer, ArrayRef<Value> rows, int64_t c) {
    Value to = kb.mul(kb.add(column, c * k.lanes), form.terms);
    kb.store(form.interleave(kb, rows), k.operandAt(buffer, row, k.tile.getKeys(), to));
  };
  for (int64_t c = 0; c < registers; ++c) {
    SmallVector<Value> p, ds;
    for (int64_t term = 0; term < form.terms; ++term) {
      p.push_back(narrow(k.buffers.p, term, c));
      ds.push_back(narrow(k.buffers.ds, term, c));
      kb.store(ds.back(), k.operandAt(k.buffers.operands.dsRows, kb.add(row, term), k.tile.getKeys(),
                                      kb.add(column, c * k.lanes)));
    }
    storeTerms(k.buffers.operands.pTerms, p, c);
    storeTerms(k.buffers.operands.dsTerms, ds, c);
  }
}

/// Stores P and dS of a tile as 16-bit operands of products, if operands have 16 bits. With `isEnd`, does so in a loop
/// over the rows.
static void narrowTile(AttendVjpKernel &k, RegisterTile shape, Value row, Value column, bool isEnd) {
  int64_t terms = k.product.terms;
  if (!k.isNarrow())
    return;
  if (isEnd)
    return k.kb.loop(row, k.kb.add(row, shape.rows), terms,
                     [&](Value row) { narrowRows(k, shape.registers, row, column); });
  for (int64_t n = 0; n < shape.rows; n += terms)
    narrowRows(k, shape.registers, k.kb.add(row, n), column);
}

void cpu::maskColumns(AttendVjpKernel &k, Value row, Value first, Value end) {
  KernelBuilder &kb = k.kb;
  kb.loop(first, end, k.lanes, [&](Value column) {
    for (int64_t n = 0; n < k.tile.getRows(); ++n) {
      kb.store(kb.real(k.vector(), -0.0), slot(k, k.buffers.p, row, column, n, 0));
      kb.store(kb.real(k.vector(), 0), slot(k, k.buffers.ds, row, column, n, 0));
    }
    narrowTile(k, {k.tile.getRows(), 1}, row, column, /*isEnd=*/true);
  });
}

/// Decides the states of the tiles of a group of rows. Masks registers that have no visible pair: stores P = -0 and dS
/// = 0. Tiles outside of the group's range get the state None.
static void classifyTiles(AttendVjpKernel &k, GroupTiles tiles) {
  KernelBuilder &kb = k.kb;
  kb.loop(kb.integer(0), k.keyBlock.padded, k.width(), [&](Value column) { tiles.storeEmpty(column); });
  kb.loop(tiles.begin(), tiles.end(), k.width(), [&](Value column) {
    tiles.classify(column);
    Value first = kb.mul(kb.floorDiv(tiles.load(column, GroupTiles::Begin), k.lanes), k.lanes);
    Value last = kb.mul(kb.ceilDiv(tiles.load(column, GroupTiles::End), k.lanes), k.lanes);
    maskColumns(k, tiles.row, column, first);
    maskColumns(k, tiles.row, kb.max(first, last), kb.add(column, k.width()));
  });
}

void cpu::buildProbabilities(AttendVjpKernel &k) {
  KernelBuilder &kb = k.kb;
  int64_t unit = k.pairs.predicate ? k.width() : k.lanes;
  // A group of keys may reach into a register outside of the range, which is masked.
  int64_t margin = k.lanes % k.tile.getRows() ? llvm::alignTo(k.tile.getRows(), k.lanes) : 0;
  auto forEachGroup = [&](function_ref<void(Value, const ColumnRange &, Value first, Value last)> body) {
    kb.loop(kb.integer(0), k.rows.padded, k.tile.getRows(), [&](Value row) {
      ColumnRange range = buildSeenRange(k, row);
      body(row, range, kb.mul(kb.floorDiv(range.begin, unit), unit), kb.mul(kb.ceilDiv(range.end, unit), unit));
    });
  };
  forEachGroup([&](Value row, const ColumnRange &range, Value first, Value last) {
    Value zero = kb.integer(0), outside = kb.max(first, last);
    maskColumns(k, row, k.pairs.predicate ? zero : kb.max(kb.add(first, -margin), zero), first);
    if (k.pairs.predicate)
      classifyTiles(k, groupTiles(k, row, range));
    forEachTile(k, row, range,
                [&](RegisterTile shape, Value column, PairMask mask) { probabilities(k, shape, row, column, mask); });
    k.rowBlock.next.buildUpTo(kb, kb.add(row, k.tile.getRows()));
    maskColumns(k, row, outside,
                k.pairs.predicate ? k.keyBlock.padded : kb.min(kb.add(outside, margin), k.keyBlock.padded));
  });
  forEachGroup([&](Value row, const ColumnRange &range, Value first, Value last) {
    if (k.pairs.dropout)
      buildKept(k, row, first, last);
    forEachTile(k, row, range, [&](RegisterTile shape, Value column, PairMask mask) {
      scoreGradients(k, shape, row, column, mask);
      if (k.pairs.dropout)
        dropProbabilities(k, shape, row, column);
      narrowTile(k, shape, row, column, mask == PairMask::Bounds);
    });
    k.keyBlock.next.buildUpTo(kb, kb.add(k.rowBlock.before, kb.add(row, k.tile.getRows())));
  });
}
