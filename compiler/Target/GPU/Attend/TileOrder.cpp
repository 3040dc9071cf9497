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
  // Of short matrices more heads fit than there are: their tiles would be more than 2^32.
  Value sectionHeads = kb.min(grid.sectionHeads, grid.heads);
  Value inSection = sections.next(kb.mul(kb.mul(sectionHeads, residues), grid.blocks));
  Value firstHead = kb.mul(sections.rest, sectionHeads);
  Coordinates coordinates{kb, inSection};
  Value residue = coordinates.next(residues);
  Value heads = kb.min(sectionHeads, kb.sub(grid.heads, firstHead)); // the last section may be smaller
  Value head = coordinates.next(heads);
  return {kb.add(firstHead, head), residue, coordinates.rest};
}

Value xf::gpu::sectionHeads(KernelBuilder &kb, Value rows, int64_t rowBytes, Value sharing) {
  int64_t sectionRows = machineOf(kb).sectionBytes / rowBytes;
  return kb.mul(kb.max(divideShort(kb, kb.integer(sectionRows), kb.max(rows, kb.integer(1))), kb.integer(1)), sharing);
}
