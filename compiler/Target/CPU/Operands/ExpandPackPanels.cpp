//===- ExpandPackPanels.cpp - Loops of packing kernels --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Operands/ExpandOperands.h"
#include "compiler/Target/CPU/Operands/PackPanel.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

SmallVector<Value> cpu::batchIndices(KernelBuilder &kb, Value number, ArrayRef<Value> sizes) {
  SmallVector<Value> indices(sizes.size());
  for (size_t d = sizes.size(); d-- > 1;) {
    indices[d] = kb.rem(number, sizes[d]);
    number = kb.div(number, sizes[d]);
  }
  if (!sizes.empty())
    indices[0] = number;
  return indices;
}

LogicalResult cpu::requireWholeRegisters(Operation *op, int64_t columns, Type element, const KernelMachine &machine) {
  if (columns % machine.lanes(element) == 0)
    return success();
  return op->emitOpError("expected columns in whole registers of ")
         << machine.lanes(element) << " elements, got " << columns;
}

LogicalResult cpu::expandPackPanels(xft::PackPanelsOp op, KernelBuilder &kb) {
  View b = View::of(kb, op.getB()), panels = View::of(kb, op.getPanels());
  auto kernel = op->getParentOfType<func::FuncOp>();
  int64_t batchRank = b.sizes.size() - 2;
  int64_t width = cast<MemRefType>(op.getPanels().getType()).getShape().back();
  ProductForm form = panelForm(machineOf(kb), b.element, panels.element);
  if (failed(requireWholeRegisters(op, width, form.sum, kb.machine)))
    return failure();
  Value depth = b.sizes[batchRank], columns = b.sizes[batchRank + 1];
  Value panelCount = kb.ceilDiv(columns, width);
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    Value panel = kb.rem(tile, panelCount), firstColumn = kb.mul(panel, width);
    SmallVector<Value> from =
        batchIndices(kb, kb.div(tile, panelCount), ArrayRef<Value>(b.sizes).take_front(batchRank));
    SmallVector<Value> to = from;
    from.append({kb.integer(0), firstColumn});
    to.push_back(panel);
    PanelSource source{b.at(kb, from),           b.element, b.strides[batchRank],
                       b.strides[batchRank + 1], depth,     kb.min(kb.sub(columns, firstColumn), kb.integer(width))};
    packPanel(kb, form, source, panels.at(kb, to), width);
  });
  op.erase();
  return success();
}
