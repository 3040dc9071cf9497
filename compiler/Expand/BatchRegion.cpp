//===- BatchRegion.cpp - Batching of a region over rows -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/BatchRegion.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfRows.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
class RegionBatcher {
public:
  RegionBatcher(OpBuilder &builder, ArrayRef<int64_t> prefix) : builder(builder), prefix(prefix) {}

  void set(Value inside, Value outside, bool dependsOnRow) {
    mapping.map(inside, outside);
    if (dependsOnRow)
      batched.insert(inside);
  }
  bool dependsOnRow(Value inside) const { return batched.contains(inside); }
  Value operator[](Value inside) const { return mapping.lookup(inside); }

  LogicalResult batch(Operation &op);

private:
  bool hasBatchedForm(Operation &op) const;
  RankedTensorType batchedType(RankedTensorType type, int64_t ones = 0) const;
  void alignRanks(Operation &original, Operation &op);
  SmallVector<int64_t> behind(int64_t value, ArrayRef<int64_t> values) const;
  void addLeading(Operation &copy) const;

  OpBuilder &builder;
  ArrayRef<int64_t> prefix;
  IRMapping mapping;
  DenseSet<Value> batched; ///< values of the region that depend on the row
};
} // namespace

RankedTensorType RegionBatcher::batchedType(RankedTensorType type, int64_t ones) const {
  SmallVector<int64_t> shape(prefix);
  shape.append(ones, 1);
  llvm::append_range(shape, type.getShape());
  return type.clone(shape);
}

/// Returns whether `op` has a batched form: if its operands that depend on the row get leading dimensions, one op
/// computes the results of all rows. For this, the op must treat each index of the leading dimensions independently.
bool RegionBatcher::hasBatchedForm(Operation &op) const {
  auto onlyFirst = [&] {
    return dependsOnRow(op.getOperand(0)) &&
           llvm::none_of(op.getOperands().drop_front(), [&](Value value) { return dependsOnRow(value); });
  };
  auto all = [&] { return llvm::all_of(op.getOperands(), [&](Value value) { return dependsOnRow(value); }); };
  if (isa<ElementwiseOpInterface, ReshapeOp, TransposeOp, SliceOp, BroadcastOp>(op))
    return true;
  if (actsOnRows(&op) || isa<ReduceOp>(op))
    return onlyFirst();
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return all() || (onlyFirst() && cast<RankedTensorType>(matmul.getB().getType()).getRank() == 2);
  return isa<ConcatOp>(op) && all();
}

/// Reshapes the operands of `op`, the batched form of `original`, so that they broadcast as those of `original` do.
/// Broadcasting compares shapes from the last dimension, and an operand that depends on the row may have fewer
/// dimensions than the result in the region. Such an operand gets dimensions of size 1 after its leading dimensions, so
/// that its leading dimensions meet the leading dimensions of the other operands.
void RegionBatcher::alignRanks(Operation &original, Operation &op) {
  int64_t rank = cast<RankedTensorType>(original.getResult(0).getType()).getRank();
  for (auto [inside, operand] : llvm::zip(original.getOperands(), op.getOpOperands())) {
    auto type = cast<RankedTensorType>(inside.getType());
    if (!dependsOnRow(inside) || type.getRank() == rank)
      continue;
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(&op);
    operand.set(ReshapeOp::create(builder, op.getLoc(), batchedType(type, rank - type.getRank()), operand.get()));
  }
}

LogicalResult RegionBatcher::batch(Operation &op) {
  bool depends = llvm::any_of(op.getOperands(), [&](Value value) { return dependsOnRow(value); });
  if (depends && !hasBatchedForm(op))
    return op.emitOpError(
        "not implemented: this op in a feature region, where element-wise ops, linear and matmul by a "
        "captured matrix, softmax, norms, reduce, concat, reshape, transpose, slice and broadcast are");
  Operation *copy = builder.clone(op, mapping);
  if (!depends)
    return success();
  for (auto [inside, outside] : llvm::zip(op.getResults(), copy->getResults())) {
    outside.setType(batchedType(cast<RankedTensorType>(inside.getType())));
    batched.insert(inside);
  }
  if (isa<ElementwiseOpInterface, BroadcastOp>(op))
    alignRanks(op, *copy);
  addLeading(*copy);
  return success();
}

/// Returns `value` once for each leading dimension, followed by `values`.
SmallVector<int64_t> RegionBatcher::behind(int64_t value, ArrayRef<int64_t> values) const {
  SmallVector<int64_t> all(prefix.size(), value);
  llvm::append_range(all, values);
  return all;
}

/// Adds the number of leading dimensions to the indices of dimensions in the attributes of `copy`. In the copy, the
/// leading dimensions come before all others.
void RegionBatcher::addLeading(Operation &copy) const {
  int64_t leading = prefix.size();
  if (auto reduce = dyn_cast<ReduceOp>(&copy))
    reduce.setAxes(llvm::map_to_vector(reduce.getAxes(), [&](int64_t axis) { return axis + leading; }));
  if (auto concat = dyn_cast<ConcatOp>(&copy))
    concat.setAxis(concat.getAxis() + leading);
  if (auto slice = dyn_cast<SliceOp>(&copy)) {
    slice.setOffsets(behind(0, slice.getOffsets()));
    slice.setStrides(behind(1, slice.getStrides()));
  }
  if (auto transpose = dyn_cast<TransposeOp>(&copy)) {
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(leading));
    for (int64_t axis : transpose.getPermutation())
      permutation.push_back(axis + leading);
    transpose.setPermutation(permutation);
  }
}

FailureOr<Value> xf::batchRegion(OpBuilder &builder, Block &body, TypedValue<RankedTensorType> rows,
                                 ValueRange shared) {
  RegionBatcher batcher(builder, rows.getType().getShape().drop_back());
  batcher.set(body.getArgument(0), rows, /*dependsOnRow=*/true);
  for (auto [argument, value] : llvm::zip(body.getArguments().drop_front(), shared))
    batcher.set(argument, value, /*dependsOnRow=*/false);
  for (Operation &op : body.without_terminator())
    if (failed(batcher.batch(op)))
      return failure();
  Value yielded = body.getTerminator()->getOperand(0);
  if (!batcher.dependsOnRow(yielded))
    return body.getTerminator()->emitOpError("expected features that depend on the row");
  return batcher[yielded];
}
