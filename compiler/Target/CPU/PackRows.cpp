//===- PackRows.cpp - Rows of a transposed left operand, in the order they are read -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The terms of a weight's gradient, x^T dy, lie a whole row of x apart, often a multiple of 4 KB: each register tile
// would take a few bytes of each line, and all lines fall into one set of the caches. One pass over the block copies
//   for each k { for each tile { registers of A^T[k][6 tile ..] -> tiles[tile][k][0 ..] } }
// where each tile's stores run over the place of its next term, which is written after them. No hardware foresees lines
// that far apart: those of a later k are asked for.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/PackRows.h"
#include "compiler/Target/CPU/VectorConvert.h"
#include "dialects/xft/IR/XftOps.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

bool cpu::packedRowsAreShared(xft::ContractOp op) {
  auto type = cast<MemRefType>(op.getA().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  return op.packsRows() && !op.isPacked() && type.getRank() > 2 &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         llvm::all_of(ArrayRef(strides).drop_back(2), [](int64_t stride) { return stride == 0; });
}

Value cpu::packedTileStride(KernelBuilder &kb, int64_t height, Value depth) {
  return kb.add(kb.mul(depth, height), xft::ContractOp::packedTilePadding);
}

static constexpr int64_t termsAhead = 8;

void cpu::packRows(KernelBuilder &kb, const RowsSource &source, Value tiles, int64_t height) {
  Type compute = computeType(source.element);
  int64_t lanes = std::min<int64_t>(kb.machine.lanes(compute), llvm::bit_ceil<uint64_t>(height));
  int64_t registers = llvm::divideCeil(height, lanes), covered = registers * lanes;
  Value stride = packedTileStride(kb, height, source.depth), zero = kb.integer(0);
  Value count = kb.ceilDiv(source.rows, height);
  // Tiles whose registers end before the last row.
  Value whole = kb.max(kb.floorDiv(kb.sub(source.rows, kb.integer(covered - height)), height), zero);
  kb.loop(zero, source.depth, 1, [&](Value k) {
    Value line = kb.at(source.element, source.pointer, kb.mul(k, source.strideK));
    Value laterTerm = kb.min(kb.add(k, termsAhead), kb.add(source.depth, -1));
    Value later = kb.at(source.element, source.pointer, kb.mul(laterTerm, source.strideK));
    Value term = kb.at(compute, tiles, kb.mul(k, height));
    auto copyTile = [&](Value tile, bool isWhole) {
      for (int64_t m = 0; m < covered; m += lanes) {
        Value row = kb.add(kb.mul(tile, height), m), from = kb.at(source.element, line, row);
        Value value =
            isWhole ? loadRegister(kb, source.element, lanes, from)
                    : maskedLoadRegister(kb, source.element, lanes, from, kb.laneMask(lanes, kb.sub(source.rows, row)));
        kb.store(value, kb.at(compute, kb.at(compute, term, kb.mul(tile, stride)), m));
      }
    };
    kb.loop(zero, whole, 1, [&](Value tile) {
      Value address = kb.at(source.element, later, kb.mul(tile, height));
      LLVM::Prefetch::create(kb.b, kb.loc, address, /*rw=*/0, /*hint=*/3, /*cache=*/1);
      copyTile(tile, true);
    });
    kb.loop(whole, count, 1, [&](Value tile) { copyTile(tile, false); });
  });
}
