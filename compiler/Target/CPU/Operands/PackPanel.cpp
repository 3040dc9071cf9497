//===- PackPanel.cpp - Packing of right operands --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source contiguous in n is copied register by register. A source contiguous in k (a weight, B = W^T) is transposed
// in registers, in square blocks; the remaining k or n are copied element by element.
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
  PanelPacker(KernelBuilder &kb, const PanelSource &source, Value panel, int64_t width)
      : kb(kb), source(source), panel(panel), width(width), compute(computeType(source.element)),
        lanes(kb.machine.lanes(compute)) {}

  void packRowsOfN();
  void packRowsOfK();

private:
  Value from(Value k, Value n) {
    return kb.at(source.element, source.pointer, kb.add(kb.mul(k, source.strideK), kb.mul(n, source.strideN)));
  }
  Value to(Value k, int64_t n) { return kb.at(compute, panel, kb.add(kb.mul(k, width), n)); }

  void copyRow(Value k, bool whole);
  void transposeBlock(Value k, int64_t n);
  void copyElements(Value firstK, int64_t firstN, Value count);

  KernelBuilder &kb;
  const PanelSource &source;
  Value panel;
  int64_t width;
  Type compute;
  int64_t lanes;
};
} // namespace

void PanelPacker::copyRow(Value k, bool whole) {
  for (int64_t n = 0; n < width; n += lanes) {
    Value pointer = from(k, kb.integer(n));
    Value value = whole ? loadRegister(kb, source.element, lanes, pointer)
                        : maskedLoadRegister(kb, source.element, lanes, pointer,
                                             kb.laneMask(lanes, kb.add(source.columns, kb.integer(-n))));
    kb.store(value, to(k, n));
  }
}

void PanelPacker::packRowsOfN() {
  auto copyRows = [&](bool whole) {
    kb.loop(kb.integer(0), source.depth, 1, [&](Value k) { copyRow(k, whole); });
    return SmallVector<Value>();
  };
  Value whole = kb.compare(arith::CmpIPredicate::eq, source.columns, kb.integer(width));
  kb.ifElse(whole, {}, [&] { return copyRows(true); }, [&] { return copyRows(false); });
}

void PanelPacker::transposeBlock(Value k, int64_t n) {
  SmallVector<Value> rows;
  for (int64_t lane = 0; lane < lanes; ++lane)
    rows.push_back(loadRegister(kb, source.element, lanes, from(k, kb.integer(n + lane))));
  for (auto [row, value] : llvm::enumerate(transposeRegisters(kb, rows)))
    kb.store(value, to(kb.add(k, row), n));
}

/// Copies columns [firstN, firstN + lanes) of rows k >= firstK: `count` elements of each row, then zeros.
void PanelPacker::copyElements(Value firstK, int64_t firstN, Value count) {
  Value zeros = kb.real(kb.vector(compute, lanes), 0);
  kb.loop(firstK, source.depth, 1, [&](Value k) {
    kb.store(zeros, to(k, firstN));
    kb.loop(kb.integer(0), count, 1, [&](Value n) {
      kb.store(loadScalar(kb, source.element, from(k, kb.add(n, firstN))), kb.at(compute, to(k, firstN), n));
    });
  });
}

void PanelPacker::packRowsOfK() {
  Value zero = kb.integer(0), wholeBlocks = kb.mul(kb.floorDiv(source.depth, lanes), lanes);
  for (int64_t n = 0; n < width; n += lanes) {
    Value count = kb.clamp(kb.add(source.columns, kb.integer(-n)), zero, kb.integer(lanes));
    Value whole = kb.compare(arith::CmpIPredicate::eq, count, kb.integer(lanes));
    Value transposed = kb.select(whole, wholeBlocks, zero);
    kb.loop(zero, transposed, lanes, [&](Value k) { transposeBlock(k, n); });
    copyElements(transposed, n, count);
  }
}

void cpu::packPanel(KernelBuilder &kb, const PanelSource &source, Value panel, int64_t width) {
  PanelPacker packer(kb, source, panel, width);
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
  if (matchPattern(source.strideN, m_One())) {
    int64_t perRow = llvm::divideCeil(width * elementBytes, lineBytes);
    return {source.pointer, kb.mul(source.strideK, elementBytes), kb.mul(source.depth, perRow), perRow};
  }
  Value adjacent = kb.compare(arith::CmpIPredicate::eq, source.strideN, source.depth);
  Value all = kb.floorDiv(kb.mul(kb.mul(source.depth, source.columns), elementBytes), lineBytes);
  return {source.pointer, line, kb.select(adjacent, all, zero)};
}
