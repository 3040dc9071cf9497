//===- AccumulatePads.cpp - Sums of parts in one buffer -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites sums of padded parts to ops that write only the parts. If slices read the parts of a tensor, its gradient is
// a sum of pads, each of the tensor's size:
//
//   %p = xf.pad %a low [0]
//   %q = xf.pad %b low [2]
//   %s = xf.add %p, %q         ->  %s = xf.concat %a, %b         if the parts fill the tensor
//                              ->  %s = xf.add_at %p, %b    in general
//
// The new ops read and write only the parts, not the whole tensor. xf.add_at does so if nothing else reads its first
// operand; otherwise, it copies this operand first.
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Patterns.h"
#include "dialects/xf/Ops/XfSelectionOps.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the pad that defines `value`, if nothing else reads it, or null.
static PadOp ownPad(Value value) {
  auto pad = value.getDefiningOp<PadOp>();
  return pad && pad->hasOneUse() ? pad : PadOp();
}

/// Returns the only op that reads `value`, or null.
static Operation *onlyReader(Value value) { return value.hasOneUse() ? *value.user_begin() : nullptr; }

/// Returns whether `value` is used only as a term of a sum, possibly after ops that move or convert its elements.
static bool endsInSum(Value value) {
  Operation *reader = onlyReader(value);
  while (isa_and_nonnull<PadOp, CastOp, ReshapeOp, TransposeOp, SplitHeadsOp, MergeHeadsOp>(reader))
    reader = onlyReader(reader->getResult(0));
  return isa_and_nonnull<AddOp, AddAtOp>(reader);
}

namespace {
/// Rewrites pad(a) + b to an op that adds a to a part of b.
struct AccumulatePad : OpRewritePattern<AddOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddOp op, PatternRewriter &rewriter) const override {
    for (auto [term, other] : {std::pair(op.getB(), op.getA()), std::pair(op.getA(), op.getB())}) {
      PadOp pad = ownPad(term);
      if (!pad || term.getType() != op.getType() || other.getType() != op.getType())
        continue;
      rewriter.replaceOpWithNewOp<AddAtOp>(op, op.getType(), other, pad.getX(), pad.getLow(), pad.getStrides(),
                                           pad.getStartsAttr());
      return success();
    }
    return rewriter.notifyMatchFailure(op, "expected a sum with a pad that nothing else reads");
  }
};

/// A part of a tensor, with the elements `x`. The part is as large as the tensor except along one axis. Along this
/// axis, it begins at the index `first`.
struct Part {
  Value x;
  int64_t first;
};

/// Rewrites a sum of parts to a concat of the parts, if the sum begins with a pad and the parts fill the tensor along
/// one axis.
struct PartsToConcat : OpRewritePattern<AddAtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddAtOp last, PatternRewriter &rewriter) const override {
    Operation *reader = onlyReader(last.getY());
    if (auto next = dyn_cast_or_null<AddAtOp>(reader);
        isa_and_nonnull<AddOp>(reader) || (next && isInitial(last, next)))
      return rewriter.notifyMatchFailure(last, "expected the last part of a sum");
    SmallVector<Part> parts;
    std::optional<int64_t> axis = axisOf(last.getX(), last.getType());
    if (!axis || failed(findParts(last, *axis, parts)))
      return rewriter.notifyMatchFailure(last, "expected a sum of nothing but parts along one axis");
    llvm::sort(parts, [](const Part &a, const Part &b) { return a.first < b.first; });
    int64_t filled = 0;
    for (const Part &part : parts) {
      if (part.first != filled)
        return rewriter.notifyMatchFailure(last, "expected parts without gaps and overlaps");
      filled += cast<RankedTensorType>(part.x.getType()).getDimSize(*axis);
    }
    if (filled != last.getType().getDimSize(*axis))
      return rewriter.notifyMatchFailure(last, "expected parts that fill the tensor");
    auto inputs = llvm::map_to_vector(parts, [](const Part &part) { return part.x; });
    rewriter.replaceOpWithNewOp<ConcatOp>(last, last.getType(), inputs, *axis);
    return success();
  }

private:
  static bool isInitial(AddAtOp op, AddAtOp next) { return next.getInitial() == op.getY() && next.getX() != op.getY(); }

  /// Returns the first dimension along which x is smaller than `whole`, or the last dimension if there is none. Returns
  /// nullopt for a scalar or a dynamic shape.
  static std::optional<int64_t> axisOf(Value x, RankedTensorType whole) {
    ArrayRef<int64_t> part = cast<RankedTensorType>(x.getType()).getShape();
    if (part.empty() || !whole.hasStaticShape())
      return std::nullopt;
    int64_t axis = 0;
    while (axis + 1 < whole.getRank() && part[axis] == whole.getDimSize(axis))
      ++axis;
    return axis;
  }

  /// Appends the operand x of `op`, a pad or an xf.add_at, to `parts`. x lies at the position `first` in the tensor.
  /// Fails if the position is not constant, if x has strides or a dynamic size, or if x is smaller than the tensor
  /// along a dimension other than `axis`.
  template <typename OpTy>
  static LogicalResult append(OpTy op, ArrayRef<int64_t> first, int64_t axis, SmallVectorImpl<Part> &parts) {
    auto x = cast<RankedTensorType>(op.getX().getType());
    for (auto [d, size, place, stride] : llvm::enumerate(x.getShape(), first, op.getStrides())) {
      bool isWhole = place == 0 && size == op.getType().getDimSize(d);
      if (ShapedType::isDynamic(size) || stride != 1 || (!isWhole && static_cast<int64_t>(d) != axis))
        return failure();
    }
    parts.push_back({op.getX(), first[axis]});
    return success(!op.getStarts());
  }

  /// Finds the parts of the sum that ends with `last`, from the last part to the first one. Fails if the first one is
  /// no pad, or if a part cannot be appended.
  static LogicalResult findParts(AddAtOp last, int64_t axis, SmallVectorImpl<Part> &parts) {
    for (AddAtOp sum = last;;) {
      if (failed(append(sum, sum.getOffsets(), axis, parts)))
        return failure();
      if (PadOp pad = ownPad(sum.getInitial()))
        return append(pad, pad.getLow(), axis, parts);
      sum = sum.getInitial().getDefiningOp<AddAtOp>();
      if (!sum || !sum->hasOneUse())
        return failure();
    }
  }
};

/// Moves a pad past an op that moves or converts elements, if the result of that op becomes a term of a sum: rewrites
/// transpose(pad(x)) + y to pad(transpose(x)) + y. Applied again, the pattern moves the pad past each op before the
/// sum.
template <typename OpTy>
struct PadLast : OpRewritePattern<OpTy> {
  using OpRewritePattern<OpTy>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpTy op, PatternRewriter &rewriter) const override {
    PadOp pad = ownPad(op.getX());
    if (!pad || pad.getStarts() || pad.getSizes() || !endsInSum(op.getResult()))
      return rewriter.notifyMatchFailure(op, "expected a term of a sum that moves a pad by numbers");
    SmallVector<int64_t> low, strides;
    Value x = move(op, pad, rewriter, low, strides);
    if (!x)
      return rewriter.notifyMatchFailure(op, "expected padded dimensions that stay what they are");
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), x, low, strides);
    return success();
  }

private:
  using Numbers = SmallVectorImpl<int64_t>;

  static Value move(CastOp op, PadOp pad, PatternRewriter &rewriter, Numbers &low, Numbers &strides) {
    llvm::append_range(low, pad.getLow());
    llvm::append_range(strides, pad.getStrides());
    return CastOp::create(rewriter, op.getLoc(), pad.getX().getType().clone(op.getType().getElementType()), pad.getX());
  }

  static Value move(TransposeOp op, PadOp pad, PatternRewriter &rewriter, Numbers &low, Numbers &strides) {
    SmallVector<int64_t> shape;
    for (int64_t d : op.getPermutation()) {
      low.push_back(pad.getLow()[d]);
      strides.push_back(pad.getStrides()[d]);
      shape.push_back(pad.getX().getType().getDimSize(d));
    }
    return TransposeOp::create(rewriter, op.getLoc(), pad.getX().getType().clone(shape), pad.getX(),
                               op.getPermutation());
  }

  /// Moves a pad past a split of heads, if the pad adds whole heads.
  static Value move(SplitHeadsOp op, PadOp pad, PatternRewriter &rewriter, Numbers &low, Numbers &strides) {
    int64_t depth = op.getType().getDimSize(3), first = pad.getLow()[2];
    ArrayRef<int64_t> part = pad.getX().getType().getShape();
    if (ShapedType::isDynamic(depth) || ShapedType::isDynamic(part[2]) || depth == 0 || first % depth != 0 ||
        part[2] % depth != 0 || pad.getStrides()[2] != 1)
      return nullptr;
    low.append({pad.getLow()[0], first / depth, pad.getLow()[1], 0});
    strides.append({pad.getStrides()[0], 1, pad.getStrides()[1], 1});
    auto type = pad.getX().getType().clone({part[0], part[2] / depth, part[1], depth});
    return SplitHeadsOp::create(rewriter, op.getLoc(), type, pad.getX(), part[2] / depth);
  }

  static Value move(MergeHeadsOp op, PadOp pad, PatternRewriter &rewriter, Numbers &low, Numbers &strides) {
    ArrayRef<int64_t> part = pad.getX().getType().getShape();
    int64_t depth = pad.getType().getDimSize(3);
    if (ShapedType::isDynamic(depth) || ShapedType::isDynamic(part[1]) || part[3] != depth || pad.getStrides()[1] != 1)
      return nullptr;
    low.append({pad.getLow()[0], pad.getLow()[2], pad.getLow()[1] * depth});
    strides.append({pad.getStrides()[0], pad.getStrides()[2], 1});
    auto type = pad.getX().getType().clone({part[0], part[2], part[1] * depth});
    return MergeHeadsOp::create(rewriter, op.getLoc(), type, pad.getX());
  }

  /// Moves a pad past a reshape. For each padded dimension of the operand, there must be a dimension of the result with
  /// the same size and with as many elements before it. If only one dimension is padded, the sizes may differ: the pad
  /// must then add whole rows of the result's dimension.
  static Value move(ReshapeOp op, PadOp pad, PatternRewriter &rewriter, Numbers &low, Numbers &strides) {
    ArrayRef<int64_t> to = op.getType().getShape(), from = pad.getType().getShape();
    ArrayRef<int64_t> part = pad.getX().getType().getShape();
    if (!op.getType().hasStaticShape() || !pad.getX().getType().hasStaticShape() || !pad.getType().hasStaticShape())
      return nullptr;
    SmallVector<int64_t> shape(to);
    low.assign(to.size(), 0);
    strides.assign(to.size(), 1);
    size_t padded =
        llvm::count_if(llvm::zip(part, from), [](auto sizes) { return std::get<0>(sizes) != std::get<1>(sizes); });
    for (size_t d = 0; d < from.size(); ++d) {
      if (part[d] == from[d])
        continue;
      auto before = [](ArrayRef<int64_t> sizes, size_t n) { return llvm::product_of(sizes.take_front(n)); };
      auto rows = [&](size_t n) { return llvm::product_of(to.drop_front(n + 1)); };
      const int64_t behind = llvm::product_of(from.drop_front(d + 1));
      auto becomes = [&](size_t n) {
        if (before(to, n) != before(from, d) || rows(n) == 0)
          return false;
        bool isWhole = padded == 1 && pad.getStrides()[d] == 1 && pad.getLow()[d] * behind % rows(n) == 0 &&
                       part[d] * behind % rows(n) == 0;
        return to[n] == from[d] || isWhole;
      };
      size_t same = 0;
      while (same < to.size() && !becomes(same))
        ++same;
      if (same == to.size())
        return nullptr;
      shape[same] = part[d] * behind / rows(same);
      low[same] = pad.getLow()[d] * behind / rows(same);
      strides[same] = pad.getStrides()[d];
    }
    return ReshapeOp::create(rewriter, op.getLoc(), pad.getX().getType().clone(shape), pad.getX());
  }
};

/// Returns the pad that defines the operand x of `op`. Returns null if no pad does, or if a position of `op` or of the
/// pad is not constant.
template <typename OpTy>
static PadOp padOfPart(OpTy op) {
  auto pad = op.getX().template getDefiningOp<PadOp>();
  return pad && !op.getStarts() && !pad.getStarts() && !pad.getSizes() ? pad : PadOp();
}

/// Computes where the elements of x in pad(x) lie in a whole tensor, if pad(x) is a part of this tensor. pad(x) lies at
/// the position `first` with the strides `strides`, and `part` is the pad. Appends the position of x to `places`, and
/// its strides to `steps`.
static void compose(ArrayRef<int64_t> first, ArrayRef<int64_t> strides, PadOp part, SmallVectorImpl<int64_t> &places,
                    SmallVectorImpl<int64_t> &steps) {
  for (auto [at, stride, low, step] : llvm::zip(first, strides, part.getLow(), part.getStrides())) {
    places.push_back(at + stride * low);
    steps.push_back(stride * step);
  }
}

/// Folds pad(pad(x)) to one pad. It is the gradient of a slice of a slice.
struct FoldPad : OpRewritePattern<PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PadOp op, PatternRewriter &rewriter) const override {
    PadOp part = padOfPart(op);
    if (!part || op.getSizes())
      return rewriter.notifyMatchFailure(op, "expected a pad of a pad, both by numbers");
    SmallVector<int64_t> low, strides;
    compose(op.getLow(), op.getStrides(), part, low, strides);
    rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), part.getX(), low, strides);
    return success();
  }
};

/// Rewrites the addition of pad(x) to a part of a tensor to the addition of x to a smaller part.
struct AddUnpadded : OpRewritePattern<AddAtOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddAtOp op, PatternRewriter &rewriter) const override {
    PadOp part = padOfPart(op);
    if (!part)
      return rewriter.notifyMatchFailure(op, "expected a sum with a pad, both by numbers");
    SmallVector<int64_t> offsets, strides;
    compose(op.getOffsets(), op.getStrides(), part, offsets, strides);
    rewriter.replaceOpWithNewOp<AddAtOp>(op, op.getType(), op.getInitial(), part.getX(), offsets, strides,
                                         /*starts=*/ArrayAttr());
    return success();
  }
};
} // namespace

void xf::populateAccumulatePads(RewritePatternSet &patterns) {
  patterns.add<AccumulatePad, PartsToConcat, FoldPad, AddUnpadded, PadLast<CastOp>, PadLast<ReshapeOp>,
               PadLast<TransposeOp>, PadLast<SplitHeadsOp>, PadLast<MergeHeadsOp>>(patterns.getContext());
}
