//===- PackRows.cpp - Packing of transposed left operands -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs rows of A for products in which the terms of a row are not adjacent. In the gradient of a weight, x^T dy, they
// lie a whole row of x apart, often a multiple of 4 KB. Then each register tile would use a few bytes of each cache
// line, and all of these lines fall into one set of the caches. So one pass over the block packs the rows:
//   for every 4 terms { for each tile { for each k of them { registers of A^T[k][6 tile ..] -> tiles[tile][k][0 ..] } }
//   }
// The stores of a tile run over the place of its next term, which is written after them. No hardware prefetcher
// foresees lines that far apart, so the lines of later k are prefetched by software.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/PackRows.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
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

Value cpu::packedTileStride(KernelBuilder &kb, const ProductForm &form, int64_t height, Value depth) {
  return kb.add(kb.mul(form.padded(kb, depth), height), xft::ContractOp::packedTilePadding);
}

static constexpr int64_t termsAhead = 8;
/// The number of terms that are packed for one tile before the same terms of the next tile. A larger number has more
/// consecutive stores to one page. But it also reads parts of more cache lines, possibly of one cache set, and these
/// lines must stay in the cache until other tiles read the rest of them.
static constexpr int64_t termsTogether = 4;

namespace {
class RowPacker {
public:
  RowPacker(KernelBuilder &kb, const ProductForm &form, const RowsSource &source, Value tiles, int64_t height)
      : kb(kb), form(form), source(source), tiles(tiles), height(height),
        lanes(std::min<int64_t>(kb.machine.lanes(form.sum), llvm::bit_ceil<uint64_t>(height))),
        covered(llvm::divideCeil(height, lanes) * lanes), stride(packedTileStride(kb, form, height, source.depth)) {}

  void pack();

private:
  void packTerms(Value k, int64_t terms, bool isRest = false);
  void copyTerms(Value k, Value tile, bool isWhole, bool isRest);
  Value load(Value k, Value row, bool isWhole);

  KernelBuilder &kb;
  const ProductForm &form;
  const RowsSource &source;
  Value tiles;
  int64_t height;
  int64_t lanes, covered;     ///< lanes of a register, and rows that the registers of a tile cover
  Value stride, whole, count; ///< elements between tiles; number of tiles that have all their rows, and of all tiles
};
} // namespace

/// Loads a register of column k from row `row` on, converted to the tile's type in memory. Unless `isWhole`, loads only
/// the rows that the source has.
Value RowPacker::load(Value k, Value row, bool isWhole) {
  Value from = kb.at(source.element, kb.at(source.element, source.pointer, kb.mul(k, source.strideK)), row);
  Value value = isWhole
                    ? loadRegister(kb, source.element, lanes, from)
                    : maskedLoadRegister(kb, source.element, lanes, from, kb.laneMask(lanes, kb.sub(source.rows, row)));
  return toMemory(kb, value, form.operand);
}

/// Copies the terms of one instruction, from term k on, of one tile. With `isRest`, terms behind the last one of the
/// source are zeros.
void RowPacker::copyTerms(Value k, Value tile, bool isWhole, bool isRest) {
  Value to = kb.at(form.operand, kb.at(form.operand, tiles, kb.mul(k, height)), kb.mul(tile, stride));
  for (int64_t m = 0; m < covered; m += lanes) {
    Value row = kb.add(kb.mul(tile, height), m);
    SmallVector<Value> terms;
    for (int64_t n = 0; n < form.terms; ++n) {
      Value term = kb.add(k, n);
      Value value = load(isRest ? kb.min(term, kb.add(source.depth, -1)) : term, row, isWhole);
      if (isRest)
        value = kb.select(kb.compare(arith::CmpIPredicate::slt, term, source.depth), value,
                          kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(value.getType()))));
      terms.push_back(value);
    }
    kb.store(form.interleave(kb, terms), kb.at(form.operand, to, m * form.terms));
  }
}

void RowPacker::packTerms(Value k, int64_t terms, bool isRest) {
  Value last = kb.add(source.depth, -1);
  auto packTile = [&](Value tile, bool isWhole) {
    for (int64_t n = 0; n < terms; ++n) {
      if (isWhole) {
        Value later = kb.mul(kb.min(kb.add(k, n + termsAhead), last), source.strideK);
        Value address = kb.at(source.element, kb.at(source.element, source.pointer, later), kb.mul(tile, height));
        LLVM::Prefetch::create(kb.b, kb.loc, address, /*rw=*/0, /*hint=*/3, /*cache=*/1);
      }
      if (n % form.terms == 0)
        copyTerms(kb.add(k, n), tile, isWhole, isRest);
    }
  };
  kb.loop(kb.integer(0), whole, 1, [&](Value tile) { packTile(tile, true); });
  kb.loop(whole, count, 1, [&](Value tile) { packTile(tile, false); });
}

void RowPacker::pack() {
  count = kb.ceilDiv(source.rows, height);
  whole = kb.max(kb.floorDiv(kb.sub(source.rows, kb.integer(covered - height)), height), kb.integer(0));
  Value together = kb.mul(kb.floorDiv(source.depth, termsTogether), termsTogether);
  kb.loop(kb.integer(0), together, termsTogether, [&](Value k) { packTerms(k, termsTogether); });
  Value wholeTerms = kb.mul(kb.floorDiv(source.depth, form.terms), form.terms);
  kb.loop(together, wholeTerms, form.terms, [&](Value k) { packTerms(k, form.terms); });
  if (wholeTerms != source.depth)
    kb.ifThen(kb.compare(arith::CmpIPredicate::slt, wholeTerms, source.depth),
              [&] { packTerms(wholeTerms, form.terms, /*isRest=*/true); });
}

void cpu::widenRows(KernelBuilder &kb, const ProductForm &form, const WidenedSource &source, Value tiles,
                    int64_t height) {
  constexpr int64_t unrolled = 4; // registers
  int64_t lanes = kb.machine.lanes(form.sum);
  Value stride = packedTileStride(kb, form, height, source.depth);
  kb.loop(kb.integer(0), source.rows, 1, [&](Value row) {
    Value from = kb.at(source.element, source.pointer, kb.mul(row, source.strideM));
    Value to = kb.at(form.operand, kb.at(form.operand, tiles, kb.mul(kb.floorDiv(row, height), stride)),
                     kb.mul(kb.floorMod(row, height), source.depth));
    auto copy = [&](Value begin, Value end, int64_t registers) {
      kb.loop(begin, end, registers * lanes, [&](Value k) {
        for (int64_t n = 0; n < registers * lanes; n += lanes) {
          Value x = loadRegister(kb, source.element, lanes, kb.at(source.element, kb.at(source.element, from, k), n));
          kb.store(x, kb.at(form.operand, kb.at(form.operand, to, k), n));
        }
      });
    };
    Value whole = kb.mul(kb.floorDiv(source.depth, lanes), lanes);
    Value groups = kb.mul(kb.floorDiv(source.depth, unrolled * lanes), unrolled * lanes);
    copy(kb.integer(0), groups, unrolled);
    copy(groups, whole, 1);
    kb.loop(whole, source.depth, 1, [&](Value k) {
      kb.store(loadScalar(kb, source.element, kb.at(source.element, from, k)), kb.at(form.operand, to, k));
    });
  });
}

void cpu::packRows(KernelBuilder &kb, const ProductForm &form, const RowsSource &source, Value tiles, int64_t height) {
  RowPacker(kb, form, source, tiles, height).pack();
}
