//===- LineShares.cpp - Prefetches shared by register tiles ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/LineShares.h"
#include "compiler/Target/CPU/Machine/CpuMachine.h"
#include "compiler/Target/CPU/Machine/PrefetchStream.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static int64_t elementsOfLine(const HeadRows &rows) {
  return KernelBuilder::cacheLine * 8 / rows.view.element.getIntOrFloatBitWidth();
}

/// The most rows of a head for which a small first-level cache has room for the prefetched lines.
static constexpr int64_t mostRowsForSmallCache = 8;

/// Returns whether lines are prefetched to the first-level cache. They are, unless the cache is small and a head has
/// more than mostRowsForSmallCache rows.
static bool asksForFirstLevel(const CpuMachine &machine, int64_t rows) {
  constexpr int64_t smallCache = 32 << 10;
  return rows <= mostRowsForSmallCache || machine.l1Bytes > smallCache;
}

/// Returns how many bytes ahead lines are prefetched. The distance grows with the number of rows of a head: the more
/// rows multiply a key, the longer prefetched lines wait for their use.
static int64_t bytesAheadOf(const DecodeTask &decode) {
  if (decode.z.rows <= 2)
    return 4096;
  if (decode.z.rows <= 4)
    return 8192;
  if (decode.z.rows <= mostRowsForSmallCache)
    return 12288;
  constexpr int64_t elements = 8192;
  bool isNear =
      asksForFirstLevel(machineOf(decode.kb), decode.z.rows) && decode.keys.view.element.getIntOrFloatBitWidth() == 32;
  return isNear ? elements * 4 : elements * 2;
}

LineShares::LineShares(DecodeTask &decode, const HeadRows &rows, int64_t columns, int64_t group, int64_t parts)
    : kb(decode.kb), rows(rows), toFirstLevel(asksForFirstLevel(machineOf(kb), decode.z.rows)),
      bytesAhead(bytesAheadOf(decode)), group(group), perRow(llvm::divideCeil(columns, elementsOfLine(rows))) {
  // The largest unit whose last one adds little to a share: each has its own address.
  int64_t fewest = llvm::divideCeil(group * perRow, parts), most = fewest + fewest / 8;
  unit = std::min(perRow, fewest);
  while (perRow % unit != 0 || llvm::alignTo(fewest, unit) > static_cast<uint64_t>(most))
    --unit;
  share = llvm::alignTo(fewest, unit);
}

static int64_t linesOfRow(const HeadRows &rows) {
  return llvm::divideCeil(rows.registers.columns, elementsOfLine(rows));
}

/// Converts a distance in bytes to a distance in rows, rounded up.
static int64_t rowsOf(const HeadRows &rows, int64_t bytes) {
  return llvm::divideCeil(bytes, linesOfRow(rows) * KernelBuilder::cacheLine);
}

int64_t LineShares::rowsAhead() const { return rowsOf(rows, bytesAhead); }

SmallVector<Value> LineShares::starts(Value part) const {
  int64_t units = share / unit, unitsOfRow = perRow / unit, last = group * unitsOfRow - 1;
  Value first = kb.mul(part, units);
  if (unitsOfRow == 1) { // whole rows: one product with a stride
    Value row = kb.mul(kb.min(first, kb.integer(std::max<int64_t>(0, last + 1 - units))), rows.view.strides[2]);
    return llvm::map_to_vector(llvm::seq<int64_t>(0, units),
                               [&](int64_t n) { return kb.add(row, kb.mul(rows.view.strides[2], n)); });
  }
  return llvm::map_to_vector(llvm::seq<int64_t>(0, units), [&](int64_t n) {
    Value number = kb.min(kb.add(first, n), kb.integer(last));
    Value row = kb.mul(kb.floorDiv(number, unitsOfRow), rows.view.strides[2]);
    return kb.add(row, kb.mul(kb.floorMod(number, unitsOfRow), unit * elementsOfLine(rows)));
  });
}

static void prefetch(KernelBuilder &kb, Value address, bool toFirstLevel) {
  if (toFirstLevel)
    prefetchToFirstLevel(kb, address);
  else
    kb.prefetch(address);
}

void LineShares::prefetchStep(Value pointer, ArrayRef<Value> starts, int64_t step, int64_t steps) const {
  for (int64_t line = step * share / steps; line < (step + 1) * share / steps; ++line) {
    Value start = kb.at(rows.view.element, pointer, starts[line / unit]);
    prefetch(kb, kb.at(rows.view.element, start, line % unit * elementsOfLine(rows)), toFirstLevel);
  }
  keepOrder(kb);
}

RowStream::RowStream(DecodeTask &decode, int64_t group, int64_t tiles)
    : kb(decode.kb), rows(decode.values), toFirstLevel(asksForFirstLevel(machineOf(kb), decode.z.rows)),
      bytesAhead(bytesAheadOf(decode)), group(group), rowsOfShare(group / tiles) {}

Value RowStream::start(Value first, Value tile, int64_t span) const {
  Value ofTile = kb.mul(tile, span / group * rowsOfShare);
  return rows.at(kb, kb.add(kb.add(first, ofTile), rowsOf(rows, bytesAhead)));
}

void RowStream::prefetchStep(Value pointer, int64_t step, int64_t steps) const {
  int64_t perRow = linesOfRow(rows), share = rowsOfShare * perRow;
  for (int64_t line = step * share / steps; line < (step + 1) * share / steps; ++line) {
    Value row = kb.at(rows.view.element, pointer, kb.mul(rows.view.strides[2], line / perRow));
    prefetch(kb, kb.at(rows.view.element, row, line % perRow * elementsOfLine(rows)), toFirstLevel);
  }
  keepOrder(kb);
}

Value RowStream::next(Value pointer) const {
  return kb.at(rows.view.element, pointer, kb.mul(rows.view.strides[2], rowsOfShare));
}
