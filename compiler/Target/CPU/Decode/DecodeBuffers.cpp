//===- DecodeBuffers.cpp - Scratch memory of few rows ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Decode/DecodeBuffers.h"
#include "dialects/xf/IR/XfOps.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

static MemRefType memrefType(Value value) { return cast<MemRefType>(value.getType()); }

// The more rows in a band, the more of them one shuffle transposes. Each part of a row of k, 64 bits at least, meets a
// few bands, as copying it to all rows of a band takes as long as two products. Numbers that are converted as they are
// loaded would be converted in parts.
static int64_t rowsOfBandOf(xft::AttendDecodeOp op, Type real) {
  constexpr int64_t fewestBands = 4, fewestBits = 64;
  MemRefType q = memrefType(op.getQ());
  int64_t bits = real.getIntOrFloatBitWidth(), width = op.getTile().getLanes(), rows = 1;
  bool isConverted = !op.getTile().getOperand() && q.getElementType() != real;
  while (!isConverted && 2 * rows * fewestBands <= q.getDimSize(2) && width / 2 * bits >= fewestBits) {
    width /= 2;
    rows *= 2;
  }
  return rows;
}

DecodeSizes::DecodeSizes(xft::AttendDecodeOp op)
    : op(op), tile(op.getTile()), q(memrefType(op.getQ())), k(memrefType(op.getK())), v(memrefType(op.getV())),
      real(accumulatorType(q.getElementType())), pieces(std::max<int64_t>(1, op.getPieces().size())),
      rows(q.getDimSize(2)), rowsOfBand(rowsOfBandOf(op, real)), bands(llvm::divideCeil(rows, rowsOfBand)),
      width(tile.getLanes() / rowsOfBand), group(std::min(interleavedKeys(real), width)) {}

// At each change from k to v and back memory idles until prefetchers have found the other stream. Caches of the second
// level hold the scores of a run, and what was prefetched of k behind it.
int64_t DecodeSizes::blocksOfRun() const {
  constexpr int64_t bytesOfRun = 256 << 10;
  int64_t keys = tile.getKeys(), bytes = keys * k.getDimSize(3) * k.getElementTypeBitWidth() / 8;
  return overlaps() ? std::clamp<int64_t>(bytesOfRun / bytes, 1, tile.getSlice() / keys) : 1;
}
