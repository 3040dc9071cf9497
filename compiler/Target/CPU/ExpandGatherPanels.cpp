//===- ExpandGatherPanels.cpp - Rows gathered into panels -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `xft.gather_panels`. Whole squares of a panel are transposed in registers by a network of shuffles; what is left of the
// columns and of the last panel goes element by element.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/AffineCode.h"
#include "compiler/Target/CPU/ExpandAttend.h"
#include "compiler/Target/CPU/RegisterTile.h"
#include "compiler/Target/CPU/RegisterTranspose.h"
#include "compiler/Target/CPU/VectorConvert.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

namespace {
/// One block of `width` ranks of one (b, h, r).
struct Packing {
  KernelBuilder &kb;
  xft::GatherPanelsOp op;
  Type from, to; ///< element types
  int64_t columns, width;
  Value target;                      ///< of the block
  Value first, end;                  ///< ranks of the block that exist
  function_ref<Value(Value)> source; ///< row of a rank

  /// One element, or a register where `type` is a vector.
  Value read(Type type, Value row, Value column) {
    Value pointer = kb.at(from, row, column);
    auto vector = dyn_cast<VectorType>(type);
    return vector ? loadRegister(kb, from, vector.getNumElements(), pointer) : loadScalar(kb, from, pointer);
  }

  /// Column d of the block's ranks [lane, lane + lanes), for all d.
  void transposed(int64_t lane) {
    int64_t lanes = kb.machine.lanes(to), whole = columns / lanes * lanes;
    VectorType type = kb.vector(to, lanes);
    Value rank = kb.add(first, lane);
    Value complete = kb.compare(arith::CmpIPredicate::sle, kb.add(rank, lanes), end);
    Value squares = kb.select(complete, kb.integer(whole), kb.integer(0));
    kb.loop(kb.integer(0), squares, lanes, [&](Value d) {
      SmallVector<Value> rows;
      for (int64_t n = 0; n < lanes; ++n)
        rows.push_back(read(type, source(kb.add(rank, n)), d));
      for (auto [n, column] : llvm::enumerate(transposeRegisters(kb, rows)))
        kb.store(column, kb.at(to, kb.at(to, target, kb.mul(kb.add(d, n), width)), lane));
    });
    Value present = kb.clamp(kb.sub(end, rank), kb.integer(0), kb.integer(lanes));
    kb.loop(squares, kb.integer(columns), 1, [&](Value d) {
      Value line = kb.at(to, kb.at(to, target, kb.mul(d, width)), lane);
      kb.loop(kb.integer(0), present, 1,
              [&](Value n) { kb.store(read(to, source(kb.add(rank, n)), d), kb.at(to, line, n)); });
      kb.loop(present, kb.integer(lanes), 1, [&](Value n) { kb.store(kb.real(to, 0), kb.at(to, line, n)); });
    });
  }

  void rows() {
    int64_t padded = cast<MemRefType>(op.getTo().getType()).getDimSize(4);
    kb.loop(kb.integer(0), kb.min(kb.sub(end, first), kb.integer(width)), 1, [&](Value n) {
      Value row = source(kb.add(first, n)), line = kb.at(to, target, kb.mul(n, padded));
      forEachRegister(kb, to, columns, [&](Value d, Type type) { kb.store(read(type, row, d), kb.at(to, line, d)); });
      kb.loop(kb.integer(columns), kb.integer(padded), 1,
              [&](Value d) { kb.store(kb.real(to, 0), kb.at(to, line, d)); });
    });
  }
};
} // namespace

LogicalResult cpu::expandGatherPanels(xft::GatherPanelsOp op, KernelBuilder &kb) {
  View x = View::of(kb, op.getX()), to = View::of(kb, op.getTo());
  IndexMapAttr map = op.getMap();
  int64_t width = op.getWidth(), residues = cast<MemRefType>(op.getTo().getType()).getDimSize(2);
  bool transposed = op.getTransposed();
  Value blocks = transposed ? to.sizes[3] : kb.ceilDiv(to.sizes[3], width);
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    Value block = kb.rem(tile, blocks), outer = kb.div(tile, blocks);
    Value r = kb.rem(outer, kb.integer(residues));
    outer = kb.div(outer, kb.integer(residues));
    Value h = kb.rem(outer, x.sizes[1]), b = kb.div(outer, x.sizes[1]);
    ResidueMap index = ResidueMap::of(kb, map, r);
    Value first = kb.mul(block, width);
    Value matrix = x.at(kb, {b, h});
    Value target = to.at(kb, {b, h, r, transposed ? block : first});
    Value end = kb.max(index.rank(kb, x.sizes[2]), first);
    auto source = [&](Value rank) { return kb.at(x.element, matrix, kb.mul(index.at(kb, rank), x.strides[2])); };
    int64_t columns = cast<MemRefType>(op.getX().getType()).getDimSize(3);
    Packing packing{kb, op, x.element, to.element, columns, width, target, first, end, source};
    if (!transposed)
      return packing.rows();
    for (int64_t lane = 0; lane < width; lane += kb.machine.lanes(to.element))
      packing.transposed(lane);
  });
  op.erase();
  return success();
}
