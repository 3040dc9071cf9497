//===- AttendModify.cpp - Score regions on tiles of scores ----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Applies the score region to a tile of scores. The tile goes through the buffer `spill`, which is in the first-level
// cache. It is modified there one row at a time, because the region may need all registers. So the code of the region
// exists only once, not once per row.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Attend/AttendKernel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

void cpu::buildModifiedSpill(AttendKernel &k, const PieceValues &piece, RegisterTile shape, Value row, Value keyBlock,
                             Value column) {
  KernelBuilder &kb = k.kb;
  k.pairs.score.forEachVersion(k, piece.map, keyBlock, k.buffers.keyOf, {}, [&](const BlockScores::Version &version) {
    kb.loop(kb.integer(0), kb.integer(shape.rows), 1, [&](Value n) {
      Value shift = k.splat(kb.at(k.real, k.at(k.buffers.shift, row, 1), n));
      for (int64_t c = 0; c < shape.registers; ++c) {
        Value score = kb.load(k.vector(), spillSlot(k, n, c));
        LaneValue modified = version.evaluate(kb.add(row, n), kb.add(column, c * k.lanes), score)[0];
        kb.store(kb.addf(asRegister(kb, modified, k.lanes), shift), spillSlot(k, n, c));
      }
    });
    return SmallVector<Value>();
  });
}

SmallVector<Value> cpu::buildModified(AttendKernel &k, const PieceValues &piece, RegisterTile shape, ValueRange scores,
                                      Value row, Value keyBlock, Value column) {
  storeSpill(k, shape, scores);
  buildModifiedSpill(k, piece, shape, row, keyBlock, column);
  return loadSpill(k, shape);
}
