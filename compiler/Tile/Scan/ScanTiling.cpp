//===- ScanTiling.cpp - Shared code of scan tilings -----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Scan/ScanTiling.h"
#include "compiler/Tile/Rows/TileRows.h"
#include "dialects/xf/Pieces/KernelSumWork.h"
#include "dialects/xft/IR/XftWork.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;

/// Returns the projection W [m, D] as a contiguous buffer [1, 1, m, D'] of type `element`, where zeros pad rows to a
/// multiple of `lanes` columns. Copies W only if it does not have this form.
static Buffer packWeights(HostBuilder &host, Type element, Buffer weights, int64_t lanes) {
  int64_t rows = *HostBuilder::constant(weights.sizes[0]), columns = *HostBuilder::constant(weights.sizes[1]);
  int64_t stored = llvm::alignTo(columns, lanes);
  Buffer packed = weights;
  if (stored == columns && weights.element == element) {
    packed = host.contiguous(weights);
  } else {
    packed = host.allocate(element, {host.size(rows), host.size(stored)});
    tileFill(host, packed, 0);
    SmallVector<Size> zeros(2, host.size(0));
    copyElements(host, weights, host.sliced(packed, zeros, weights.sizes, {1, 1}));
  }
  for (SmallVector<Size> *list : {&packed.sizes, &packed.strides})
    list->insert(list->begin(), 2, host.size(list == &packed.sizes ? 1 : rows * stored));
  return packed;
}

template <typename OpTy>
ScanTiling<OpTy>::ScanTiling(OpTy op, KernelSumAttr sum, HostBuilder &host)
    : op(op), sum(sum), host(host), real(accumulatorType(op.getQ().getType().getElementType())),
      tile(host.model.scanTile(real, cast<RankedTensorType>(op.getV().getType()).getDimSize(3))) {
  q = withUnitInner(host, host.buffer(op.getQ()));
  k = withUnitInner(host, host.buffer(op.getK()));
  v = withUnitInner(host, host.buffer(op.getV()));
  depth = projections = *HostBuilder::constant(q.sizes[3]);
  valueDepth = *HostBuilder::constant(v.sizes[3]);
  std::optional<PackedKeys> packed = host.model.packedKeys(productElement(op), k.element);
  Type operand = packed && packed->terms > 1 ? packed->element : Type();
  if (operand && roundsFeatures(operand))
    features = operand;
  if (op.getParams().empty())
    return;
  Buffer given = host.buffer(op.getParams()[0]);
  projections = *HostBuilder::constant(given.sizes[0]);
  // Products of inputs are exact; of their gradients, a factor is rounded, as gradients of scores are.
  bool isGradient = std::is_same_v<OpTy, AttentionVjpOp>;
  bool isInput = operand == given.element && !(isGradient && (op.getDecay() || op.getBeta()));
  weights = packWeights(host, isInput ? operand : real, given, tile.getLanes());
}

/// Returns whether features and states may be rounded to `operand` as operands of products. They may if no feature is
/// negative, and o is divided by the sum of the rounded weights. o then stays a mean of values, and its error is at
/// most the error of rounded weights, a fraction of the mean of |v|. Without the division, the errors of both features
/// and of the state would add up. Sums whose terms may cancel stay exact, and so do states that keys correct or that
/// decay.
template <typename OpTy>
bool ScanTiling<OpTy>::roundsFeatures(Type operand) {
  int64_t inRegister = tile.getLanes() * real.getIntOrFloatBitWidth() / operand.getIntOrFloatBitWidth();
  return isNonNegative(sum.getFeature()) && sum.getNormalizer() == Normalizer::k_sum &&
         !sum.getEpsilon().getValue().isNegative() && !op.getDecay() && !op.getBeta() &&
         tile.getQueries() % inRegister == 0;
}

template <typename OpTy>
xft::ScanFeaturesAttr ScanTiling<OpTy>::featuresAttr() const {
  Builder b(sum.getContext());
  Feature feature = sum.getFeature();
  bool isScaled = isExponential(feature) && sum.getScaleInput();
  double slotCount = feature == Feature::k_hyperbolic ? slots() : 1;
  auto real = [&](double value) { return b.getF64FloatAttr(value); };
  return xft::ScanFeaturesAttr::get(b.getContext(), b.getDenseF64ArrayAttr(exponentsOf(feature)), sum.getEpsilon(),
                                    real(isScaled ? std::pow(static_cast<double>(depth), -0.25) : 1),
                                    real(isExponential(feature) ? 1 / (projections * slotCount) : 1), sum.getGuard(),
                                    StabilizerAttr::get(b.getContext(), sum.getStabilizer()),
                                    NormalizerAttr::get(b.getContext(), sum.getNormalizer()));
}

template <typename OpTy>
xft::ScanScheduleAttr ScanTiling<OpTy>::scheduleAttr(Type features) const {
  MLIRContext *context = sum.getContext();
  return xft::ScanScheduleAttr::get(context, tile, phase ? xft::ScanPhaseAttr::get(context, *phase) : nullptr, slice,
                                    features);
}

template <typename OpTy>
void ScanTiling<OpTy>::describe(xft::LaunchOp launch) {
  std::optional<int64_t> number = xft::attentionNumber(op);
  int64_t chunk = tile.getQueries();
  if (!number)
    return;
  std::string reason = "chunks: " + std::to_string(chunk) + " positions, whose features are computed at once";
  xft::LaunchedAttention{{chunk, chunk, /*wholeColumns=*/1, chunk, chunk}, *number, "scan", {}, {reason}, {}}.setOn(
      launch);
}

template <typename OpTy>
xft::ScanSizes ScanTiling<OpTy>::sizes(bool isGradient) {
  xft::ScanSizes sizes;
  sizes.depth = depth;
  sizes.valueDepth = isBlock() ? tile.getKeys() : valueDepth;
  sizes.projections = projections;
  sizes.slots = slots();
  sizes.chunk = tile.getQueries();
  sizes.lanes = tile.getLanes();
  sizes.real = real;
  sizes.isGradient = isGradient;
  sizes.hasDecay = op.getDecay() != nullptr;
  sizes.hasBeta = op.getBeta() != nullptr;
  sizes.hasWeights = weights.has_value();
  sizes.hasHalves = xft::hasHalves(exponentsOf(sum.getFeature()));
  sizes.hasMaximum = isGradient && hasMaximum() && phase != xft::ScanPhase::queries;
  sizes.phase = phase;
  sizes.slice = slice;
  return sizes;
}

template <typename OpTy>
Buffer ScanTiling<OpTy>::allocateState() {
  Size count = sum.getCausal() || phase ? slicesOf(k.sizes[2]) : host.size(1);
  int64_t size = llvm::alignTo(sizes(/*isGradient=*/false).keptElements(), tile.getLanes());
  return host.allocate(real, {q.sizes[0], q.sizes[1], count, host.size(size)});
}

template <typename OpTy>
std::optional<Buffer> ScanTiling<OpTy>::allocateScratch(Size tasks, bool isGradient) {
  int64_t bytes = scratchBytes(isGradient);
  if (bytes == 0)
    return std::nullopt;
  return host.allocate(real, {tasks, host.size(bytes * 8 / real.getIntOrFloatBitWidth())});
}

template <typename OpTy>
void ScanTiling<OpTy>::count(bool hasWeightGradient) {
  auto nq = HostBuilder::constant(q.sizes[2]), nk = HostBuilder::constant(k.sizes[2]);
  auto heads = HostBuilder::constant(host.mul(q.sizes[0], q.sizes[1]));
  if (!nq || !nk || !heads)
    return;
  KernelSumSizes ofRow{depth, valueDepth, weights ? projections : 0, std::is_same_v<OpTy, AttentionVjpOp>,
                       hasWeightGradient};
  double causalPairs = static_cast<double>(std::min(*nq, *nk)) * (std::min(*nq, *nk) + 1) / 2;
  double pairs = sum.getCausal() ? causalPairs + std::max<double>(0, *nk - *nq) * *nq : 1.0 * *nq * *nk;
  double flop = (double(*nq) + double(*nk)) * flopOfRow(sum.getFeature(), ofRow);
  host.count(*heads * flop, *heads * pairs, *heads * pairs);
}

template <typename OpTy>
SmallVector<unsigned, 2> ScanTiling<OpTy>::addWeights(AttendOperands &operands) {
  return weights ? SmallVector<unsigned, 2>{operands.add(*weights, 4)} : SmallVector<unsigned, 2>();
}

template <typename OpTy>
GroupNumbers ScanTiling<OpTy>::addClauses(AttendOperands &operands, ArrayRef<unsigned> weightsNumber,
                                          const std::optional<Buffer> &state, const std::optional<Buffer> &scratch) {
  GroupNumbers numbers;
  numbers.emplace_back(weightsNumber.begin(), weightsNumber.end());
  auto buffer = [&](const std::optional<Buffer> &buffer) {
    buffer ? numbers.push_back({operands.add(*buffer, 1)}) : numbers.push_back({});
  };
  auto clause = [&](Value tensor) { tensor ? numbers.push_back({operands.addClause(tensor)}) : numbers.push_back({}); };
  clause(op.getLengths());
  clause(op.getQueryLengths());
  clause(sum.getSegments() ? op.getSegmentsQ() : Value());
  if (sum.getSegments())
    numbers.back().push_back(operands.addClause(op.getSegmentsK()));
  clause(op.getDecay());
  clause(op.getBeta());
  buffer(state);
  buffer(scratch);
  return numbers;
}

template <typename OpTy>
bool ScanTiling<OpTy>::hasMaximum() {
  return sum.getStabilizer() == Stabilizer::k_sequence && xft::passMaxima(featuresAttr());
}

template <typename OpTy>
bool ScanTiling<OpTy>::maySplit() {
  bool isAddedLater = sum.getStabilizer() == Stabilizer::k_sequence && !exponentsOf(sum.getFeature()).empty() &&
                      !sum.getEpsilon().getValue().isZero();
  return isBlock() && !op.getBeta() && !sum.getSegments() && !(op.getDecay() && isAddedLater);
}

template <typename OpTy>
LogicalResult xf::checkScan(OpTy op) {
  for (Value matrix : {op.getQ(), op.getV()}) {
    auto type = cast<RankedTensorType>(matrix.getType());
    if (type.isDynamicDim(3) || type.getDimSize(3) == 0)
      return op.emitOpError("expected static head sizes above 0, got ") << type;
  }
  if (!op.getFeature().empty())
    return op.emitOpError("expected a feature region to be written out by the stage expand, got one");
  for (Value parameter : op.getParams())
    if (!cast<RankedTensorType>(parameter.getType()).hasStaticShape())
      return op.emitOpError("expected a feature projection of static shape, got ") << parameter.getType();
  return success();
}

template struct xf::ScanTiling<AttentionOp>;
template struct xf::ScanTiling<AttentionVjpOp>;
template LogicalResult xf::checkScan(AttentionOp op);
template LogicalResult xf::checkScan(AttentionVjpOp op);
