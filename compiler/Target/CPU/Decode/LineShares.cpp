//===- LineShares.cpp - Prefetches shared by register tiles ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/LineShares.h"
#include "compiler/Target/CPU/Machine/PrefetchStream.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static int64_t elementsOfLine(const HeadRows &rows) {
  return KernelBuilder::cacheLine * 8 / rows.view.element.getIntOrFloatBitWidth();
}

// More rows compute for so long on a block of keys, in the first-level cache, that lines of the next would displace it.
static constexpr int64_t mostRowsForFirstLevel = 8;

LineShares::LineShares(FewRows &few, const HeadRows &rows, int64_t group, int64_t parts)
    : kb(few.kb), rows(rows), toFirstLevel(few.rows <= mostRowsForFirstLevel), group(group),
      perRow(llvm::divideCeil(rows.registers.columns, elementsOfLine(rows))) {
  share = llvm::divideCeil(group * perRow, parts);
  if (share > perRow)
    share = llvm::alignTo(share, perRow);
  while (share < perRow && perRow % share != 0)
    ++share;
}

int64_t LineShares::rowsAhead() const {
  int64_t bytesAhead = toFirstLevel ? 8192 : 16384;
  return llvm::divideCeil(bytesAhead, perRow * KernelBuilder::cacheLine);
}

Value LineShares::start(Value part) const {
  Value row, line = kb.integer(0);
  if (share >= perRow) {
    row = kb.mul(part, share / perRow);
  } else {
    row = kb.floorDiv(part, perRow / share);
    line = kb.mul(kb.floorMod(part, perRow / share), share);
  }
  int64_t last = std::max<int64_t>(0, group - share / perRow);
  row = kb.min(row, kb.integer(share < perRow ? group - 1 : last));
  return kb.add(kb.mul(row, rows.view.strides[2]), kb.mul(line, elementsOfLine(rows)));
}

void LineShares::prefetch(Value pointer, int64_t line) const {
  Value row = kb.at(rows.view.element, pointer, kb.mul(rows.view.strides[2], line / perRow));
  Value address = kb.at(rows.view.element, row, line % perRow * elementsOfLine(rows));
  if (toFirstLevel)
    prefetchToFirstLevel(kb, address);
  else
    kb.prefetch(address);
}

void LineShares::prefetchStep(Value pointer, int64_t step, int64_t steps) const {
  for (int64_t line = step * share / steps; line < (step + 1) * share / steps; ++line)
    prefetch(pointer, line);
}
