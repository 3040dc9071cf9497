//===- ExpandContract.cpp - xft.contract becomes register tiles -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 4096 : .. { ^bb0(%s: f32): xft.yield %s : f32 }
// After, for each tile of the grid [begin, end): a block of rows of C by one panel of columns, or by several. A tile
// has several panels if the rows would otherwise be read from memory for each panel. Then each block of terms is added
// for all panels in turn:
//   for each block of at most `depth` terms {
//     pack the panel of B into scratch memory, unless it is packed already
//     pack the rows of A likewise, if A is a transposed matrix
//     for 6 rows at a time, for each run of 512 terms {
//       12 accumulators = 0
//       for each k { 2 loads of the panel; 6 times: broadcast a[row][k], 2 fused multiply-adds }, 8 of them unrolled,
//           between them prefetches of lines that are packed next, and of operands and results of the epilogue
//       add the totals of the runs before, which were spilled to memory
//       after the last run, apply the region to the accumulators; after other runs, spill them; a region
//           with elementary functions is applied to spilled accumulators, row by row, registers interleaved
//     }
//     the same with 4, 2 and 1 rows for the remaining rows
//   }
//   apply the region to spilled accumulators: remaining rows, and all rows of a panel with fewer than 16 columns
// If all matrices of B are multiplied with one transposed A, the panels of a tile come from several of them.
//
// Results do not depend, bit for bit, on the sizes of blocks or the number of rows: blocks hold whole runs, and
// spilling f32 accumulators does not round them. Runs keep the rounding error of long sums small: it grows with the
// square root of 512, the terms of a run, not of K.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Contract/ExpandContract.h"
#include "compiler/Target/CPU/Contract/ContractKernel.h"
#include "compiler/Target/CPU/Operands/ExpandOperands.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

ProductForm cpu::formOf(xft::ContractOp op, const CpuMachine &machine) {
  auto a = cast<MemRefType>(op.getA().getType());
  if (op.isPacked()) {
    ProductForm form = panelForm(machine, a.getElementType(), cast<MemRefType>(op.getB().getType()).getElementType());
    return op.packsPanels() ? form.withPacked(form.operand) : form;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  bool isRowMajor = succeeded(a.getStridesAndOffset(strides, offset)) && strides.back() == 1;
  return productForm(machine, a.getElementType(), isRowMajor || op.packsRows());
}

std::optional<TileForm> cpu::tileFormOf(xft::ContractOp op, const CpuMachine &machine) {
  auto a = cast<MemRefType>(op.getA().getType());
  std::optional<TileForm> form = TileForm::get(machine, a.getElementType());
  ProductForm panels = formOf(op, machine);
  if (!form || panels.operand != form->panels().operand || panels.terms != form->panels().terms || op.packsRows() ||
      op.getRows() % TileForm::rows != 0 || op.getColumns() % TileForm::columns != 0)
    return std::nullopt;
  return form;
}

/// Returns the number of terms per block, in whole runs. With few rows, a panel is used once and should stay in the
/// first-level cache. With many rows, it is reused from the second-level cache.
static Value chooseTermBlock(KernelBuilder &kb, xft::ContractOp op, Value rows, Value mostTerms) {
  int64_t bytes = op.getColumns() * op.getSumType().getIntOrFloatBitWidth() / 8;
  int64_t small = std::max(runTerms, machineOf(kb).l1Bytes / 2 / bytes / runTerms * runTerms);
  if (hasFewRows(op))
    return kb.min(mostTerms, kb.integer(small));
  Value few = kb.compare(arith::CmpIPredicate::sle, rows, kb.integer(2 * op.getRows()));
  return kb.select(few, kb.min(mostTerms, kb.integer(small)), mostTerms);
}

/// Returns whether B of the calling kernel lies in panels (i1). Returns null if B has the same form in all kernels that
/// share the code.
static Value buildIsHeld(KernelBuilder &kb, xft::ContractOp op, const SharedOps &shared) {
  auto isPacked = [&](size_t member) { return int64_t(bool(shared.get<UnitAttr>(member, packedAttrName))); };
  if (op.isPacked() || llvm::none_of(llvm::seq(shared.size()), isPacked))
    return nullptr;
  return kb.compare(arith::CmpIPredicate::ne, shared.integer(kb, isPacked), kb.integer(0));
}

void ContractExpander::expand() {
  auto kernel = op->getParentOfType<func::FuncOp>();
  outSizes = View::of(kb, op.getOuts().front()).sizes;
  depth = a.sizes.back();
  mostRows = numberOf(op.getBlockAttrName());
  mostPanels = numberOf(op.getPanelsAttrName());
  mostTerms = numberOf(op.getDepthAttrName());
  isHeld = buildIsHeld(kb, op, shared);
  termBlock = op.isPacked() ? mostTerms : chooseTermBlock(kb, op, outSizes[batchRank], mostTerms);
  if (isHeld)
    termBlock = kb.select(isHeld, mostTerms, termBlock);
  sumMemory = kernel.getArgument(2);
  panelMemory = kb.at(element, sumMemory, kb.mul(mostPanels, kb.mul(mostRows, width)));
  Value panelSize = op.packsPanels() ? kb.mul(mostTerms, width) : kb.integer(0);
  if (isHeld && !op.getWidened())
    panelSize = kb.select(isHeld, kb.integer(0), panelSize);
  rowMemory = kb.at(element, panelMemory, panelSize);
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, kb.integer(-1), [&](Value number, ValueRange state) {
    ContractTile tile = decode(number);
    expandTile(tile, state[0]);
    return SmallVector<Value>{tile.kept};
  });
}

/// Returns tile `number` of the grid. Tiles that share a panel follow each other, so that a worker that runs them in
/// turn reuses the packed panel. If rows are packed, tiles that share a row block follow each other instead, since the
/// copy of the rows is larger. Rows are spread evenly over their blocks, in whole register tiles.
ContractTile ContractExpander::decode(Value number) {
  ContractTile tile;
  Value rows = outSizes[batchRank], panels = sharesRows ? kb.mul(matrices(), panelsPerMatrix()) : panelsPerMatrix();
  Value rowBlocks = ceilDiv(rows, mostRows), groups = ceilDiv(panels, mostPanels);
  Value rowsPerBlock = kb.mul(kb.ceilDiv(ceilDiv(rows, rowBlocks), op.getRows()), op.getRows());
  Value inner = op.packsRows() ? groups : rowBlocks, outer = op.packsRows() ? rowBlocks : groups;
  tile.kept = kb.div(number, inner);
  Value innerIndex = kb.rem(number, inner), outerIndex = kb.rem(tile.kept, outer);
  Value rowBlock = op.packsRows() ? outerIndex : innerIndex, group = op.packsRows() ? innerIndex : outerIndex;
  tile.batch = sharesRows ? SmallVector<Value>(batchRank, kb.integer(0))
                          : batchIndices(kb, kb.div(tile.kept, outer), batchSizes());
  tile.firstRow = kb.min(kb.mul(rowBlock, rowsPerBlock), rows);
  tile.rows = kb.min(kb.sub(rows, tile.firstRow), rowsPerBlock);
  tile.firstPanel = kb.mul(group, mostPanels);
  tile.panels = kb.min(kb.sub(panels, tile.firstPanel), mostPanels);
  tile.isLastOfPanels = kb.compare(arith::CmpIPredicate::sge, kb.add(tile.firstRow, tile.rows), rows);
  return tile;
}

/// Returns the tile restricted to one of its panels; `number` is the index of the panel within the tile.
ContractTile ContractExpander::panelOf(const ContractTile &tile, Value number) {
  ContractTile part = tile;
  part.number = number;
  part.panel = kb.add(tile.firstPanel, number);
  if (sharesRows) {
    part.batch = batchIndices(kb, kb.div(part.panel, panelsPerMatrix()), batchSizes());
    part.panel = kb.rem(part.panel, panelsPerMatrix());
  }
  part.firstColumn = kb.mul(part.panel, width);
  part.columns = kb.min(kb.sub(outSizes[batchRank + 1], part.firstColumn), kb.integer(width));
  part.sums = kb.at(element, sumMemory, kb.mul(number, kb.mul(mostRows, width)));
  return part;
}

void ContractExpander::forEachPanel(const ContractTile &tile, function_ref<void(ContractTile &)> body) {
  auto enter = [&](Value number) {
    ContractTile part = panelOf(tile, number);
    body(part);
  };
  if (!hasPanels())
    return enter(kb.integer(0));
  kb.loop(kb.integer(0), tile.panels, 1, [&](Value number) { enter(number); });
}

void ContractExpander::expandTile(ContractTile &tile, Value keptBefore) {
  // At least one block: an empty sum is 0, and the region is applied to it.
  Value blocks = kb.max(ceilDiv(depth, termBlock), kb.integer(1));
  Value isOther = kb.compare(arith::CmpIPredicate::ne, keptBefore, tile.kept);
  tile.inParts = kb.compare(arith::CmpIPredicate::sgt, blocks, kb.integer(1));
  tile.packsPanels = either(isOther, tile.inParts);
  kb.loop(kb.integer(0), blocks, 1, [&](Value block) {
    tile.firstTerm = kb.mul(block, termBlock);
    tile.terms = kb.min(termBlock, kb.sub(depth, tile.firstTerm));
    tile.isFirst = kb.compare(arith::CmpIPredicate::eq, block, kb.integer(0));
    tile.isLast = kb.compare(arith::CmpIPredicate::eq, block, kb.add(blocks, -1));
    if (op.packsRows())
      kb.ifThen(tile.packsPanels, [&] { packRowsOf(tile); });
    forEachPanel(tile, [&](ContractTile &part) {
      packTerms(part);
      addTerms(part);
    });
  });
  forEachPanel(tile, [&](ContractTile &part) { finishRows(part); });
}

void ContractExpander::packTerms(ContractTile &tile) {
  if (!op.packsPanels()) {
    tile.panelPointer = panelSource(tile, tile.firstTerm).pointer;
    return;
  }
  tile.panelPointer = packedPanel(tile);
  if (isHeld && op.getWidened())
    return packWidened(tile);
  auto pack = [&] { packPanel(kb, form, panelSource(tile, tile.firstTerm), tile.panelPointer, width); };
  if (!isHeld)
    return op.packsRows() ? pack() : kb.ifThen(tile.packsPanels, pack);
  kb.ifThen(op.packsRows() ? isNot(isHeld) : both(tile.packsPanels, isNot(isHeld)), pack);
  tile.panelPointer = kb.select(isHeld, heldSource(tile, tile.firstTerm).pointer, tile.panelPointer);
}

/// Returns a pointer to the copy of the tile's panel in scratch memory.
Value ContractExpander::packedPanel(const ContractTile &tile) {
  if (op.packsRows())
    return panelMemory;
  Value kept = kb.select(tile.inParts, kb.integer(0), tile.number);
  // Panels lie as close as their terms allow: powers of two apart, panels of few terms would fall into the same cache
  // sets.
  return kb.at(form.operand, panelMemory, kb.mul(kept, kb.mul(form.padded(kb, tile.terms), width)));
}

/// Packs a panel to scratch memory, with elements of the type of sums. The source of the panel is the matrix B, or a
/// prepacked panel of 16-bit elements.
void ContractExpander::packWidened(const ContractTile &tile) {
  auto pack = [&](const PanelSource &source) {
    packPanel(kb, form, source, tile.panelPointer, width);
    return SmallVector<Value>();
  };
  kb.ifElse(
      isHeld, {}, [&] { return pack(heldSource(tile, tile.firstTerm)); },
      [&] { return pack(panelSource(tile, tile.firstTerm)); });
}

void ContractExpander::packRowsOf(const ContractTile &tile) {
  SmallVector<Value> indices = tile.batch;
  indices.append({tile.firstRow, tile.firstTerm});
  if (op.getWidened())
    return widenRows(kb, form, {a.at(kb, indices), a.element, a.strides[batchRank], tile.rows, tile.terms}, rowMemory,
                     op.getRows());
  RowsSource source{a.at(kb, indices), a.element, a.strides[batchRank + 1], tile.rows, tile.terms};
  packRows(kb, form, source, rowMemory, op.getRows());
}

/// Returns the source of the tile's panel, with the terms from `first` on.
PanelSource ContractExpander::panelSource(const ContractTile &tile, Value first) {
  Value terms = kb.min(termBlock, kb.sub(depth, first));
  SmallVector<Value> indices = tile.batch;
  if (op.isPacked()) {
    indices.append({tile.panel, first});
    return {b.at(kb, indices), b.element, kb.integer(width), kb.integer(1), terms, kb.integer(width)};
  }
  indices.append({first, tile.firstColumn});
  return {b.at(kb, indices), b.element, b.strides[batchRank], b.strides[batchRank + 1], terms, tile.columns};
}

/// Like panelSource, for a kernel whose B lies in panels, although the type of B is that of a matrix. The descriptor of
/// B then has the strides of panels: one of the last two is 1, and the other is the distance between panels.
PanelSource ContractExpander::heldSource(const ContractTile &tile, Value first) {
  Value terms = kb.min(termBlock, kb.sub(depth, first));
  Value distance = b.strides[batchRank + matchPattern(b.strides[batchRank], m_One())];
  Value place = kb.add(kb.mul(tile.panel, distance), kb.mul(first, width));
  return {kb.at(b.element, b.at(kb, tile.batch), place),
          b.element,
          kb.integer(width),
          kb.integer(1),
          terms,
          kb.integer(width)};
}

void ContractExpander::finishRows(const ContractTile &tile) {
  Value hasAll = hasAllColumns(tile);
  kb.ifThen(hasAll, [&] { epilogue.applyToRows(tile.spilled(), wholeRows(tile), tile.rows); });
  kb.ifThen(isNot(hasAll), [&] { epilogue.applyToRows(tile.spilled(), kb.integer(0), tile.rows, tile.columns); });
}

LogicalResult cpu::expandContract(xft::ContractOp op, const SharedOps &shared, KernelBuilder &kb) {
  if (failed(requireWholeRegisters(op, op.getColumns(), op.getSumType(), kb.machine)))
    return failure();
  ContractExpander(op, shared, kb).expand();
  op.erase();
  return success();
}
