//===- PackPanel.cpp - Packing of right operands --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Packs a panel of a matrix B[k][n]. A source that is contiguous in n is copied register by register. A source that is
// contiguous in k (a weight W, with B = W^T) is transposed in registers, in square blocks. Elements outside of whole
// blocks are copied one by one.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Operands/PackPanel.h"
#include "compiler/Target/Kernel/Code/RegisterTranspose.h"
#include "compiler/Target/Kernel/Code/VectorConvert.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
class PanelPacker {
public:
  PanelPacker(KernelBuilder &kb, const ProductForm &form, const PanelSource &source, Value panel, int64_t width)
      : kb(kb), form(form), source(source), panel(panel), width(width), terms(form.terms),
        lanes(kb.machine.lanes(form.sum)) {}

  void packRowsOfN();
  void packRowsOfK();

private:
  Value from(Value k, Value n) {
    return kb.at(source.element, source.pointer, kb.add(kb.mul(k, source.strideK), kb.mul(n, source.strideN)));
  }
  /// Returns a pointer to the terms k, k + 1, .. of column n in the panel. `k` is a multiple of the terms of one
  /// instruction.
  Value to(Value k, int64_t n) { return kb.at(form.packed, panel, kb.add(kb.mul(k, width), n * terms)); }

  bool isConverted() const { return source.element != form.packed; }
  Value loadRow(Value k, int64_t n, bool whole);
  void copyRows(Value k, bool whole, bool isRest);
  void transposeBlock(Value k, int64_t n);
  void copyElements(Value firstK, int64_t firstN, Value count);

  KernelBuilder &kb;
  const ProductForm &form;
  const PanelSource &source;
  Value panel;
  int64_t width, terms, lanes;
};
} // namespace

/// Loads a register of row k from column n on, converted to the panel's type in memory. Unless `whole`, loads only the
/// columns that the source has.
Value PanelPacker::loadRow(Value k, int64_t n, bool whole) {
  Value pointer = from(k, kb.integer(n));
  if (whole && !isConverted())
    return kb.load(kb.vector(memoryType(form.packed), lanes), pointer);
  Value value = whole ? loadRegister(kb, source.element, lanes, pointer)
                      : maskedLoadRegister(kb, source.element, lanes, pointer,
                                           kb.laneMask(lanes, kb.add(source.columns, kb.integer(-n))));
  return toMemory(kb, value, form.packed);
}

/// Packs as many rows, from row k on, as an instruction takes terms. With `isRest`, rows behind the last one of the
/// source are zeros.
void PanelPacker::copyRows(Value k, bool whole, bool isRest) {
  for (int64_t n = 0; n < width; n += lanes) {
    SmallVector<Value> rows;
    for (int64_t term = 0; term < terms; ++term) {
      Value row = kb.add(k, term);
      if (!isRest) {
        rows.push_back(loadRow(row, n, whole));
        continue;
      }
      Value value = loadRow(kb.min(row, kb.add(source.depth, -1)), n, whole);
      Value exists = kb.compare(arith::CmpIPredicate::slt, row, source.depth);
      rows.push_back(kb.select(exists, value, kb.constant(cast<TypedAttr>(kb.b.getZeroAttr(value.getType())))));
    }
    kb.store(form.interleave(kb, rows), to(k, n));
  }
}

void PanelPacker::packRowsOfN() {
  Value wholeRows = kb.mul(kb.floorDiv(source.depth, terms), terms);
  auto copy = [&](bool whole) {
    kb.loop(kb.integer(0), wholeRows, terms, [&](Value k) { copyRows(k, whole, /*isRest=*/false); });
    if (wholeRows != source.depth)
      kb.ifThen(kb.compare(arith::CmpIPredicate::slt, wholeRows, source.depth),
                [&] { copyRows(wholeRows, whole, /*isRest=*/true); });
    return SmallVector<Value>();
  };
  Value whole = kb.compare(arith::CmpIPredicate::eq, source.columns, kb.integer(width));
  kb.ifElse(whole, {}, [&] { return copy(true); }, [&] { return copy(false); });
}

/// Packs a square block of `lanes` rows, from row k on, and `lanes` columns, from column n on, by a transposition in
/// registers. If an instruction takes several terms, that many rows count as one.
void PanelPacker::transposeBlock(Value k, int64_t n) {
  int64_t bits = source.element.getIntOrFloatBitWidth();
  SmallVector<Value> columns;
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value pointer = from(k, kb.integer(n + lane));
    if (terms > 1)
      columns.push_back(kb.load(kb.vector(kb.b.getIntegerType(bits * terms), lanes), pointer, bits / 8));
    else if (isConverted())
      columns.push_back(toMemory(kb, loadRegister(kb, source.element, lanes, pointer), form.packed));
    else
      columns.push_back(kb.load(kb.vector(memoryType(form.packed), lanes), pointer));
  }
  for (auto [row, value] : llvm::enumerate(transposeRegisters(kb, columns)))
    kb.store(value, to(kb.add(k, row * terms), n));
}

/// Copies columns [firstN, firstN + lanes) of the rows from firstK on, element by element: `count` elements of each
/// row, then zeros.
void PanelPacker::copyElements(Value firstK, int64_t firstN, Value count) {
  Value zeros = kb.real(kb.vector(form.packed, lanes * terms), 0);
  auto copyRow = [&](Value k, Value target) {
    kb.loop(kb.integer(0), count, 1, [&](Value n) {
      Value element = loadScalar(kb, source.element, from(k, kb.add(n, firstN)));
      kb.store(toMemory(kb, element, form.packed), kb.at(form.packed, target, kb.mul(n, terms)));
    });
  };
  kb.loop(firstK, source.depth, terms, [&](Value k) {
    Value target = to(k, firstN);
    kb.store(zeros, target);
    if (terms == 1)
      return copyRow(k, target);
    kb.loop(kb.integer(0), kb.min(kb.integer(terms), kb.sub(source.depth, k)), 1,
            [&](Value term) { copyRow(kb.add(k, term), kb.at(form.packed, target, term)); });
  });
}

void PanelPacker::packRowsOfK() {
  int64_t step = lanes * terms;
  Value zero = kb.integer(0), wholeBlocks = kb.mul(kb.floorDiv(source.depth, step), step);
  for (int64_t n = 0; n < width; n += lanes) {
    Value count = kb.clamp(kb.add(source.columns, kb.integer(-n)), zero, kb.integer(lanes));
    Value whole = kb.compare(arith::CmpIPredicate::eq, count, kb.integer(lanes));
    Value transposed = kb.select(whole, wholeBlocks, zero);
    kb.loop(zero, transposed, step, [&](Value k) { transposeBlock(k, n); });
    copyElements(transposed, n, count);
  }
}

void cpu::packPanel(KernelBuilder &kb, const ProductForm &form, const PanelSource &source, Value panel, int64_t width) {
  assert((form.terms == 1 || form.packed == source.element) && "only single terms are converted");
  PanelPacker packer(kb, form, source, panel, width);
  if (matchPattern(source.strideN, m_One()))
    packer.packRowsOfN();
  else
    packer.packRowsOfK();
}

//===----------------------------------------------------------------------===//
// Prefetching
//===----------------------------------------------------------------------===//

CacheLines cpu::linesOf(KernelBuilder &kb, const PanelSource &source, int64_t width) {
  constexpr int64_t lineBytes = KernelBuilder::cacheLine;
  int64_t elementBytes = source.element.getIntOrFloatBitWidth() / 8;
  Value zero = kb.integer(0), line = kb.integer(lineBytes);
  APInt stride;
  if (matchPattern(source.strideN, m_One())) {
    int64_t perRow = llvm::divideCeil(width * elementBytes, lineBytes);
    if (width * elementBytes < lineBytes && matchPattern(source.strideK, m_ConstantInt(&stride)) && stride == width) {
      Value bytes = kb.mul(source.depth, width * elementBytes); // narrow rows that follow each other
      return {source.pointer, line, kb.floorDiv(bytes, lineBytes)};
    }
    return {source.pointer, kb.mul(source.strideK, elementBytes), kb.mul(source.depth, perRow), perRow};
  }
  Value adjacent = kb.compare(arith::CmpIPredicate::eq, source.strideN, source.depth);
  Value all = kb.floorDiv(kb.mul(kb.mul(source.depth, source.columns), elementBytes), lineBytes);
  return {source.pointer, line, kb.select(adjacent, all, zero)};
}
