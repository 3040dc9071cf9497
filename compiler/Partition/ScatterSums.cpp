//===- ScatterSums.cpp - Sums of which ranks take parts -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces a sum over ranks by xf.reduce_scatter if each rank takes only a part of the sum. In the example, each rank
// updates its part of the gradient %g, but before that, it needs the norm of the whole gradient:
//
//   %g = xf.all_reduce %x over ["data"] : tensor<8xf32>
//   %clip = xf.clip_scale %g max_norm 1.0 : (tensor<8xf32>) -> tensor<f32>
//   %p = xf.all_slice %g dim 0 over ["data"] : tensor<8xf32> to tensor<4xf32>
//
// becomes
//
//   %p = xf.reduce_scatter %x dim 0 over ["data"] : tensor<8xf32> to tensor<4xf32>
//   %s = the square of the norm of %p, f64
//   %t = xf.all_reduce %s over ["data"] : tensor<f64>
//   %clip = xf.clip_scale of the root of %t
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ScatterSums.h"
#include "compiler/Partition/Reshard.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/Ops/XfClipScale.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr StringLiteral gradientAxesAttrName = "gradient_axes";

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

void xf::setGradientAxes(Operation *clipScale, ArrayRef<DimShardings> gradients, MeshAttr mesh) {
  SmallVector<Attribute> all;
  for (const DimShardings &dims : gradients) {
    SmallVector<Attribute> axes;
    for (const DimSharding &dim : dims)
      if (!dim.isWhole())
        llvm::append_range(axes, dim.axes);
    all.push_back(inMeshOrder(axes, mesh));
  }
  clipScale->setAttr(gradientAxesAttrName, ArrayAttr::get(mesh.getContext(), all));
}

/// If only one slice and `norm` read `gradient`, returns the slice, or the slice of this slice, and so on. Otherwise
/// returns `gradient`. Moves each slice right after its operand, and adds the axes of the slice to `axes`.
static Value partOf(Value gradient, Operation *norm, SmallVectorImpl<Attribute> &axes) {
  while (true) {
    AllSliceOp slice;
    for (Operation *user : gradient.getUsers()) {
      if (user == norm)
        continue;
      if (slice || !isa<AllSliceOp>(user))
        return gradient;
      slice = cast<AllSliceOp>(user);
    }
    if (!slice)
      return gradient;
    llvm::append_range(axes, slice.getAxes());
    if (Operation *made = gradient.getDefiningOp())
      slice->moveAfter(made);
    else // an argument
      slice->moveBefore(&slice->getBlock()->front());
    gradient = slice.getY();
    norm = nullptr;
  }
}

/// Builds the sum of the squares of all elements of `tensors`, as f64.
static Value squaresOf(OpBuilder &b, Location location, ArrayRef<Value> tensors) {
  // The scale of a norm that is clipped to the offset c is c / (norm + c), so that the norm is c / scale - c.
  auto scalar = RankedTensorType::get({}, b.getF64Type());
  Value scale = ClipScaleOp::create(b, location, scalar, tensors, b.getF64FloatAttr(kClipNormOffset));
  return MapOp::create(b, location, scalar, scale, [&](OpBuilder &inner, ValueRange scalars) -> Value {
    Value small = arith::ConstantOp::create(inner, location, inner.getF64FloatAttr(kClipNormOffset));
    Value norm =
        arith::SubFOp::create(inner, location, arith::DivFOp::create(inner, location, small, scalars[0]), small);
    return arith::MulFOp::create(inner, location, norm, norm);
  });
}

/// Builds the result of `op`, an xf.clip_scale, from `squares`: the sum of all `squares` is the square of the norm of
/// the gradients of `op`. Builds an xf.clip_scale of one number, the root of this sum, because the norm of this number
/// is the norm of the gradients.
static Value scaleOf(OpBuilder &b, ClipScaleOp op, ArrayRef<Value> squares) {
  Location location = op.getLoc();
  auto scalar = RankedTensorType::get({}, b.getF64Type());
  Value norm = MapOp::create(b, location, scalar, squares, [&](OpBuilder &inner, ValueRange scalars) -> Value {
    Value total = scalars.front();
    for (Value other : scalars.drop_front())
      total = arith::AddFOp::create(inner, location, total, other);
    return math::SqrtOp::create(inner, location, total);
  });
  return ClipScaleOp::create(b, location, op.getScale().getType(), norm, op.getMaxNormAttr());
}

/// Replaces `op`, which reads the norm of whole gradients, by ops that compute the norm from each rank's parts.
static void shareNorm(ClipScaleOp op, MeshAttr mesh) {
  auto given = op->getAttrOfType<ArrayAttr>(gradientAxesAttrName);
  op->removeAttr(gradientAxesAttrName);
  llvm::MapVector<Attribute, SmallVector<Value>> partsOfAxes;
  for (auto [number, gradient] : llvm::enumerate(op.getGradients())) {
    SmallVector<Attribute> axes;
    if (given)
      llvm::append_range(axes, cast<ArrayAttr>(given[number]));
    Value part = partOf(gradient, op, axes);
    partsOfAxes[inMeshOrder(axes, mesh)].push_back(part);
  }
  if (partsOfAxes.size() == 1 && cast<ArrayAttr>(partsOfAxes.front().first).empty())
    return;
  OpBuilder b(op);
  SmallVector<Value> squares;
  for (auto &[axes, parts] : partsOfAxes) {
    Value sum = squaresOf(b, op.getLoc(), parts);
    ArrayRef<Attribute> over = cast<ArrayAttr>(axes).getValue();
    squares.push_back(over.empty() ? sum : sumOverRanks(b, op.getLoc(), sum, over, mesh, b.getF64Type()));
  }
  op.replaceAllUsesWith(scaleOf(b, op, squares));
  op.erase();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// If `slice` takes a part of a sum over ranks that was rounded first, replaces it by a slice of the unrounded sum, and
/// rounds the part. Returns the op that takes the part: the new slice, or else `slice`.
static AllSliceOp sliceBeforeRounding(AllSliceOp slice) {
  auto rounded = slice.getX().getDefiningOp<CastOp>();
  if (!rounded || !rounded.getX().getDefiningOp<AllReduceOp>())
    return slice;
  OpBuilder b(slice);
  auto type = cast<RankedTensorType>(slice.getType()).clone(getElementTypeOrSelf(rounded.getX().getType()));
  auto part =
      AllSliceOp::create(b, slice.getLoc(), type, rounded.getX(), slice.getDim(), slice.getAxes(), slice.getChunks());
  slice.replaceAllUsesWith(CastOp::create(b, slice.getLoc(), slice.getType(), part).getResult());
  slice.erase();
  if (rounded->use_empty())
    rounded.erase();
  return part;
}

/// If `slice` takes a part of a sum over ranks, replaces the two ops. xf.reduce_scatter over the axes of the slice
/// builds the part, and a sum over the other axes of the sum follows.
static void scatter(AllSliceOp slice, MeshAttr mesh) {
  auto sum = slice.getX().getDefiningOp<AllReduceOp>();
  if (!sum || !sum->hasOneUse() || slice.getChunks() > 1)
    return;
  SmallVector<Attribute> others;
  for (Attribute axis : sum.getAxes())
    if (!llvm::is_contained(slice.getAxes(), axis))
      others.push_back(axis);
  size_t parts = slice.getAxes().size();
  if (others.size() + parts != sum.getAxes().size())
    return;
  // In the order `keys` ranks add in pairs, those along the last axis first.
  if (hasKeysOrder(slice) && sum.getAxes().getValue().take_back(parts) != slice.getAxes().getValue())
    return;
  OpBuilder b(slice);
  Value part = ReduceScatterOp::create(b, sum.getLoc(), slice.getType(), sum.getX(), slice.getDim(), slice.getAxes());
  if (!others.empty())
    part = AllReduceOp::create(b, sum.getLoc(), part.getType(), part, inMeshOrder(others, mesh));
  slice.replaceAllUsesWith(part);
  slice.erase();
  sum.erase();
}

void xf::scatterSums(func::FuncOp share, MeshAttr mesh) {
  if (!hasKeysOrder(share)) // in which each rank has the norm of all
    for (auto norm : llvm::make_early_inc_range(share.getOps<ClipScaleOp>()))
      shareNorm(norm, mesh);
  for (auto slice : llvm::make_early_inc_range(share.getOps<AllSliceOp>()))
    scatter(sliceBeforeRounding(slice), mesh);
}
