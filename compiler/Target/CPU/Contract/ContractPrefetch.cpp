//===- ContractPrefetch.cpp - Software prefetch of a product --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ContractKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

/// Returns the cache lines of the panel of `tile`, with the terms from `first` on: in B, or in prepacked panels if
/// isHeld.
CacheLines ContractExpander::panelLines(const ContractTile &tile, Value first) {
  CacheLines lines = linesOf(kb, panelSource(tile, first), width);
  if (!isHeld)
    return lines;
  CacheLines held = linesOf(kb, heldSource(tile, first), width);
  if (held.perRow != lines.perRow) { // lines of panels follow each other: any number of them may be a row
    held.stride = kb.integer(lines.perRow * KernelBuilder::cacheLine);
    held.perRow = lines.perRow;
  }
  lines.pointer = kb.select(isHeld, held.pointer, lines.pointer);
  lines.stride = kb.select(isHeld, held.stride, lines.stride);
  lines.count = kb.select(isHeld, held.count, lines.count);
  return lines;
}

/// Returns the prefetch stream of the panel that is packed after this one:
/// - If panels are packed anew for each block of terms: the next panel of the tile or, after the last one, the first
///   panel with the next block of terms.
/// - If a tile has several panels that stay packed: the next panel of the tile. Only a tile that packs its panels
///   prefetches it.
/// - If a tile has one panel that stays packed: the next panel of the matrix. Only the last tile that uses this panel
///   prefetches it.
PrefetchStream ContractExpander::nextPanel(const ContractTile &tile) {
  Value zero = kb.integer(0), number = kb.add(tile.number, 1);
  Value hasNext = kb.compare(arith::CmpIPredicate::slt, number, tile.panels);
  Value isAnew = op.packsRows() ? yes() : tile.inParts;
  Value sameOrNext = kb.select(hasNext, tile.firstTerm, nextTerm(tile));
  ContractTile next = panelOf(tile, kb.select(both(isAnew, isNot(hasNext)), zero, number));
  Value isThere = kb.compare(arith::CmpIPredicate::sgt, next.columns, zero);
  Value isDueWhereKept = both(isThere, tile.isLastOfPanels);
  if (hasPanels()) {
    Value isOne = kb.compare(arith::CmpIPredicate::eq, mostPanels, kb.integer(1));
    isDueWhereKept = kb.select(isOne, isDueWhereKept, both(hasNext, tile.packsPanels));
  }
  Value isDueAnew = either(hasNext, isNot(tile.isLast));
  CacheLines lines = panelLines(next, kb.select(isAnew, sameOrNext, zero));
  return spread(tile, lines, kb.select(isAnew, isDueAnew, isDueWhereKept));
}

/// Returns the prefetch stream of the rows that are packed for the next block of terms of the tile. Each panel of the
/// tile prefetches its share of these lines.
PrefetchStream ContractExpander::nextRows(const ContractTile &tile) {
  int64_t bytes = a.element.getIntOrFloatBitWidth() / 8;
  int64_t lines = 1; // of a panel: the same for all kernels that share the code, as long as none prefetches too few
  for (size_t member = 0; member < shared.size(); ++member) {
    auto number = [&](StringAttr name) { return shared.get<IntegerAttr>(member, name).getInt(); };
    int64_t rows = number(op.getBlockAttrName()), panels = number(op.getPanelsAttrName());
    lines = std::max<int64_t>(lines, llvm::divideCeil(rows * bytes, KernelBuilder::cacheLine * panels));
  }
  SmallVector<Value> indices = tile.batch;
  Value first = nextTerm(tile);
  Value skipped = kb.mul(tile.number, lines * KernelBuilder::cacheLine / bytes);
  indices.append({kb.add(tile.firstRow, skipped), first});
  Value terms = kb.min(termBlock, kb.sub(depth, first));
  CacheLines stream{a.at(kb, indices), kb.mul(a.strides[batchRank + 1], bytes), kb.mul(terms, lines), lines};
  Value isThere = kb.compare(arith::CmpIPredicate::slt, skipped, tile.rows);
  return spread(tile, stream, both(isThere, isNot(tile.isLast)));
}

/// Returns a stream that spreads the prefetches of `lines` over all terms of all register tiles of a panel, so that
/// memory works while the multipliers do. Prefetches nothing unless `isDue`.
PrefetchStream ContractExpander::spread(const ContractTile &tile, const CacheLines &lines, Value isDue) {
  Value count = kb.select(isDue, lines.count, kb.integer(0)), one = kb.integer(1);
  Value tiles = kb.max(kb.floorDiv(tile.rows, op.getRows()), one);
  return PrefetchStream::start(kb, lines, count, kb.mul(tiles, groupsOf(tile.terms)));
}

/// Returns the prefetch stream of `lines`, which the epilogue of a register tile reads and writes. Only the last block
/// of terms prefetches them. The lines of neighbouring rows of C are a whole row of memory apart. No hardware
/// prefetcher foresees them, and without the prefetches the epilogue would wait for each.
PrefetchStream ContractExpander::tilePrefetches(const ContractTile &tile, const CacheLines &lines) {
  Value count = kb.select(tile.isLast, lines.count, kb.integer(0));
  return PrefetchStream::start(kb, lines, count, groupsOf(tile.terms));
}
