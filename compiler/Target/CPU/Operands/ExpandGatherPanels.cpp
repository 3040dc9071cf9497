//===- ExpandGatherPanels.cpp - Packing of gathered rows ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands `xft.gather_panels`. A task writes one block of ranks of one batch entry, head and residue (GatherRows.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Operands/ExpandOperands.h"
#include "compiler/Target/CPU/Operands/GatherRows.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::cpu;

LogicalResult cpu::expandGatherPanels(xft::GatherPanelsOp op, const SharedOps &shared, KernelBuilder &kb) {
  View x = View::of(kb, op.getX()), to = View::of(kb, op.getTo());
  ChosenMap map = shared.indexMap(kb, [&](size_t member) { return shared.get<IndexMapAttr>(member, "map"); });
  int64_t width = op.getWidth(), residues = cast<MemRefType>(op.getTo().getType()).getDimSize(2);
  bool transposed = op.getTransposed();
  ProductForm form = panelForm(machineOf(kb), x.element, to.element, /*takesSeveral=*/op.getTerms() > 1);
  if (form.terms != static_cast<int64_t>(op.getTerms()))
    return op.emitOpError("expected the ") << form.terms << " terms of an instruction, got " << op.getTerms();
  Value blocks = transposed ? to.sizes[3] : kb.ceilDiv(to.sizes[3], width);
  auto kernel = op->getParentOfType<func::FuncOp>();
  kb.loop(kernel.getArgument(0), kernel.getArgument(1), 1, [&](Value tile) {
    Value block = kb.rem(tile, blocks), outer = kb.div(tile, blocks);
    Value r = kb.rem(outer, kb.integer(residues));
    outer = kb.div(outer, kb.integer(residues));
    Value h = kb.rem(outer, x.sizes[1]), b = kb.div(outer, x.sizes[1]);
    RankMap index = map.at(kb, r);
    Value first = kb.mul(block, width);
    Value target = to.at(kb, {b, h, r, transposed ? block : first});
    int64_t columns = cast<MemRefType>(op.getX().getType()).getDimSize(3);
    GatheredRows rows{kb, index, x.at(kb, {b, h}), x.element, x.strides[2], columns, index.rank(kb, x.sizes[2])};
    if (transposed)
      rows.buildPanel(form, target, first, width);
    else
      rows.buildRows(form, target, first, kb.integer(width), cast<MemRefType>(op.getTo().getType()).getDimSize(4));
  });
  op.erase();
  return success();
}
