//===- IdRanges.cpp - Ids that are arguments are checked when a call comes -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  func.func @f(%t: tensor<4x8xf32>, %ids: tensor<5xi32>) { %y = xf.embedding %t, %ids .. }
// After:   func.func @f(%t: tensor<4x8xf32>, %ids: tensor<5xi32> {xf.range = array<i64: 0, 3>}) ..
//
// Kernels hold an id that lies outside a table at its end, so that no read leaves it; the runtime refuses such a call
// where every element of an argument is an id. Offsets of a table's lists get `xft.ordered` too. What a program declares itself can only become narrower. Ids that a
// program computes are not seen here, nor is a table whose size is dynamic.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/TileOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct IdRange {
  int64_t lowest = INT64_MIN, highest = INT64_MAX;
  bool isOrdered = false;

  void below(int64_t size, int64_t least) {
    lowest = std::max(lowest, least);
    if (!ShapedType::isDynamic(size))
      highest = std::min(highest, size - 1);
  }
};
} // namespace

/// -100 is the target that does not count.
template <typename OpTy>
static void addTargets(OpTy loss, Value targets, IdRange &range) {
  if (loss.getTargets() == targets)
    range.below(loss.getLogits().getType().getShape().back(), -100);
}

/// Offsets may be the number of columns, and do not decrease.
template <typename OpTy>
static void addOffsets(OpTy attention, Value offsets, IdRange &range) {
  if (attention.getTableOffsets() != offsets)
    return;
  int64_t columns = cast<RankedTensorType>(attention.getTableColumns().getType()).getDimSize(0);
  range.below(ShapedType::isDynamic(columns) ? columns : columns + 1, 0);
  range.isOrdered = true;
}

static void addUses(Value ids, IdRange &range) {
  SmallVector<Value> views = {ids}; // the same elements in another shape
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers())
      llvm::TypeSwitch<Operation *>(user)
          .Case<EmbeddingOp>([&](auto op) { range.below(op.getTable().getType().getDimSize(0), 0); })
          .Case<EmbeddingVjpOp>([&](auto op) { range.below(op.getDTable().getType().getDimSize(0), 0); })
          .Case<AttentionOp, AttentionVjpOp>([&](auto op) { addOffsets(op, view, range); })
          .Case<CrossEntropyOp, CrossEntropyVjpOp>([&](auto op) { addTargets(op, view, range); })
          .Case<ReshapeOp, TransposeOp>([&](auto op) { views.push_back(op.getResult()); });
  }
}

void xf::inferIdRanges(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    Type element = getElementTypeOrSelf(argument.getType());
    if (!element.isInteger(32) && !element.isInteger(64))
      continue;
    IdRange range;
    addUses(argument, range);
    if (range.highest == INT64_MAX && !range.isOrdered)
      continue;
    StringRef name = "xf.range";
    if (auto declared = function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), name))
      range = {std::max(range.lowest, declared[0]), std::min(range.highest, declared[1]), range.isOrdered};
    auto attribute = DenseI64ArrayAttr::get(function.getContext(), {range.lowest, range.highest});
    function.setArgAttr(argument.getArgNumber(), name, attribute);
    if (range.isOrdered)
      function.setArgAttr(argument.getArgNumber(), "xft.ordered", UnitAttr::get(function.getContext()));
  }
}
