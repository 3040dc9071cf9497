//===- ExpandContract.cpp - xft.contract becomes register tiles -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:
//   xft.contract %a, %b outs(%c) rows 6 columns 16 block 96 depth 4096 : .. { ^bb0(%s: f32): xft.yield %s : f32 }
// After, for each tile of the grid [begin, end), a block of rows of C by one panel of columns (or by several, each
// block of terms for all of them in turn, where the sum is so long that the rows would come from memory for each):
//   for each block of at most `depth` terms {
//     pack the panel of B into scratch memory, unless it is there or came packed
//     the same with the rows of A, where A is a transposed matrix
//     for 6 rows at a time, for each run of 512 terms {
//       12 registers of sums = 0
//       for each k { 2 loads of the panel; 6 times: broadcast a[row][k], 2 fused multiply-adds }, 8 of them unrolled,
//           with requests between for a line of what is packed next and of what the tile reads and writes at its end
//       the sums of the runs before, which were put aside, are added
//       after the last run the region is applied while the sums are in registers, else they are put aside; a region
//           with elementary functions is applied to sums put aside, row by row, the registers of a row side by side
//     }
//     the same with 4, 2 and 1 rows for what is left
//   }
//   the region on sums that were put aside: rows left, and all rows of a panel with fewer than 16 columns
// Where all matrices of B meet one transposed A, the panels of a tile come from several of them.
//
// Blocks hold whole runs, and putting f32 sums aside does not round them: neither block sizes nor the number of rows
// are seen in the bits. Runs keep the error of long sums small: it grows with the square root of 512, not of K.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/ExpandContract.h"
#include "compiler/Target/CPU/ContractEpilogue.h"
#include "compiler/Target/CPU/LineRequests.h"
#include "compiler/Target/CPU/PackPanel.h"
#include "compiler/Target/CPU/PackRows.h"
#include "compiler/Target/Kernel/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// A tile of the grid, and the block of terms that is being added to it.
struct Tile {
  SmallVector<Value> batch;
  Value kept; ///< number of what stays packed from tile to tile: the panel among those of all matrices, or the rows
  Value firstRow, rows, firstPanel, panels;
  Value isLastOfPanels;   ///< no other tile of the matrix reads these panels after it
  Value firstTerm, terms; ///< of the sum over k
  Value inParts;          ///< several blocks of terms: each is packed anew
  Value packsPanels;      ///< they are not those of the tile before, or in parts
  Value isFirst, isLast;  ///< block of terms
  // One panel of the tile:
  Value number; ///< within the tile
  Value panel, firstColumn, columns;
  Value sums;         ///< put aside: [block][columns]
  Value panelPointer; ///< panel[k][columns] of these terms
};

constexpr int64_t runTerms = xft::ContractOp::runTerms;

/// Terms that are unrolled; each such group asks for one line at most of each stream.
constexpr int64_t termsUnrolled = 8;

/// Terms of a block that are added to one another before they are added to those before them.
struct TermRun {
  Value firstTerm, terms; ///< within the block
  Value isFirst, isLast;  ///< of the whole sum
};

/// Where the terms of a register tile lie. Rows of A that a machine reaches from one pointer share it.
struct TermPointers {
  Type element;
  SmallVector<Value> rows;
  int64_t rowsPerPointer;
  Value strideM, strideK, panel;
};

class ContractExpander {
public:
  ContractExpander(xft::ContractOp op, KernelBuilder &kb)
      : op(op), kb(kb), a(View::of(kb, op.getA())), b(View::of(kb, op.getB())), epilogue(kb, op),
        batchRank(a.sizes.size() - 2), element(op.getSumType()), lanes(kb.machine.lanes(element)),
        width(op.getColumns()), sharesRows(packedRowsAreShared(op)) {}

  void expand();

private:
  ArrayRef<Value> batchSizes() { return ArrayRef<Value>(outSizes).take_front(batchRank); }
  Value panelsPerMatrix() { return kb.ceilDiv(outSizes[batchRank + 1], width); }
  Value matrices() {
    Value product = kb.integer(1);
    for (Value size : batchSizes())
      product = kb.mul(product, size);
    return product;
  }
  Tile decode(Value number);
  void expandTile(Tile &tile, Value keptBefore);
  Tile panelOf(const Tile &tile, Value number);
  void forEachPanel(const Tile &tile, function_ref<void(Tile &)> body);
  PanelSource panelSource(const Tile &tile, Value first);
  void packTerms(Tile &tile);
  void packRowsOf(const Tile &tile);
  void addTerms(const Tile &tile);
  Value groupsOf(Value terms) { return kb.max(kb.floorDiv(terms, termsUnrolled), kb.integer(1)); }
  Value yes() { return kb.constant(kb.b.getBoolAttr(true)); }
  Value isNot(Value condition) { return arith::XOrIOp::create(kb.b, kb.loc, condition, yes()); }
  Value both(Value x, Value y) { return arith::AndIOp::create(kb.b, kb.loc, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(kb.b, kb.loc, x, y); }
  Value nextTerm(const Tile &tile) { return kb.add(tile.firstTerm, termBlock); }
  LineRequests spread(const Tile &tile, const LineStream &lines, Value isDue);
  LineRequests nextPanel(const Tile &tile);
  LineRequests nextRows(const Tile &tile);
  LineRequests tileRequests(const Tile &tile, const LineStream &lines);
  void registerTile(const Tile &tile, Value row, int64_t rows, SmallVector<LineRequests> &requests);
  void finishRows(const Tile &tile);
  void finishRun(const Tile &tile, const TermRun &run, Value row, int64_t rows, SmallVector<Value> sums);
  SmallVector<Value> addRunsBefore(const Tile &tile, const TermRun &run, Value row, SmallVector<Value> sums);
  SmallVector<Value> multiply(const Tile &tile, const TermRun &run, Value row, int64_t rows,
                              MutableArrayRef<LineRequests> requests);
  TermPointers termPointers(const Tile &tile, Value firstTerm, Value row, int64_t rows);
  void multiplyTerm(TermPointers &at, int64_t step, int64_t rows, MutableArrayRef<Value> sums);
  void putAside(const Tile &tile, Value row, ArrayRef<Value> sums);
  Value aside(const Tile &tile, Value row, int64_t register_);
  Value wholeRows(const Tile &tile) { return kb.mul(kb.floorDiv(tile.rows, op.getRows()), op.getRows()); }
  Value hasAllColumns(const Tile &tile) {
    return kb.compare(arith::CmpIPredicate::eq, tile.columns, kb.integer(width));
  }

  xft::ContractOp op;
  KernelBuilder &kb;
  View a, b;
  ContractEpilogue epilogue;
  int64_t batchRank;
  Type element;
  int64_t lanes, width;
  bool sharesRows; ///< packed rows meet panels of all matrices
  SmallVector<Value> outSizes;
  Value depth;       ///< of the sum: K
  Value termBlock;   ///< terms per block
  Value panelMemory; ///< this worker's copy of a panel; of a tile's panels, where rows are not packed
  Value rowMemory;   ///< this worker's copy of a block's rows, where they are packed
  Value sumMemory;   ///< sums put aside: [panels][block][columns]
};
} // namespace

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

/// Few rows use a panel once, from the first-level cache; many rows use it from the second. Whole runs of terms.
static Value chooseTermBlock(KernelBuilder &kb, xft::ContractOp op, Value rows) {
  int64_t bytes = op.getColumns() * op.getSumType().getIntOrFloatBitWidth() / 8;
  int64_t small = std::max(runTerms, kb.machine.l1Bytes / 2 / bytes / runTerms * runTerms);
  Value few = kb.compare(arith::CmpIPredicate::sle, rows, kb.integer(2 * op.getRows()));
  return kb.select(few, kb.integer(std::min<int64_t>(op.getDepth(), small)), kb.integer(op.getDepth()));
}

void ContractExpander::expand() {
  auto kernel = op->getParentOfType<func::FuncOp>();
  outSizes = View::of(kb, op.getOuts().front()).sizes;
  depth = a.sizes.back();
  termBlock = op.isPacked() ? kb.integer(op.getDepth()) : chooseTermBlock(kb, op, outSizes[batchRank]);
  sumMemory = kernel.getArgument(2);
  panelMemory = kb.at(element, sumMemory, op.getPanels() * op.getBlock() * width);
  rowMemory = kb.at(element, panelMemory, op.isPacked() ? 0 : op.getDepth() * width);
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, kb.integer(-1), [&](Value number, ValueRange state) {
    Tile tile = decode(number);
    expandTile(tile, state[0]);
    return SmallVector<Value>{tile.kept};
  });
}

/// Row blocks of a panel are neighbours: a worker that runs them one after the other keeps the panel. Where rows are
/// packed, the panels of a row block are neighbours instead: the copy of the rows is the larger. Rows are spread evenly
/// over their blocks, in whole register tiles.
Tile ContractExpander::decode(Value number) {
  Tile tile;
  Value rows = outSizes[batchRank], panels = sharesRows ? kb.mul(matrices(), panelsPerMatrix()) : panelsPerMatrix();
  Value rowBlocks = kb.ceilDiv(rows, op.getBlock()), groups = kb.ceilDiv(panels, op.getPanels());
  Value rowsPerBlock =
      kb.mul(kb.ceilDiv(kb.div(kb.add(rows, kb.add(rowBlocks, -1)), rowBlocks), op.getRows()), op.getRows());
  Value inner = op.packsRows() ? groups : rowBlocks, outer = op.packsRows() ? rowBlocks : groups;
  tile.kept = kb.div(number, inner);
  Value innerIndex = kb.rem(number, inner), outerIndex = kb.rem(tile.kept, outer);
  Value rowBlock = op.packsRows() ? outerIndex : innerIndex, group = op.packsRows() ? innerIndex : outerIndex;
  tile.batch = sharesRows ? SmallVector<Value>(batchRank, kb.integer(0))
                          : batchIndices(kb, kb.div(tile.kept, outer), batchSizes());
  tile.firstRow = kb.min(kb.mul(rowBlock, rowsPerBlock), rows);
  tile.rows = kb.min(kb.sub(rows, tile.firstRow), rowsPerBlock);
  tile.firstPanel = kb.mul(group, op.getPanels());
  tile.panels = kb.min(kb.sub(panels, tile.firstPanel), kb.integer(op.getPanels()));
  tile.isLastOfPanels = kb.compare(arith::CmpIPredicate::sge, kb.add(tile.firstRow, tile.rows), rows);
  return tile;
}

/// The panel of the given number within the tile.
Tile ContractExpander::panelOf(const Tile &tile, Value number) {
  Tile part = tile;
  part.number = number;
  part.panel = kb.add(tile.firstPanel, number);
  if (sharesRows) {
    part.batch = batchIndices(kb, kb.div(part.panel, panelsPerMatrix()), batchSizes());
    part.panel = kb.rem(part.panel, panelsPerMatrix());
  }
  part.firstColumn = kb.mul(part.panel, width);
  part.columns = kb.min(kb.sub(outSizes[batchRank + 1], part.firstColumn), kb.integer(width));
  part.sums = kb.at(element, sumMemory, kb.mul(number, op.getBlock() * width));
  return part;
}

void ContractExpander::forEachPanel(const Tile &tile, function_ref<void(Tile &)> body) {
  auto enter = [&](Value number) {
    Tile part = panelOf(tile, number);
    body(part);
  };
  if (op.getPanels() == 1)
    return enter(kb.integer(0));
  kb.loop(kb.integer(0), tile.panels, 1, [&](Value number) { enter(number); });
}

void ContractExpander::expandTile(Tile &tile, Value keptBefore) {
  // At least one block: an empty sum is 0, which the region still sees.
  Value blocks = kb.max(kb.div(kb.add(depth, kb.add(termBlock, -1)), termBlock), kb.integer(1));
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
    forEachPanel(tile, [&](Tile &part) {
      packTerms(part);
      addTerms(part);
    });
  });
  forEachPanel(tile, [&](Tile &part) { finishRows(part); });
}

void ContractExpander::packTerms(Tile &tile) {
  PanelSource source = panelSource(tile, tile.firstTerm);
  if (op.isPacked()) {
    tile.panelPointer = source.pointer;
    return;
  }
  tile.panelPointer = panelMemory;
  if (op.packsRows())
    return packPanel(kb, source, tile.panelPointer, width);
  Value kept = kb.select(tile.inParts, kb.integer(0), tile.number);
  // As near as their terms allow: whole powers of two apart, panels of few terms would meet in the same cache sets.
  tile.panelPointer = kb.at(element, panelMemory, kb.mul(kept, kb.mul(tile.terms, width)));
  kb.ifThen(tile.packsPanels, [&] { packPanel(kb, source, tile.panelPointer, width); });
}

void ContractExpander::packRowsOf(const Tile &tile) {
  SmallVector<Value> indices = tile.batch;
  indices.append({tile.firstRow, tile.firstTerm});
  RowsSource source{a.at(kb, indices), a.element, a.strides[batchRank + 1], tile.rows, tile.terms};
  packRows(kb, source, rowMemory, op.getRows());
}

/// Where B has the terms from `first` on of the panel that a tile begins with or is at.
PanelSource ContractExpander::panelSource(const Tile &tile, Value first) {
  Value terms = kb.min(termBlock, kb.sub(depth, first));
  SmallVector<Value> indices = tile.batch;
  if (op.isPacked()) {
    indices.append({tile.panel, first});
    return {b.at(kb, indices), b.element, kb.integer(width), kb.integer(1), terms, kb.integer(width)};
  }
  indices.append({first, tile.firstColumn});
  return {b.at(kb, indices), b.element, b.strides[batchRank], b.strides[batchRank + 1], terms, tile.columns};
}

/// What is packed after this panel. Where each block of terms packs those of the tile anew: the tile's next one, or the
/// first with the terms after these. Where panels stay packed: the next one while a tile packs its panels, or, of one
/// panel, that of the next tiles in the last tile that uses it.
LineRequests ContractExpander::nextPanel(const Tile &tile) {
  Value zero = kb.integer(0), number = kb.add(tile.number, 1);
  Value hasNext = kb.compare(arith::CmpIPredicate::slt, number, tile.panels);
  Value isAnew = op.packsRows() ? yes() : tile.inParts;
  Value sameOrNext = kb.select(hasNext, tile.firstTerm, nextTerm(tile));
  Tile next = panelOf(tile, kb.select(both(isAnew, isNot(hasNext)), zero, number));
  Value isThere = kb.compare(arith::CmpIPredicate::sgt, next.columns, zero);
  Value isDueWhereKept = op.getPanels() > 1 ? both(hasNext, tile.packsPanels) : both(isThere, tile.isLastOfPanels);
  Value isDueAnew = either(hasNext, isNot(tile.isLast));
  PanelSource source = panelSource(next, kb.select(isAnew, sameOrNext, zero));
  return spread(tile, linesOf(kb, source, width), kb.select(isAnew, isDueAnew, isDueWhereKept));
}

/// The rows that the tile's next block of terms packs: each of its panels asks for a part of the lines of all terms.
LineRequests ContractExpander::nextRows(const Tile &tile) {
  int64_t bytes = a.element.getIntOrFloatBitWidth() / 8;
  int64_t lines = llvm::divideCeil(op.getBlock() * bytes, KernelBuilder::cacheLine * op.getPanels());
  SmallVector<Value> indices = tile.batch;
  Value first = nextTerm(tile);
  Value skipped = kb.mul(tile.number, lines * KernelBuilder::cacheLine / bytes);
  indices.append({kb.add(tile.firstRow, skipped), first});
  Value terms = kb.min(termBlock, kb.sub(depth, first));
  LineStream stream{a.at(kb, indices), kb.mul(a.strides[batchRank + 1], bytes), kb.mul(terms, lines), lines};
  Value isThere = kb.compare(arith::CmpIPredicate::slt, skipped, tile.rows);
  return spread(tile, stream, both(isThere, isNot(tile.isLast)));
}

/// While register tiles keep the multipliers busy, memory fetches what is packed next. The lines are spread over all
/// terms of all register tiles of a panel.
LineRequests ContractExpander::spread(const Tile &tile, const LineStream &lines, Value isDue) {
  Value count = kb.select(isDue, lines.count, kb.integer(0)), one = kb.integer(1);
  Value tiles = kb.max(kb.floorDiv(tile.rows, op.getRows()), one);
  return LineRequests::start(kb, lines, count, kb.mul(tiles, groupsOf(tile.terms)));
}

/// What a register tile reads and writes beside the product, after its last terms. The rows of C are as far apart as
/// its columns are many: no hardware foresees them, and the tile's end would wait for each.
LineRequests ContractExpander::tileRequests(const Tile &tile, const LineStream &lines) {
  Value count = kb.select(tile.isLast, lines.count, kb.integer(0));
  return LineRequests::start(kb, lines, count, groupsOf(tile.terms));
}

/// All rows of the tile: whole register tiles, then 4, 2, 1 rows.
void ContractExpander::addTerms(const Tile &tile) {
  int64_t rows = op.getRows();
  Value position = wholeRows(tile), left = kb.sub(tile.rows, position);
  SmallVector<LineRequests> next = {nextPanel(tile)};
  if (op.packsRows())
    next.push_back(nextRows(tile));
  kb.loop(kb.integer(0), position, rows, positionsOf(next), [&](Value row, ValueRange state) {
    SmallVector<LineRequests> requests = next;
    for (const LineStream &lines : epilogue.linesOfTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, rows))
      requests.push_back(tileRequests(tile, lines));
    resume(MutableArrayRef(requests).take_front(next.size()), state);
    registerTile(tile, row, rows, requests);
    return positionsOf(ArrayRef(requests).take_front(next.size()));
  });
  for (int64_t part = llvm::PowerOf2Ceil(rows) / 2; part >= 1; part /= 2) {
    Value bit = arith::AndIOp::create(kb.b, kb.loc, left, kb.integer(part));
    Value isThere = kb.compare(arith::CmpIPredicate::ne, bit, kb.integer(0));
    kb.ifThen(isThere, [&] {
      SmallVector<LineRequests> none;
      registerTile(tile, position, part, none);
    });
    position = kb.add(position, bit);
  }
}

//===----------------------------------------------------------------------===//
// Register tile
//===----------------------------------------------------------------------===//

Value ContractExpander::aside(const Tile &tile, Value row, int64_t register_) {
  return kb.at(element, kb.at(element, tile.sums, kb.mul(row, width)),
               register_ / (width / lanes) * width + register_ % (width / lanes) * lanes);
}

/// Sums of one run of terms are added to those of the runs before it.
SmallVector<Value> ContractExpander::addRunsBefore(const Tile &tile, const TermRun &run, Value row,
                                                   SmallVector<Value> sums) {
  Type type = kb.vector(element, lanes);
  return kb.ifElse(
      run.isFirst, SmallVector<Type>(sums.size(), type), [&] { return sums; },
      [&] {
        SmallVector<Value> totals;
        for (auto [i, sum] : llvm::enumerate(sums))
          totals.push_back(kb.addf(kb.load(type, aside(tile, row, i)), sum));
        return totals;
      });
}

void ContractExpander::putAside(const Tile &tile, Value row, ArrayRef<Value> sums) {
  for (auto [i, sum] : llvm::enumerate(sums))
    kb.store(sum, aside(tile, row, i));
}

/// One term of every sum: `step` terms behind the pointers.
void ContractExpander::multiplyTerm(TermPointers &at, int64_t step, int64_t rows, MutableArrayRef<Value> sums) {
  int64_t registers = width / lanes;
  SmallVector<Value> panel;
  for (int64_t j = 0; j < registers; ++j)
    panel.push_back(kb.load(kb.vector(element, lanes), kb.at(element, at.panel, step * width + j * lanes)));
  for (int64_t r = 0; r < rows; ++r) {
    Value term = kb.at(at.element, at.rows[r / at.rowsPerPointer], kb.mul(at.strideM, r % at.rowsPerPointer));
    Value value = loadBroadcast(kb, at.element, lanes, kb.at(at.element, term, kb.mul(at.strideK, step)));
    for (int64_t j = 0; j < registers; ++j)
      sums[r * registers + j] = kb.fma(value, panel[j], sums[r * registers + j]);
  }
}

/// Where the terms of `rows` rows from `row` of the tile begin.
TermPointers ContractExpander::termPointers(const Tile &tile, Value firstTerm, Value row, int64_t rows) {
  int64_t height = op.getRows();
  Value panel = kb.at(element, tile.panelPointer, kb.mul(firstTerm, width));
  if (op.packsRows()) {
    Value tileStride = packedTileStride(kb, height, tile.terms);
    Value packedTile = kb.at(element, rowMemory, kb.mul(kb.floorDiv(row, height), tileStride));
    Value first = kb.at(element, packedTile, kb.add(kb.mul(firstTerm, height), kb.floorMod(row, height)));
    return {element, {first}, rows, kb.integer(1), kb.integer(height), panel};
  }
  TermPointers at{a.element, {}, 3, a.strides[batchRank], a.strides[batchRank + 1], panel};
  for (int64_t r = 0; r < rows; r += at.rowsPerPointer) {
    SmallVector<Value> indices = tile.batch;
    indices.append({kb.add(kb.add(tile.firstRow, row), r), kb.add(tile.firstTerm, firstTerm)});
    at.rows.push_back(a.at(kb, indices));
  }
  return at;
}

SmallVector<Value> ContractExpander::multiply(const Tile &tile, const TermRun &run, Value row, int64_t rows,
                                              MutableArrayRef<LineRequests> requests) {
  TermPointers at = termPointers(tile, run.firstTerm, row, rows);
  int64_t sumCount = rows * (width / lanes);
  SmallVector<Value> state(sumCount, kb.real(kb.vector(element, lanes), 0));
  state.append(at.rows);
  state.push_back(at.panel);
  llvm::append_range(state, positionsOf(requests));
  auto terms = [&](int64_t count) {
    return [&, count](Value, ValueRange carried) {
      SmallVector<Value> next(carried);
      MutableArrayRef<Value> pointers = MutableArrayRef(next).slice(sumCount, at.rows.size() + 1);
      TermPointers from = at;
      from.rows.assign(pointers.begin(), pointers.end() - 1);
      from.panel = pointers.back();
      if (count > 1)
        for (auto [stream, position] : llvm::zip_equal(requests, MutableArrayRef(next).take_back(requests.size())))
          position = stream.ask(kb, position);
      for (int64_t step = 0; step < count; ++step)
        multiplyTerm(from, step, rows, MutableArrayRef(next).take_front(sumCount));
      for (Value &pointer : pointers.drop_back())
        pointer = kb.at(at.element, pointer, kb.mul(at.strideK, count));
      pointers.back() = kb.at(element, pointers.back(), count * width);
      return next;
    };
  };
  Value unrolled = kb.integer(0);
  if (!requests.empty()) {
    unrolled = kb.mul(kb.floorDiv(run.terms, termsUnrolled), termsUnrolled);
    state = kb.loop(kb.integer(0), unrolled, termsUnrolled, state, terms(termsUnrolled));
    resume(requests, ArrayRef(state).take_back(requests.size()));
  }
  state = kb.loop(unrolled, run.terms, 1, state, terms(1));
  state.truncate(sumCount);
  return state;
}

void ContractExpander::registerTile(const Tile &tile, Value row, int64_t rows, SmallVector<LineRequests> &requests) {
  Value zero = kb.integer(0), runs = kb.max(kb.ceilDiv(tile.terms, runTerms), kb.integer(1));
  SmallVector<Value> last = kb.loop(zero, runs, 1, positionsOf(requests), [&](Value number, ValueRange state) {
    resume(requests, state);
    Value first = kb.mul(number, runTerms), isFirst = kb.compare(arith::CmpIPredicate::eq, number, zero);
    Value isLast = kb.compare(arith::CmpIPredicate::eq, number, kb.add(runs, -1));
    TermRun run{first, kb.min(kb.sub(tile.terms, first), kb.integer(runTerms)), both(tile.isFirst, isFirst),
                both(tile.isLast, isLast)};
    finishRun(tile, run, row, rows, multiply(tile, run, row, rows, requests));
    return positionsOf(requests);
  });
  resume(requests, last);
}

void ContractExpander::finishRun(const Tile &tile, const TermRun &run, Value row, int64_t rows,
                                 SmallVector<Value> sums) {
  sums = addRunsBefore(tile, run, row, sums);
  if (rows < static_cast<int64_t>(op.getRows()))
    return putAside(tile, row, sums);
  Value whole = both(run.isLast, hasAllColumns(tile));
  kb.ifElse(
      whole, {},
      [&] {
        if (epilogue.prefersMemory()) {
          putAside(tile, row, sums);
          epilogue.applyToRows(tile.batch, tile.firstRow, row, kb.add(row, rows), tile.firstColumn, tile.sums);
        } else {
          epilogue.applyToTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, sums);
        }
        return SmallVector<Value>();
      },
      [&] {
        putAside(tile, row, sums);
        return SmallVector<Value>();
      });
}

void ContractExpander::finishRows(const Tile &tile) {
  Value hasAll = hasAllColumns(tile);
  kb.ifThen(hasAll, [&] {
    epilogue.applyToRows(tile.batch, tile.firstRow, wholeRows(tile), tile.rows, tile.firstColumn, tile.sums);
  });
  kb.ifThen(isNot(hasAll), [&] {
    epilogue.applyToRows(tile.batch, tile.firstRow, kb.integer(0), tile.rows, tile.firstColumn, tile.sums,
                         tile.columns);
  });
}

LogicalResult cpu::expandContract(xft::ContractOp op, KernelBuilder &kb) {
  if (failed(requireWholeRegisters(op, op.getColumns(), op.getSumType(), kb.machine)))
    return failure();
  ContractExpander(op, kb).expand();
  op.erase();
  return success();
}
