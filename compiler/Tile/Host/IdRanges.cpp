//===- IdRanges.cpp - Value ranges of integer arguments -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  func.func @f(%t: tensor<4x8xf32>, %ids: tensor<5xi32>) { %y = xf.embedding %t, %ids .. }
// After:   func.func @f(%t: tensor<4x8xf32>, %ids: tensor<5xi32> {xf.range = array<i64: 0, 3>}) ..
//
// Annotates integer arguments that ops use as ids, so that a call can check them. The runtime rejects a call with an id
// outside of its range, if every element of an argument is an id. Kernels also clamp ids to the table, so that no read
// leaves the table. Ids that a program computes are not arguments, and get no range. If a program declares a range for
// an argument, this pass only narrows the range. Some arguments get further attributes:
// - `xft.limit = [argument, dimension, offset]`: no id exceeds the size of dimension `dimension` of argument
// `argument`,
//   plus `offset`. Ids of a table get this attribute if the table is an argument of dynamic size.
// - `xft.ordered`: the values ascend. The offsets of a table's lists get this attribute.
// - `xft.marked`: the lowest value of the range is its only negative value, and marks a target that the loss ignores.
// - `xft.place`: the values are positions at which an op writes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/IdRanges.h"
#include "compiler/Tile/Host/TileableOp.h"

using namespace mlir;
using namespace mlir::xf;

void IdRange::within(Value table, int64_t dim, int64_t offset, int64_t least) {
  lowest = std::max(lowest, least);
  auto type = cast<RankedTensorType>(table.getType());
  auto argument = dyn_cast<BlockArgument>(table);
  if (!type.isDynamicDim(dim))
    highest = std::min(highest, type.getDimSize(dim) + offset);
  else if (argument && limit.empty())
    limit = {argument.getArgNumber(), dim, offset};
}

/// Narrows `range` by all uses of `ids` and of its views.
static void addUses(Value ids, IdRange &range) {
  range.follow(ids);
  while (!range.views.empty()) {
    Value view = range.views.pop_back_val();
    for (Operation *user : view.getUsers())
      if (auto op = dyn_cast<TileableOpInterface>(user))
        op.narrowIdRange(view, range);
  }
}

void xf::inferIdRanges(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    Type element = getElementTypeOrSelf(argument.getType());
    if (!element.isInteger(32) && !element.isInteger(64))
      continue;
    IdRange range;
    addUses(argument, range);
    if (range.highest == INT64_MAX && !range.isOrdered && !range.mark && range.limit.empty())
      continue;
    StringRef name = "xf.range";
    if (auto declared = function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), name)) {
      range.lowest = std::max(range.lowest, declared[0]);
      range.highest = std::min(range.highest, declared[1]);
    }
    if (range.mark && range.lowest != *range.mark)
      range.lowest = std::max<int64_t>(range.lowest, 0);
    auto attribute = DenseI64ArrayAttr::get(function.getContext(), {range.lowest, range.highest});
    function.setArgAttr(argument.getArgNumber(), name, attribute);
    if (!range.limit.empty())
      function.setArgAttr(argument.getArgNumber(), "xft.limit",
                          DenseI64ArrayAttr::get(function.getContext(), range.limit));
    if (range.mark && range.lowest == *range.mark)
      function.setArgAttr(argument.getArgNumber(), "xft.marked", UnitAttr::get(function.getContext()));
    if (range.isPlace)
      function.setArgAttr(argument.getArgNumber(), "xft.place", UnitAttr::get(function.getContext()));
    if (range.isOrdered)
      function.setArgAttr(argument.getArgNumber(), "xft.ordered", UnitAttr::get(function.getContext()));
  }
}
