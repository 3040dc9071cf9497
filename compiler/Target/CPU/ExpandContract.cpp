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
//       for each k { 2 loads of the panel; 6 times: broadcast a[row][k], 2 fused multiply-adds }, 4 of them unrolled,
//           with a request for a line of the next panel between
//       the sums of the runs before, which were put aside, are added
//       after the last run the region is applied while the sums are in registers, else they are put aside
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
#include "compiler/Target/CPU/PackPanel.h"
#include "compiler/Target/CPU/PackRows.h"
#include "compiler/Target/CPU/VectorConvert.h"

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
  Value isFirst, isLast;  ///< block of terms
  // One panel of the tile:
  Value number; ///< within the tile
  Value panel, firstColumn, columns;
  Value sums;         ///< put aside: [block][columns]
  Value panelPointer; ///< panel[k][columns] of these terms
};

/// The next panel's lines, asked for in even steps. Positions are in lines, times 2^fractionBits.
struct Requests {
  LineStream lines;
  Value position, step;
  static constexpr int64_t fractionBits = 16;
};

constexpr int64_t runTerms = xft::ContractOp::runTerms;

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
  void forEachPanel(const Tile &tile, function_ref<void(Tile &)> body);
  void packTerms(Tile &tile, Value isDue);
  void packPanelOf(Tile &tile);
  void packRowsOf(const Tile &tile);
  void addTerms(const Tile &tile);
  PanelSource nextPanel(const Tile &tile);
  PanelSource nextRows(const Tile &tile);
  Value isRequestDue(const Tile &tile);
  Requests nextRequests(const Tile &tile);
  void registerTile(const Tile &tile, Value row, int64_t rows, Requests *requests = nullptr);
  void finishRows(const Tile &tile);
  void finishRun(const Tile &tile, const TermRun &run, Value row, int64_t rows, SmallVector<Value> sums);
  SmallVector<Value> addRunsBefore(const Tile &tile, const TermRun &run, Value row, SmallVector<Value> sums);
  SmallVector<Value> multiply(const Tile &tile, const TermRun &run, Value row, int64_t rows, Requests *requests);
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
  Value panelMemory; ///< this worker's copy of a panel
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
  tile.isLastOfPanels = op.packsRows() ? kb.constant(kb.b.getBoolAttr(true))
                                       : kb.compare(arith::CmpIPredicate::sge, kb.add(tile.firstRow, tile.rows), rows);
  return tile;
}

void ContractExpander::forEachPanel(const Tile &tile, function_ref<void(Tile &)> body) {
  auto enter = [&](Value number) {
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
  Value inParts = kb.compare(arith::CmpIPredicate::sgt, blocks, kb.integer(1));
  Value isDue = arith::OrIOp::create(kb.b, kb.loc, isOther, inParts);
  kb.loop(kb.integer(0), blocks, 1, [&](Value block) {
    tile.firstTerm = kb.mul(block, termBlock);
    tile.terms = kb.min(termBlock, kb.sub(depth, tile.firstTerm));
    tile.isFirst = kb.compare(arith::CmpIPredicate::eq, block, kb.integer(0));
    tile.isLast = kb.compare(arith::CmpIPredicate::eq, block, kb.add(blocks, -1));
    if (op.packsRows())
      kb.ifThen(isDue, [&] { packRowsOf(tile); });
    forEachPanel(tile, [&](Tile &part) {
      packTerms(part, isDue);
      addTerms(part);
    });
  });
  forEachPanel(tile, [&](Tile &part) { finishRows(part); });
}

void ContractExpander::packTerms(Tile &tile, Value isDue) {
  if (op.isPacked()) {
    SmallVector<Value> indices = tile.batch;
    indices.append({tile.panel, tile.firstTerm});
    tile.panelPointer = b.at(kb, indices);
    return;
  }
  tile.panelPointer = panelMemory;
  if (op.packsRows() || op.getPanels() > 1)
    packPanelOf(tile);
  else
    kb.ifThen(isDue, [&] { packPanelOf(tile); });
}

void ContractExpander::packPanelOf(Tile &tile) {
  SmallVector<Value> indices = tile.batch;
  indices.append({tile.firstTerm, tile.firstColumn});
  PanelSource source{b.at(kb, indices),        b.element,  b.strides[batchRank],
                     b.strides[batchRank + 1], tile.terms, tile.columns};
  packPanel(kb, source, panelMemory, width);
}

void ContractExpander::packRowsOf(const Tile &tile) {
  SmallVector<Value> indices = tile.batch;
  indices.append({tile.firstRow, tile.firstTerm});
  RowsSource source{a.at(kb, indices), a.element, a.strides[batchRank + 1], tile.rows, tile.terms};
  packRows(kb, source, rowMemory, op.getRows());
}

/// The part of B that the next panel is packed from: the same terms of a tile with several panels, else the first ones.
PanelSource ContractExpander::nextPanel(const Tile &tile) {
  bool sameTerms = op.getPanels() > 1;
  SmallVector<Value> indices = tile.batch;
  Value next = kb.add(tile.panel, 1), first = sameTerms ? tile.firstTerm : kb.integer(0);
  Value terms = sameTerms ? tile.terms : kb.min(termBlock, depth);
  if (op.isPacked()) {
    indices.append({next, first});
    return {b.at(kb, indices), b.element, kb.integer(width), kb.integer(1), terms, kb.integer(width)};
  }
  Value firstColumn = kb.mul(next, width);
  indices.append({first, firstColumn});
  Value columns = kb.min(kb.sub(outSizes[batchRank + 1], firstColumn), kb.integer(width));
  return {b.at(kb, indices), b.element, b.strides[batchRank], b.strides[batchRank + 1], terms, columns};
}

/// The part of A that the tile's next block of terms is packed from, as far as this panel asks for it: one line of
/// every term, so that all panels together ask for all lines of rows that come from memory once.
PanelSource ContractExpander::nextRows(const Tile &tile) {
  SmallVector<Value> indices = tile.batch;
  Value firstTerm = kb.add(tile.firstTerm, termBlock), terms = kb.min(termBlock, kb.sub(depth, firstTerm));
  indices.append({kb.add(tile.firstRow, kb.mul(tile.number, width)), firstTerm});
  return {a.at(kb, indices), a.element, a.strides[batchRank + 1], kb.integer(1), terms, kb.integer(width)};
}

/// Terms that are unrolled; each such group asks for one line at most.
static constexpr int64_t termsUnrolled = 4;

/// Whether there is something to ask for while this panel is multiplied: its line of the rows' next block of terms;
/// else the next panel, after the last tile that uses this one.
Value ContractExpander::isRequestDue(const Tile &tile) {
  auto both = [&](Value x, Value y) -> Value { return arith::AndIOp::create(kb.b, kb.loc, x, y); };
  if (sharesRows)
    return both(kb.compare(arith::CmpIPredicate::slt, kb.mul(tile.number, width), tile.rows),
                kb.compare(arith::CmpIPredicate::slt, kb.add(tile.firstTerm, tile.terms), depth));
  Value next = kb.mul(kb.add(tile.panel, 1), width);
  Value isThere = kb.compare(arith::CmpIPredicate::slt, next, outSizes[batchRank + 1]);
  return op.getPanels() > 1 ? isThere : both(both(isThere, tile.isLastOfPanels), tile.isLast);
}

/// While register tiles keep the multipliers busy, memory fetches the next panel, or rows. The lines are spread over
/// all terms of all register tiles of the tile before it.
Requests ContractExpander::nextRequests(const Tile &tile) {
  LineStream lines = linesOf(kb, sharesRows ? nextRows(tile) : nextPanel(tile), width);
  Value isDue = isRequestDue(tile);
  Value count = kb.select(isDue, lines.count, kb.integer(0)), one = kb.integer(1);
  Value tiles = kb.max(kb.floorDiv(tile.rows, op.getRows()), one);
  Value groups = kb.mul(tiles, kb.max(kb.floorDiv(tile.terms, termsUnrolled), one));
  Value step = kb.div(kb.mul(count, 1 << Requests::fractionBits), groups);
  return {lines, kb.integer(0), step};
}

/// All rows of the tile: whole register tiles, then 4, 2, 1 rows.
void ContractExpander::addTerms(const Tile &tile) {
  int64_t rows = op.getRows();
  Value position = wholeRows(tile), left = kb.sub(tile.rows, position);
  Requests requests = nextRequests(tile);
  kb.loop(kb.integer(0), position, rows, requests.position, [&](Value row, ValueRange state) {
    requests.position = state[0];
    registerTile(tile, row, rows, &requests);
    return SmallVector<Value>{requests.position};
  });
  for (int64_t part = llvm::PowerOf2Ceil(rows) / 2; part >= 1; part /= 2) {
    Value bit = arith::AndIOp::create(kb.b, kb.loc, left, kb.integer(part));
    Value isThere = kb.compare(arith::CmpIPredicate::ne, bit, kb.integer(0));
    kb.ifThen(isThere, [&] { registerTile(tile, position, part); });
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

/// Asks for the line at the position, and moves on.
static Value request(KernelBuilder &kb, const Requests &requests, Value position) {
  Value line = arith::ShRUIOp::create(kb.b, kb.loc, position, kb.integer(Requests::fractionBits));
  Value address = kb.at(kb.b.getI8Type(), requests.lines.pointer, kb.mul(line, requests.lines.stride));
  LLVM::Prefetch::create(kb.b, kb.loc, address, /*rw=*/0, /*hint=*/2, /*cache=*/1);
  return kb.add(position, requests.step);
}

SmallVector<Value> ContractExpander::multiply(const Tile &tile, const TermRun &run, Value row, int64_t rows,
                                              Requests *requests) {
  TermPointers at = termPointers(tile, run.firstTerm, row, rows);
  int64_t sumCount = rows * (width / lanes);
  SmallVector<Value> state(sumCount, kb.real(kb.vector(element, lanes), 0));
  state.append(at.rows);
  state.push_back(at.panel);
  if (requests)
    state.push_back(requests->position);
  auto terms = [&](int64_t count) {
    return [&, count](Value, ValueRange carried) {
      SmallVector<Value> next(carried);
      MutableArrayRef<Value> pointers = MutableArrayRef(next).slice(sumCount, at.rows.size() + 1);
      TermPointers from = at;
      from.rows.assign(pointers.begin(), pointers.end() - 1);
      from.panel = pointers.back();
      if (requests && count > 1)
        next.back() = request(kb, *requests, next.back());
      for (int64_t step = 0; step < count; ++step)
        multiplyTerm(from, step, rows, MutableArrayRef(next).take_front(sumCount));
      for (Value &pointer : pointers.drop_back())
        pointer = kb.at(at.element, pointer, kb.mul(at.strideK, count));
      pointers.back() = kb.at(element, pointers.back(), count * width);
      return next;
    };
  };
  Value unrolled = kb.integer(0);
  if (requests) {
    unrolled = kb.mul(kb.floorDiv(run.terms, termsUnrolled), termsUnrolled);
    state = kb.loop(kb.integer(0), unrolled, termsUnrolled, state, terms(termsUnrolled));
    requests->position = state.back();
  }
  state = kb.loop(unrolled, run.terms, 1, state, terms(1));
  state.truncate(sumCount);
  return state;
}

void ContractExpander::registerTile(const Tile &tile, Value row, int64_t rows, Requests *requests) {
  Value zero = kb.integer(0), runs = kb.max(kb.ceilDiv(tile.terms, runTerms), kb.integer(1));
  SmallVector<Value> position;
  if (requests)
    position.push_back(requests->position);
  position = kb.loop(zero, runs, 1, position, [&](Value number, ValueRange state) {
    if (requests)
      requests->position = state[0];
    Value first = kb.mul(number, runTerms), isFirst = kb.compare(arith::CmpIPredicate::eq, number, zero);
    Value isLast = kb.compare(arith::CmpIPredicate::eq, number, kb.add(runs, -1));
    TermRun run{first, kb.min(kb.sub(tile.terms, first), kb.integer(runTerms)),
                arith::AndIOp::create(kb.b, kb.loc, tile.isFirst, isFirst),
                arith::AndIOp::create(kb.b, kb.loc, tile.isLast, isLast)};
    finishRun(tile, run, row, rows, multiply(tile, run, row, rows, requests));
    return requests ? SmallVector<Value>{requests->position} : SmallVector<Value>();
  });
  if (requests)
    requests->position = position[0];
}

void ContractExpander::finishRun(const Tile &tile, const TermRun &run, Value row, int64_t rows,
                                 SmallVector<Value> sums) {
  sums = addRunsBefore(tile, run, row, sums);
  if (rows < static_cast<int64_t>(op.getRows()))
    return putAside(tile, row, sums);
  Value whole = arith::AndIOp::create(kb.b, kb.loc, run.isLast, hasAllColumns(tile));
  kb.ifElse(
      whole, {},
      [&] {
        epilogue.applyToTile(tile.batch, kb.add(tile.firstRow, row), tile.firstColumn, sums);
        return SmallVector<Value>();
      },
      [&] {
        putAside(tile, row, sums);
        return SmallVector<Value>();
      });
}

void ContractExpander::finishRows(const Tile &tile) {
  kb.ifElse(
      hasAllColumns(tile), {},
      [&] {
        epilogue.applyToRows(tile.batch, tile.firstRow, wholeRows(tile), tile.rows, tile.firstColumn, tile.sums);
        return SmallVector<Value>();
      },
      [&] {
        epilogue.applyToRows(tile.batch, tile.firstRow, kb.integer(0), tile.rows, tile.firstColumn, tile.sums,
                             tile.columns);
        return SmallVector<Value>();
      });
}

LogicalResult cpu::expandContract(xft::ContractOp op, KernelBuilder &kb) {
  if (failed(requireWholeRegisters(op, op.getColumns(), op.getSumType(), kb.machine)))
    return failure();
  ContractExpander(op, kb).expand();
  op.erase();
  return success();
}
