//===- XftBoxes.cpp - TMA boxes of index maps -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftBoxes.h"

using namespace mlir;
using namespace mlir::xft;

/// The largest size of a box along one dimension, in elements, that cuTensorMapEncodeTiled accepts.
static constexpr int64_t mostOfBox = 256;

static bool isContiguous(xf::IndexMapAttr map) { return map.getPeriod() == map.getWidth(); }

bool RankBoxes::exist() const {
  if (count > mostOfBox)
    return false;
  int64_t width = map.getWidth();
  return isContiguous(map) || isStrided() || count % width == 0 || width % count == 0;
}

bool RankBoxes::existAnywhere() const { return count <= mostOfBox && (isContiguous(map) || isStrided()); }

int64_t RankBoxes::rows() const {
  return isContiguous(map) || isStrided() ? count : std::min<int64_t>(count, map.getWidth());
}

SmallVector<TensorMapAttr, 2> RankBoxes::maps(int64_t operand) const {
  MLIRContext *context = map.getContext();
  AffineExpr b, h, n, d, one = getAffineConstantExpr(1, context);
  bindDims(context, b, h, n, d);
  auto view = [&](ArrayRef<AffineExpr> sizes, ArrayRef<AffineExpr> strides) {
    SmallVector<int64_t> box(sizes.size(), 1);
    box.front() = columns;
    box[sizes.size() - 3] = rows(); // the dimension before the last two, b and h
    return TensorMapAttr::get(context, operand, AffineMap::get(4, 0, sizes, context),
                              AffineMap::get(4, 0, strides, context), box);
  };
  if (!isStrided())
    return {view({d, n, h, b}, {one, n, h, b})};
  int64_t period = map.getPeriod();
  SmallVector<AffineExpr> strides = {one, n, n * period, h, b};
  return {view({d, n % period, n.floorDiv(period) + 1, h, b}, strides),
          view({d, one * period, n.floorDiv(period), h, b}, strides)};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> stridesOf(Value memref) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)cast<MemRefType>(memref.getType()).getStridesAndOffset(strides, offset);
  return strides;
}

bool xft::hasUnitTerms(ContractOp op, bool isRight) {
  return isRight ? stridesOf(op.getB()).end()[-2] == 1 && stridesOf(op.getB()).back() != 1
                 : stridesOf(op.getA()).back() == 1;
}

SmallVector<unsigned> xft::contractDimensions(ContractOp op, bool isRight) {
  SmallVector<int64_t> strides = stridesOf(isRight ? op.getB() : op.getA());
  unsigned rank = strides.size(), terms = isRight ? rank - 2 : rank - 1, others = isRight ? rank - 1 : rank - 2;
  SmallVector<unsigned> dimensions = {terms, others};
  if (!hasUnitTerms(op, isRight))
    std::swap(dimensions[0], dimensions[1]);
  for (unsigned d = rank - 2; d-- > 0;)
    if (strides[d] != 0)
      dimensions.push_back(d);
  return dimensions;
}

TensorMapAttr xft::contractMap(ContractOp op, bool isRight) {
  MLIRContext *context = op.getContext();
  auto operand = cast<BlockArgument>(isRight ? op.getB() : op.getA());
  SmallVector<unsigned> dimensions = contractDimensions(op, isRight);
  SmallVector<AffineExpr> sizes, steps;
  for (unsigned d : dimensions) {
    sizes.push_back(getAffineDimExpr(d, context));
    steps.push_back(steps.empty() ? getAffineConstantExpr(1, context) : getAffineDimExpr(d, context));
  }
  SmallVector<int64_t> box(dimensions.size(), 1);
  box[0] = RankBoxes::columns;
  box[1] = !hasUnitTerms(op, isRight) ? ContractOp::stageTerms : isRight ? op.getColumns() : op.getBlock();
  unsigned rank = cast<MemRefType>(operand.getType()).getRank();
  return TensorMapAttr::get(context, operand.getArgNumber() - kernelPrefix, AffineMap::get(rank, 0, sizes, context),
                            AffineMap::get(rank, 0, steps, context), box);
}
