//===- ExpandFeatures.cpp - Softmax and region feature maps as ops --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands feature maps of whole rows, and the normaliser `norm`, to ops around kernelised attention:
//
//   %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = softmax, normalizer = norm>) params(%w)
// ->
//   %uq = xf.linear %q, %w              the same of %k
//   %fq = xf.softmax %uq
//   %n = xf.attention %fq, %fk, %v pattern(#xf.kernelized<feature = identity, normalizer = none>)
//   %o = xf.rms_norm %n eps 1.0e-6
//
// A feature region is expanded over all rows, in place of the softmax. After this pass, kernels need only features that
// are scalar functions of an element of W x. They compute these as they load operands of their products.
//
// Runs before the gradient stage, so that the derivatives of W, of captures and of the norm are derivatives of these
// ops. The attention that remains has no feature region.
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/BatchRegion.h"
#include "compiler/Expand/Passes.h"
#include "compiler/Expand/SeenRows.h"

namespace mlir::xf {
#define GEN_PASS_DEF_EXPANDFEATURESPASS
#include "compiler/Expand/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

/// Returns `pattern` with its feature, stabiliser and normaliser replaced by the given ones.
static KernelizedPatternAttr rebuild(KernelizedPatternAttr pattern, Feature feature,
                                     std::optional<Stabilizer> stabilizer, Normalizer normalizer) {
  return KernelizedPatternAttr::get(pattern.getContext(), feature, pattern.getEpsilon(), stabilizer,
                                    pattern.getScaleInput(), normalizer, pattern.getGuard(), pattern.getOf());
}

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// Builds the softmax features of `rows` x: the softmax over the channels of W x, in the type of scores. Without
/// `params`, W x is x.
static Value buildSoftmax(TensorCode code, AttentionOp op, Value rows) {
  Type real = accumulatorType(TensorCode::typeOf(rows).getElementType());
  Value projected = code.convert(rows, real);
  if (!op.getParams().empty())
    projected = code.linear(projected, code.convert(op.getParams().front(), real));
  return SoftmaxOp::create(code.b, code.loc, projected);
}

static FailureOr<Value> buildFeatures(TensorCode code, AttentionOp op, Value rows) {
  if (op.getFeature().empty())
    return buildSoftmax(code, op, rows);
  return batchRegion(code.b, op.getFeature().front(), cast<TypedValue<RankedTensorType>>(rows),
                     op.getFeatureCaptures());
}

/// Converts v to the element type of q and k, which are features. `op` then computes o in this type, and o is converted
/// back to its former type.
static void convertValues(TensorCode code, AttentionOp op) {
  RankedTensorType narrow = op.getO().getType();
  Type element = op.getQ().getType().getElementType();
  if (element == narrow.getElementType())
    return;
  op.getVMutable().assign(code.convert(op.getV(), element));
  op.getO().setType(narrow.clone(element));
  code.b.setInsertionPointAfter(op);
  auto result = CastOp::create(code.b, code.loc, narrow, op.getO());
  op.getO().replaceAllUsesExcept(result, result);
}

/// Replaces q and k of `op` by their features phi(q) and phi(k), and the feature map of `op` by the identity. First
/// replaces rows of q and k without a pair by zeros, because gradients of W and of captures are sums over all rows.
/// Fails after an error.
static LogicalResult expandFeatures(AttentionOp op) {
  OpBuilder builder(op);
  TensorCode code{builder, op.getLoc()};
  SeenRows seen(builder, op);
  FailureOr<Value> q = buildFeatures(code, op, seen.selectQueries(op.getQ()));
  if (failed(q))
    return failure();
  bool isShared = op.getK() == op.getQ() && !seen.mayHide();
  FailureOr<Value> k = isShared ? q : buildFeatures(code, op, seen.selectKeys(op.getK()));
  if (failed(k))
    return failure();
  op.getQMutable().assign(*q);
  op.getKMutable().assign(*k);
  op.getParamsMutable().clear();
  op.getFeatureCapturesMutable().clear();
  op.getFeature().dropAllReferences();
  op.getFeature().getBlocks().clear();
  auto pattern = cast<KernelizedPatternAttr>(op.getPattern());
  op.setPatternAttr(rebuild(pattern, Feature::k_identity, pattern.getStabilizer(), pattern.getNormalizer()));
  convertValues(code, op);
  return success();
}

//===----------------------------------------------------------------------===//
// Normaliser
//===----------------------------------------------------------------------===//

/// Returns the pattern of the attention whose result the norm reads. If possible, this result is the numerator N. A
/// running stabiliser scales N, and only a quotient cancels this scale: the attention then computes N / Z, which has
/// the same norm as N if Z is positive. Trigonometric features may make Z negative, so they get a stabiliser for each
/// row instead of a running one, and the attention computes N.
static KernelizedPatternAttr beforeNorm(KernelizedPatternAttr pattern) {
  if (stabilizerOf(pattern) != Stabilizer::k_running || !isExponential(pattern.getFeature()))
    return rebuild(pattern, pattern.getFeature(), pattern.getStabilizer(), Normalizer::k_none);
  if (pattern.getFeature() == Feature::k_trigonometric)
    return rebuild(pattern, pattern.getFeature(), Stabilizer::k_row, Normalizer::k_none);
  return rebuild(pattern, pattern.getFeature(), pattern.getStabilizer(), Normalizer::k_sum);
}

/// Converts the tensors of `op` from 16 bits to f32, because a norm follows. In 16 bits, small numerators, which the
/// norm magnifies, would lose digits, and large ones would overflow.
static void widen(AttentionOp op) {
  OpBuilder builder(op);
  TensorCode code{builder, op.getLoc()};
  Type real = accumulatorType(op.getQ().getType().getElementType());
  if (op.getQ().getType().getElementType() != real) {
    op.getQMutable().assign(code.convert(op.getQ(), real));
    op.getKMutable().assign(code.convert(op.getK(), real));
  }
  convertValues(code, op);
}

static void expandNorm(AttentionOp op) {
  auto pattern = cast<KernelizedPatternAttr>(op.getPattern());
  widen(op);
  // The guard is at least the smallest normal number, so that a row without keys, whose numerator is 0, stays 0.
  double smallest = APFloat::getSmallestNormalized(APFloat::IEEEsingle()).convertToDouble();
  op.setPatternAttr(beforeNorm(pattern));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  FloatAttr guard = builder.getF64FloatAttr(std::max(guardOf(pattern), smallest));
  auto norm = RmsNormOp::create(builder, op.getLoc(), op.getO().getType(), op.getO(), /*weight=*/Value(), guard);
  op.getO().replaceAllUsesExcept(norm, norm);
}

namespace {
struct ExpandFeaturesPass : xf::impl::ExpandFeaturesPassBase<ExpandFeaturesPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, XfDialect>();
  }

  void runOnOperation() override {
    SmallVector<AttentionOp> found;
    getOperation().walk([&](AttentionOp op) {
      if (isa<KernelizedPatternAttr>(op.getPattern()))
        found.push_back(op);
    });
    for (AttentionOp op : found) {
      auto pattern = cast<KernelizedPatternAttr>(op.getPattern());
      bool hasRows = !op.getFeature().empty() || pattern.getFeature() == Feature::k_softmax;
      if (hasRows && failed(expandFeatures(op)))
        return signalPassFailure();
      if (pattern.getNormalizer() == Normalizer::k_norm)
        expandNorm(op);
    }
  }
};
} // namespace
