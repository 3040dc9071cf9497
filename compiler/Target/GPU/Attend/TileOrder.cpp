//===- TileOrder.cpp - The order of attention's tiles ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/GPU/Attend/TileOrder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::gpu;

Value xf::gpu::divideShort(KernelBuilder &kb, Value x, Value y) {
  if (matchPattern(y, m_One()))
    return x;
  auto narrow = [&](Value value) { return arith::TruncIOp::create(kb.b, kb.loc, kb.b.getI32Type(), value); };
  Value quotient = arith::DivUIOp::create(kb.b, kb.loc, narrow(x), narrow(y));
  return arith::ExtUIOp::create(kb.b, kb.loc, kb.i64(), quotient);
}

Value Coordinates::next(Value count) {
  Value before = rest;
  rest = divideShort(kb, before, count);
  return kb.sub(before, kb.mul(rest, count));
}

TilePlace xf::gpu::placeOf(KernelBuilder &kb, const TileGrid &grid, Value tile) {
  Value residues = kb.integer(grid.residues);
  Coordinates sections{kb, tile};
  Value inSection = sections.next(kb.mul(kb.mul(grid.sectionHeads, residues), grid.blocks));
  Value firstHead = kb.mul(sections.rest, grid.sectionHeads);
  Coordinates coordinates{kb, inSection};
  Value residue = coordinates.next(residues);
  Value heads = kb.min(grid.sectionHeads, kb.sub(grid.heads, firstHead)); // the last section may be smaller
  Value head = coordinates.next(heads);
  return {kb.add(firstHead, head), residue, coordinates.rest};
}

Value xf::gpu::sectionHeads(KernelBuilder &kb, Value rows, int64_t rowBytes, Value sharing) {
  // Shorter matrices count as this long: of so many heads all that run at once fit, and the tiles of a section, which
  // may be of more heads than there are, stay below 2^32 up to 2^28 rows of heads that share keys.
  constexpr int64_t leastRows = 1024;
  int64_t sectionRows = machineOf(kb).sectionBytes / rowBytes;
  Value fitting = divideShort(kb, kb.integer(sectionRows), kb.max(rows, kb.integer(leastRows)));
  return kb.mul(kb.max(fitting, kb.integer(1)), sharing);
}
