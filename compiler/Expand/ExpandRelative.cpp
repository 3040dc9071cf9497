//===- ExpandRelative.cpp - Kernelised attention over pairs ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands kernelised attention that must be computed pair by pair. Its features and its normaliser become ops around a
// plainer attention:
//
//   %o = xf.attention %q, %k, %v pattern(#xf.kernelized<feature = elu, of = P>) relative(%t)
// ->
//   %fq = phi(%q)   %fk = phi(%k)   %v1 = (%v, 1)
//   %s = xf.attention %fq, %fk, %v1 pattern(#xf.kernelized<feature = identity, normalizer = none, of = P>) relative(%t)
//   %o = N / (Z + guard), %s = (N, Z)
//
// The weights <phi(q), phi(k)> e^t, where t depends on the distance, have no low rank. So no state of fixed size can
// carry their sums from query to query, and the attention must visit all N^2 pairs. Weights may be negative, so the
// attention is not a softmax. With a running stabiliser, however, all weights are positive, and the attention becomes a
// softmax. Let s(j) be the stabiliser of key j:
//
//   %o = xf.attention %fq, %fk, %v pattern(P) score { log(<fq, fk>) + s(j) + t[h, j - i + Nk - 1] }
//
// The softmax takes its maximum only over keys that the row sees. All ops compute in the type of scores.
//
// The pass also expands attention without %t, unless its set P is all pairs or the causal ones, each optionally within
// segments: only for these sets can a state carry the sums. Other sets are, for example, a window, or a grid by
// position.
//
// Decay is an error. Its factor of a pair is a product over the positions between query and key. Two numbers for each
// position express this product only as a quotient, which is undefined after a decay of 0, or as a difference of
// logarithms, which is undefined for negative decays.
//
// Runs after xf-expand-features, which leaves scalar features, and before the gradient stage, so that derivatives are
// derivatives of these ops. Stabilisers that cancel have no derivatives.
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/Passes.h"
#include "compiler/Expand/SeenRows.h"
#include "compiler/Pattern/KernelSum.h"
#include "dialects/xf/Ops/XfFunctionOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <cmath>

namespace mlir::xf {
#define GEN_PASS_DEF_EXPANDRELATIVEPASS
#include "compiler/Expand/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Rows x of q or k after scaling and projection. `u` is W x, or x without W. `half` is |x|^2 / 2 if the features are
/// exponentials, else null.
struct ProjectedRows {
  Value u, half;
};

class RelativeExpander {
public:
  RelativeExpander(OpBuilder &builder, AttentionOp op)
      : code{builder, op.getLoc()}, op(op), pattern(cast<KernelizedPatternAttr>(op.getPattern())), seen(builder, op),
        feature(pattern.getFeature()), real(accumulatorType(op.getQ().getType().getElementType())) {}

  Value expand();

private:
  bool isFeatureRow() { return feature == Feature::k_identity && op.getParams().empty(); }
  Stabilizer stabilizer();
  ProjectedRows project(Value rows);
  /// Builds the features of `rows`. For favor, they are exp(u - half - shift) times a constant. A null `shift` counts
  /// as 0.
  Value features(const ProjectedRows &rows, Value shift);
  Value elementFeatures(Value u);
  /// Builds what a stabiliser subtracts from the exponents of a row: the largest u of the row, or the largest |u| if
  /// exponents have both signs of u.
  Value rowShift(const ProjectedRows &rows);
  /// Returns `shift`. If the shift cancels in the result, returns a copy without a derivative (xf.stop_gradient).
  Value differentiable(Value shift);
  Value sequenceShift(const ProjectedRows &keys);
  AttentionOp cloneOp(Value q, Value k, Value v, xf::Pattern pattern);
  Value expandLinear(const ProjectedRows &queries, const ProjectedRows &keys);
  Value expandRunning(const ProjectedRows &queries, const ProjectedRows &keys);
  void buildLogWeights(AttentionOp attention);

  TensorCode code;
  AttentionOp op;
  KernelizedPatternAttr pattern;
  SeenRows seen;
  Feature feature;
  Type real;
};
} // namespace

//===----------------------------------------------------------------------===//
// Features
//===----------------------------------------------------------------------===//

/// Returns the stabiliser to use. This is the pattern's stabiliser, with one exception: trigonometric features get a
/// stabiliser for each row instead of a running one, because their weights have both signs. A stabiliser for each row
/// shifts the exponents of queries only, and a query's shift cancels in N / Z.
Stabilizer RelativeExpander::stabilizer() {
  if (!isExponential(feature))
    return Stabilizer::k_none;
  bool isSigned = feature == Feature::k_trigonometric;
  return isSigned && stabilizerOf(pattern) == Stabilizer::k_running ? Stabilizer::k_row : stabilizerOf(pattern);
}

ProjectedRows RelativeExpander::project(Value rows) {
  bool isScaled = isExponential(feature) && pattern.getScaleInput();
  double depth = op.getQ().getType().getDimSize(3), scale = isScaled ? std::pow(depth, -0.25) : 1;
  Value x = code.mul(code.convert(rows, real), scale), u = x;
  if (!op.getParams().empty())
    u = code.linear(x, code.convert(op.getParams().front(), real));
  return {u, isExponential(feature) ? code.mul(code.sum(code.mul(x, x)), 0.5) : Value()};
}

Value RelativeExpander::elementFeatures(Value u) {
  auto unary = [&](auto op) -> Value { return decltype(op)::create(code.b, code.loc, u.getType(), u); };
  switch (feature) {
  case Feature::k_relu:
    return unary(ReluOp());
  case Feature::k_exp:
    return unary(ExpOp());
  case Feature::k_square:
    return unary(SquareOp());
  case Feature::k_abs:
    return unary(AbsOp());
  case Feature::k_sigmoid:
    return unary(SigmoidOp());
  case Feature::k_elu: { // avoids the exponential of a large u, whose derivative is infinite
    Value isPositive = code.compare(Comparison::k_gt, u, 0);
    Value negative = WhereOp::create(code.b, code.loc, u.getType(), isPositive, code.number(u, 0), u);
    return code.select(isPositive, code.add(u, 1), ExpOp::create(code.b, code.loc, u.getType(), negative));
  }
  default:
    return u;
  }
}

Value RelativeExpander::features(const ProjectedRows &rows, Value shift) {
  Value u = rows.u;
  double epsilon = epsilonOf(pattern), count = TensorCode::typeOf(u).getShape().back();
  if (!isExponential(feature))
    return code.add(elementFeatures(u), epsilon);
  bool isTrigonometric = feature == Feature::k_trigonometric, isFavor = feature == Feature::k_favor;
  auto exponential = [&](Value x) -> Value { return ExpOp::create(code.b, code.loc, x.getType(), x); };
  auto shifted = [&](Value x) { return shift ? code.sub(x, shift) : x; };
  SmallVector<Value> slots;
  if (isTrigonometric) {
    Value length = exponential(shifted(rows.half));
    slots = {code.mul(CosOp::create(code.b, code.loc, u.getType(), u), length),
             code.mul(SinOp::create(code.b, code.loc, u.getType(), u), length)};
  } else {
    slots.push_back(code.add(exponential(shifted(code.sub(u, rows.half))), isFavor ? epsilon : 0));
    if (!isFavor)
      slots.push_back(exponential(shifted(code.sub(code.mul(u, -1), rows.half))));
  }
  return code.mul(code.concat(slots), 1 / std::sqrt(count * (feature == Feature::k_hyperbolic ? 2 : 1)));
}

//===----------------------------------------------------------------------===//
// Stabilisers
//===----------------------------------------------------------------------===//

Value RelativeExpander::rowShift(const ProjectedRows &rows) {
  bool hasBothSigns = feature == Feature::k_hyperbolic;
  Value exponents = hasBothSigns ? AbsOp::create(code.b, code.loc, rows.u.getType(), rows.u).getY() : rows.u;
  return code.largest(exponents, 1);
}

Value RelativeExpander::differentiable(Value shift) {
  if (!pattern::cancelsFactors(pattern))
    return shift;
  return StopGradientOp::create(code.b, code.loc, shift.getType(), shift);
}

/// Builds the maximum of the shifts (rowShift) of those keys that at least one query sees. Infinite shifts do not
/// count. Builds 0 if there is no such shift.
Value RelativeExpander::sequenceShift(const ProjectedRows &keys) {
  double infinity = std::numeric_limits<double>::infinity();
  Value ofRows = rowShift(keys), lowest = code.number(ofRows, -infinity);
  ofRows = code.select(code.compare(Comparison::k_lt, ofRows, infinity), ofRows, lowest);
  if (seen.mayHide())
    ofRows = code.select(code.compare(Comparison::k_gt, seen.countQueries(), 0), ofRows, lowest);
  Value shift = code.largest(ofRows, 2);
  return code.select(code.compare(Comparison::k_gt, shift, -infinity), shift, code.number(shift, 0));
}

//===----------------------------------------------------------------------===//
// Attention over features
//===----------------------------------------------------------------------===//

AttentionOp RelativeExpander::cloneOp(Value q, Value k, Value v, xf::Pattern pattern) {
  auto clone = cast<AttentionOp>(code.b.clone(*op));
  clone.getQMutable().assign(q);
  clone.getKMutable().assign(k);
  clone.getVMutable().assign(v);
  clone.getParamsMutable().clear();
  clone.setPatternAttr(pattern);
  SmallVector<int64_t> shape(op.getO().getType().getShape());
  shape.back() = TensorCode::typeOf(v).getShape().back();
  clone.getO().setType(RankedTensorType::get(shape, real));
  return clone;
}

/// Builds v with an additional last column of ones.
static Value buildWithOnes(TensorCode &code, Value v) {
  RankedTensorType type = TensorCode::typeOf(v);
  int64_t columns = type.getShape().back();
  SmallVector<int64_t> shape(type.getShape()), low(4, 0), strides(4, 1);
  shape.back() = columns + 1;
  Value padded = PadOp::create(code.b, code.loc, type.clone(shape), v, low, strides);
  SmallVector<Attribute> last(columns, code.b.getFloatAttr(type.getElementType(), 0));
  last.push_back(code.b.getFloatAttr(type.getElementType(), 1));
  auto rowType = RankedTensorType::get({columns + 1}, type.getElementType());
  return code.add(padded, arith::ConstantOp::create(code.b, code.loc, DenseElementsAttr::get(rowType, last)));
}

Value RelativeExpander::expandLinear(const ProjectedRows &queries, const ProjectedRows &keys) {
  Stabilizer kind = stabilizer();
  Value queryShift = kind == Stabilizer::k_none ? Value() : differentiable(rowShift(queries));
  Value keyShift = kind == Stabilizer::k_sequence ? differentiable(sequenceShift(keys)) : Value();
  Value v = code.convert(op.getV(), real);
  Normalizer normalizer = pattern.getNormalizer();
  if (normalizer == Normalizer::k_sum)
    v = buildWithOnes(code, v);
  auto inner = KernelizedPatternAttr::get(op.getContext(), Feature::k_identity, /*epsilon=*/nullptr, std::nullopt,
                                          /*scale_input=*/true, Normalizer::k_none, /*guard=*/nullptr, pattern.getOf());
  Value sums = cloneOp(features(queries, queryShift), features(keys, keyShift), v, inner).getO();
  if (normalizer == Normalizer::k_none)
    return sums;
  int64_t columns = op.getO().getType().getDimSize(3);
  double guard = guardOf(pattern);
  bool isSum = normalizer == Normalizer::k_sum;
  Value divisor = isSum ? code.add(code.columns(sums, columns, 1), guard) : seen.countKeys();
  if (!isSum || (guard == 0 && seen.mayHide())) // a row without keys is 0
    divisor = code.select(code.compare(Comparison::k_gt, seen.countKeys(), 0), divisor, code.number(divisor, 1));
  return code.div(isSum ? code.columns(sums, 0, columns) : sums, divisor);
}

//===----------------------------------------------------------------------===//
// A running stabiliser
//===----------------------------------------------------------------------===//

/// Builds a score region of `attention` that maps (s, b, h, i, j, shift, t) to log s + shift[b, h div (H / Hk), j] +
/// t[h, j - i + Nk - 1]. H and Hk are the numbers of heads of q and k. Without relative weights t, omits the last term.
void RelativeExpander::buildLogWeights(AttentionOp attention) {
  Location loc = code.loc;
  OpBuilder b(op.getContext());
  Block &block = attention.getScore().emplaceBlock();
  SmallVector<Type> types(5, b.getIndexType());
  types.front() = real;
  llvm::append_range(types, attention.getCaptures().getTypes());
  block.addArguments(types, SmallVector<Location>(types.size(), loc));
  b.setInsertionPointToEnd(&block);
  auto arguments = block.getArguments();
  Value batch = arguments[1], head = arguments[2], query = arguments[3], key = arguments[4], shifts = arguments[5];
  auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(b, loc, value); };
  int64_t heads = op.getQ().getType().getDimSize(1), keyHeads = op.getK().getType().getDimSize(1);
  Value keyHead = heads == keyHeads ? head : arith::DivUIOp::create(b, loc, head, number(heads / keyHeads)).getResult();
  Value shift = tensor::ExtractOp::create(b, loc, shifts, ValueRange{batch, keyHead, key});
  Value score = arith::AddFOp::create(b, loc, math::LogOp::create(b, loc, arguments[0]), shift);
  if (!op.getRelative()) {
    YieldOp::create(b, loc, score);
    return;
  }
  Value relative = arguments[6];
  int64_t keys = op.getK().getType().getDimSize(2);
  Value last = ShapedType::isDynamic(keys)
                   ? arith::ShRSIOp::create(b, loc, tensor::DimOp::create(b, loc, relative, 1), number(1)).getResult()
                   : number(keys - 1);
  Value place = arith::AddIOp::create(b, loc, arith::SubIOp::create(b, loc, key, query), last);
  Value exponent = tensor::ExtractOp::create(b, loc, relative, ValueRange{head, place});
  YieldOp::create(b, loc, arith::AddFOp::create(b, loc, score, exponent).getResult());
}

Value RelativeExpander::expandRunning(const ProjectedRows &queries, const ProjectedRows &keys) {
  auto shiftOf = [&](const ProjectedRows &rows) { return differentiable(code.sub(rowShift(rows), rows.half)); };
  Value queryShift = shiftOf(queries), keyShift = shiftOf(keys);
  xf::Pattern set = pattern.getOf();
  if (!set)
    set = DensePatternAttr::get(op.getContext());
  SmallVector<Value> captures = {code.reshape(keyShift, TensorCode::typeOf(keyShift).getShape().drop_back())};
  if (op.getRelative())
    captures.push_back(op.getRelative());
  AttentionOp attention =
      cloneOp(features(queries, queryShift), features(keys, keyShift), code.convert(op.getV(), real), set);
  attention.getCapturesMutable().assign(captures);
  attention.getRelativeMutable().clear();
  attention.setScale(APFloat(1.0));
  buildLogWeights(attention);
  return attention.getO();
}

Value RelativeExpander::expand() {
  bool isPlain = isFeatureRow();
  ProjectedRows queries = project(isPlain ? Value(op.getQ()) : seen.selectQueries(op.getQ()));
  ProjectedRows keys = project(isPlain ? Value(op.getK()) : seen.selectKeys(op.getK()));
  Value o = stabilizer() == Stabilizer::k_running ? expandRunning(queries, keys) : expandLinear(queries, keys);
  return code.convert(o, op.getO().getType().getElementType());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Returns true if the weight of a pair is <q, k>. Kernels run such ops pair by pair without this pass.
static bool hasPlainWeights(AttentionOp op, KernelizedPatternAttr pattern) {
  return pattern.getFeature() == Feature::k_identity && pattern.getNormalizer() == Normalizer::k_none &&
         epsilonOf(pattern) == 0 && op.getParams().empty();
}

static LogicalResult check(AttentionOp op) {
  if (op.getDecay())
    return op.emitError("not implemented: relative with decay");
  StringRef reason = op.getRelative() ? "relative" : "a kernelised pattern that runs pair by pair";
  for (Value matrix : {op.getQ(), op.getV()})
    if (auto type = cast<RankedTensorType>(matrix.getType()); type.isDynamicDim(3) || type.isDynamicDim(1))
      return op.emitError("expected a static number and size of heads with ") << reason << ", got " << type;
  return success();
}

namespace {
struct ExpandRelativePass : xf::impl::ExpandRelativePassBase<ExpandRelativePass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect, tensor::TensorDialect, XfDialect>();
  }

  /// Returns true if `op` must be computed pair by pair. Returns false for recurrences (decay, beta), which later
  /// stages reject. Fails after an error at `op`.
  FailureOr<bool> runsOverPairs(AttentionOp op) {
    auto pattern = dyn_cast<KernelizedPatternAttr>(op.getPattern());
    if (!pattern || op.getRelative())
      return bool(op.getRelative());
    if (op.getDecay() || op.getBeta() || hasPlainWeights(op, pattern))
      return false;
    FailureOr<bool> hasSum = pattern::hasKernelSum(pattern, [&] { return op.emitError(); });
    return failed(hasSum) ? hasSum : FailureOr<bool>(!*hasSum);
  }

  void runOnOperation() override {
    SmallVector<AttentionOp> found;
    WalkResult result = getOperation().walk([&](AttentionOp op) {
      FailureOr<bool> isFound = runsOverPairs(op);
      if (failed(isFound) || (*isFound && failed(check(op))))
        return WalkResult::interrupt();
      if (*isFound)
        found.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (AttentionOp op : found) {
      OpBuilder builder(op);
      op.getO().replaceAllUsesWith(RelativeExpander(builder, op).expand());
      op.erase();
    }
  }
};
} // namespace
