//===- PredicateData.cpp - Data of predicates as operands of kernels ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  #xf.tiles<[(i, j)[Nq, Nk, d0, d1] : (d0 - d1 == 0, ..)], ..,
//                    data = [#xf.datum<row = ..>, #xf.datum<column = ..>]>
// After:   xft.launch @tabulate_..(%segments_q, %values0, %ranges0)      and one for the keys;
//          then both are operands of
//          xft.launch @attend_..(.., %values0, %ranges0, %values1, %ranges1)
//
// Computes the data of a predicate once. The results are operands of all its launches: the value of each query and key,
// and for each group of queries or keys that a tile has, the range of their values. For most tiles, these ranges show
// that the predicate holds for all pairs or for none. A kernel reads single values only in the other tiles, which it
// tests pair by pair. Lists of pairs are read directly.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Tile/Rows/TileRows.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns a view [batches, n] of a vector [n], with stride 0 along batches. Returns a matrix as it is.
static Buffer asRows(HostBuilder &host, Buffer buffer, Size batches) {
  if (buffer.rank() == 1) {
    buffer.sizes.insert(buffer.sizes.begin(), batches);
    buffer.strides.insert(buffer.strides.begin(), host.size(0));
  }
  return buffer;
}

Buffer PredicateData::sourceOf(DatumAttr datum) {
  if (datum.getSource() == DatumSource::k_segments)
    return host.unitInner(host.buffer(datum.getRow() ? segmentsQ : segmentsK));
  SmallVector<int32_t> numbers(datum.getNumbers().asArrayRef()); // positions: the verifier bounds them
  auto type = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, host.b.getI32Type());
  Buffer constant = host.contiguous(host.constantBuffer(DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers))));
  return asRows(host, constant, q.sizes[0]);
}

const PredicateData::Tabulated &PredicateData::tabulate(TilesAttr tiles, unsigned number) {
  DatumAttr datum = tiles.getData()[number];
  for (const Tabulated &done : tabulated)
    if (done.datum == datum)
      return done;
  bool isRow = static_cast<bool>(datum.getRow());
  AffineMap at = isRow ? datum.getRow() : datum.getColumn();
  SmallVector<int64_t> symbols;
  SmallVector<Buffer> inputs;
  for (unsigned earlier = 0; earlier < number; ++earlier)
    if (at.isFunctionOfSymbol(tiles.getSymbol(earlier))) {
      symbols.push_back(tiles.getSymbol(earlier));
      inputs.push_back(tabulate(tiles, earlier).values);
    }
  Buffer source = sourceOf(datum);
  int64_t group = isRow ? tile.getRows() : tile.getWidth();
  Size count = isRow ? q.sizes[2] : k.sizes[2], groups = host.ceilDiv(count, group), batches = q.sizes[0];
  Buffer values = host.allocate(source.element, {batches, host.mul(groups, host.size(group))});
  Buffer ranges = host.allocate(source.element, {batches, groups, host.size(2)});
  AttendOperands operands(host);
  unsigned from = operands.add(source, 0), to = operands.add(values, 0), bounds = operands.add(ranges, 0);
  SmallVector<unsigned> scalars, inputNumbers;
  for (Size size : {count, q.sizes[2], k.sizes[2]})
    scalars.push_back(operands.add(size));
  std::optional<unsigned> own;
  if (part)
    own = operands.addClause(part);
  for (const Buffer &input : inputs)
    inputNumbers.push_back(operands.add(input, 0));
  operands.launch("tabulate", host.mul(batches, groups), [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> all) {
    xft::TabulateOp::create(b, loc, all[from], all[to], all[bounds], all[scalars[0]], all[scalars[1]], all[scalars[2]],
                            own ? Value(all[*own]) : Value(), pick(all, inputNumbers), at, symbols, group, isRow);
  });
  tabulated.push_back({datum, values, ranges});
  return tabulated.back();
}

/// Returns the offsets at which the lists of the op's table begin and end in the array of all columns. The offsets are
/// an operand of the op. If the op lacks this operand, all lists have one length, and a launch computes the offsets.
Buffer PredicateData::listOffsets() {
  if (offsets)
    return host.unitInner(host.buffer(offsets));
  if (begins)
    return *begins;
  SmallVector<Size> sizes = host.sizes(columns);
  Size lists = host.product(ArrayRef(sizes).drop_back()), end = host.add(lists, host.size(1));
  begins = host.allocate(host.b.getI64Type(), {end});
  RowLaunch launch(host, {end, host.size(1)});
  RowOperand to = launch.operand(perRow(host, *begins, host.size(1)));
  unsigned length = launch.count(sizes.back());
  launch.launch("list_offsets", [&](RowBody &body) {
    Type f64 = body.code.b.getF64Type(), i64 = body.code.b.getI64Type();
    Value columns = arith::FPToSIOp::create(body.code.b, body.code.loc, i64, body.count(f64, length));
    body.store(arith::MulIOp::create(body.code.b, body.code.loc, body.rowNumber(), columns), to);
  });
  return *begins;
}

/// Returns the offsets of the lists that each batch entry and head sees. If all see the same lists, this is one vector.
/// Otherwise it is BxHx(R + 1), where the end of a row's list is the beginning of the next row's list.
Buffer PredicateData::offsetsByHead() {
  Buffer all = listOffsets();
  if (offsets)
    return all;
  SmallVector<Size> sizes = host.sizes(columns);
  Size rows = sizes[sizes.size() - 2], zero = host.size(0);
  Size ofBatch = sizes.size() == 4 ? host.mul(sizes[1], rows) : sizes.size() == 3 ? rows : zero;
  all.sizes = {q.sizes[0], q.sizes[1], host.add(rows, host.size(1))};
  all.strides = {ofBatch, sizes.size() == 4 ? rows : zero, host.size(1)};
  return all;
}

/// Returns the column indices of the op's table, sorted within each list by a launch. Kernels search the lists, but the
/// operand may have any order.
Buffer PredicateData::sortedColumns() {
  if (sorted)
    return *sorted;
  Buffer starts = listOffsets(), given = host.unitInner(host.buffer(columns));
  if (!offsets) {
    given = host.contiguous(given);
    given.sizes = {host.product(given.sizes)};
    given.strides = {host.size(1)};
  }
  sorted = host.allocate(given.element, given.sizes);
  AttendOperands operands(host);
  unsigned from = operands.add(starts, 0), numbers = operands.add(given, 0), to = operands.add(*sorted, 0);
  Size lists = host.sub(host.max(starts.sizes[0], host.size(1)), host.size(1));
  operands.launch("sort_lists", lists, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> all) {
    xft::SortListsOp::create(b, loc, all[from], all[numbers], all[to]);
  });
  return *sorted;
}

SmallVector<unsigned> PredicateData::add(AttendOperands &operands, TilesAttr tiles) {
  SmallVector<unsigned> numbers;
  if (!tiles)
    return numbers;
  for (auto [number, datum] : llvm::enumerate(tiles.getData())) {
    Buffer first, second;
    if (!datum.isOfPair()) {
      const Tabulated &done = tabulate(tiles, number);
      first = done.values;
      second = done.ranges;
    } else if (datum.getSource() == DatumSource::k_table) {
      first = offsetsByHead();
      second = sortedColumns();
    } else {
      first = host.contiguous(host.constantBuffer(datum.getOffsets())); // equal elements are stored as one
      second = host.contiguous(host.constantBuffer(datum.getColumns()));
    }
    numbers.push_back(operands.add(first, 0));
    numbers.push_back(operands.add(second, 0));
  }
  return numbers;
}

/// Returns `datum` with empty lists. If heads have different lists, keeps the number of lists, because kernels then
/// depend on it.
static DatumAttr withoutLists(DatumAttr datum) {
  if (datum.getSource() != DatumSource::k_lists)
    return datum;
  int64_t lists = datum.getHeads() > 1 ? datum.getHeads() * datum.getRows() : 0;
  auto vectorOf = [](DenseIntElementsAttr attribute, int64_t size) {
    return RankedTensorType::get({size}, attribute.getElementType());
  };
  auto offsets = DenseIntElementsAttr::get(vectorOf(datum.getOffsets(), lists + 1),
                                           APInt::getZero(datum.getOffsets().getElementType().getIntOrFloatBitWidth()));
  auto columns = DenseIntElementsAttr::get(vectorOf(datum.getColumns(), 0), ArrayRef<APInt>());
  return DatumAttr::get(datum.getContext(), datum.getSource(), datum.getRow(), datum.getColumn(), datum.getNumbers(),
                        offsets, columns, datum.getHeads());
}

TilesAttr xf::withoutLists(TilesAttr tiles) {
  if (!tiles)
    return tiles;
  auto data = llvm::map_to_vector(tiles.getData(), [](DatumAttr datum) { return ::withoutLists(datum); });
  return TilesAttr::get(tiles.getContext(), tiles.getConjunctions(), data, tiles.getReason());
}
