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
// Kernels clamp an id outside of a table to its end, so that no read leaves it; the runtime rejects such a call if
// every element of an argument is an id. If the table's size is dynamic and the table is an argument, ids get
// `xft.limit = [argument, dimension, offset]`: none exceeds the size plus the offset. Offsets of a table's lists get
// `xft.ordered` too. Ranges that a program declares can only become narrower. Ids that a program computes are not seen
// here.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
struct IdRange {
  int64_t lowest = INT64_MIN, highest = INT64_MAX;
  bool isOrdered = false;
  SmallVector<int64_t, 3> limit; ///< the first dynamic one: argument, dimension, offset

  /// Narrows the range to [least, size of dimension `dim` of `table` + offset].
  void within(Value table, int64_t dim, int64_t offset, int64_t least) {
    lowest = std::max(lowest, least);
    auto type = cast<RankedTensorType>(table.getType());
    auto argument = dyn_cast<BlockArgument>(table);
    if (!type.isDynamicDim(dim))
      highest = std::min(highest, type.getDimSize(dim) + offset);
    else if (argument && limit.empty())
      limit = {argument.getArgNumber(), dim, offset};
  }
};
} // namespace

/// Adds the range of a loss's targets; -100 is the target of rows that do not count.
template <typename OpTy>
static void addTargets(OpTy loss, Value targets, IdRange &range) {
  if (loss.getTargets() == targets)
    range.within(loss.getLogits(), loss.getLogits().getType().getRank() - 1, -1, -100);
}

/// Adds the range of a table's offsets: at most the number of columns, and ascending.
template <typename OpTy>
static void addOffsets(OpTy attention, Value offsets, IdRange &range) {
  if (attention.getTableOffsets() != offsets)
    return;
  range.within(attention.getTableColumns(), 0, 0, 0);
  range.isOrdered = true;
}

static void addUses(Value ids, IdRange &range) {
  SmallVector<Value> views = {ids}; // the same elements in another shape
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers())
      llvm::TypeSwitch<Operation *>(user)
          .Case<EmbeddingOp>([&](auto op) { range.within(op.getTable(), 0, -1, 0); })
          .Case<EmbeddingVjpOp>([&](auto op) { range.within(op.getDTable(), 0, -1, 0); })
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
    if (range.highest == INT64_MAX && !range.isOrdered && range.limit.empty())
      continue;
    StringRef name = "xf.range";
    if (auto declared = function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), name)) {
      range.lowest = std::max(range.lowest, declared[0]);
      range.highest = std::min(range.highest, declared[1]);
    }
    auto attribute = DenseI64ArrayAttr::get(function.getContext(), {range.lowest, range.highest});
    function.setArgAttr(argument.getArgNumber(), name, attribute);
    if (!range.limit.empty())
      function.setArgAttr(argument.getArgNumber(), "xft.limit",
                          DenseI64ArrayAttr::get(function.getContext(), range.limit));
    if (range.isOrdered)
      function.setArgAttr(argument.getArgNumber(), "xft.ordered", UnitAttr::get(function.getContext()));
  }
}
