//===- StateShare.cpp - Kernelised attention on a part of the tokens ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a rank's share of a kernelised attention whose tokens are divided among ranks. Ranks send each other states,
// which are sums over keys. For a query, let w = <phi(q), phi(k)> be the weight of a key, N = sum w v and Z = sum w. A
// rank with the keys K and values V has the state phi(K)^T [V 1]. The product of phi(q) and this state is what these
// keys add to [N Z]. So a rank with a part of the tokens computes
//
//   S     = phi(K)^T [V 1]                    of its own keys, for each head of keys
//   S'    = the sum of S of the ranks before  (xf.scan_states), or of all ranks (xf.all_reduce)
//   [N Z] = causal attention of its own tokens, with features in the place of q and k and neither feature map nor
//           normaliser, + phi(Q) S'; or phi(Q) S' alone, where queries see all tokens
//   O     = N / (Z + guard)
//
// and in the gradient, with dN = dO / (Z + guard) and dZ = -<dN, O>,
//
//   R     = phi(Q)^T [dN dZ], summed over the heads that share keys
//   R'    = the sum of R of the ranks behind, or of all
//   d_phi(Q) += [dN dZ] S'^T     d_phi(K) += [V 1] R'^T     d_V += phi(K) R'
//
// Ops that read the sums of other ranks come last. So the other ops run while the sums are sent.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Attention/AttentionDims.h"
#include "compiler/Partition/Features/FeatureMap.h"
#include "compiler/Partition/Reshard.h"
#include "compiler/Partition/ShareOps.h"
#include "compiler/Pattern/KernelSum.h"
#include "dialects/xf/IR/XfSizes.h"
#include "dialects/xf/Ops/XfFamily.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

static RankedTensorType typeOf(Value x) { return cast<RankedTensorType>(x.getType()); }
static ArrayRef<int64_t> shapeOf(Value x) { return typeOf(x).getShape(); }

//===----------------------------------------------------------------------===//
// Which attention
//===----------------------------------------------------------------------===//

/// Returns whether the weight of a pair follows from its query and key alone, and the pattern alone determines the
/// pairs.
template <typename OpTy>
static bool hasPlainPairs(OpTy op) {
  return op.getFeature().empty() && op.getFeatureCaptures().empty() && !op.getDecay() && !op.getBeta() &&
         !op.getRelative() && !op.getLengths() && !op.getQueryLengths() && !op.getSegmentsQ() && !op.getPart() &&
         op.getParams().size() <= 1;
}

static bool hasPlainPairs(Operation *attention) {
  return llvm::TypeSwitch<Operation *, bool>(attention).Case<AttentionOp, AttentionVjpOp>(
      [](auto op) { return hasPlainPairs(op); });
}

static Value weightsOf(Operation *attention) {
  return llvm::TypeSwitch<Operation *, Value>(attention).Case<AttentionOp, AttentionVjpOp>(
      [](auto op) { return op.getParams().empty() ? Value() : op.getParams().front(); });
}

/// Returns whether there are as many queries as keys in every call.
static bool hasKeyForEachQuery(Operation *attention) {
  Value q = attention->getOperand(0), k = attention->getOperand(1);
  int64_t queries = shapeOf(q)[tokenDim], keys = shapeOf(k)[tokenDim];
  if (!ShapedType::isDynamic(queries) && !ShapedType::isDynamic(keys))
    return queries == keys;
  SymbolicSizes sizes(attention->getParentOfType<FunctionOpInterface>());
  const SizeExpressions *ofQueries = sizes.of(q), *ofKeys = sizes.of(k);
  return ofQueries && ofKeys && (*ofQueries)[tokenDim] == (*ofKeys)[tokenDim];
}

/// Returns the number of features of one row of q or k, or 0 if it is dynamic.
static int64_t featuresOf(Operation *attention, KernelSumAttr sum) {
  Value weights = weightsOf(attention);
  int64_t projections = weights ? shapeOf(weights)[0] : shapeOf(attention->getOperand(0))[widthDim];
  return ShapedType::isDynamic(projections) ? 0 : FeatureMap::count(sum, projections);
}

bool xf::sendsStates(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads) {
  constexpr int64_t nominalPart = 4096; // of a rank, where sizes are dynamic
  auto sum = attention->getAttrOfType<KernelSumAttr>(kKernelSumAttrName);
  int64_t ranks = ranksOf(mesh, tokens.axes);
  bool isZigzag = tokens.chunks > 1;
  if (!sum || ranks < 2 || tokens.axes != inMeshOrder(tokens.axes.getValue(), mesh) || !hasPlainPairs(attention) ||
      (isZigzag && sum.getCausal()))
    return false;
  bool isSummed = sum.getNormalizer() == Normalizer::k_sum || sum.getNormalizer() == Normalizer::k_none;
  if (!isSummed || sum.getSegments() || !FeatureMap::isOfRows(sum))
    return false;
  ArrayRef<int64_t> q = shapeOf(attention->getOperand(0)), k = shapeOf(attention->getOperand(1)),
                    v = shapeOf(attention->getOperand(2));
  for (ArrayRef<int64_t> shape : {q, k, v})
    if (ShapedType::isDynamic(shape[headDim]) || ShapedType::isDynamic(shape[widthDim]) || shape[widthDim] == 0)
      return false;
  int64_t features = featuresOf(attention, sum);
  if (features == 0 || k[headDim] != v[headDim] || (sum.getCausal() && !hasKeyForEachQuery(attention)))
    return false;
  if (!dividesHeads || isZigzag)
    return true;
  // Elements that a rank receives: states of all others, or its heads of all tokens and its tokens of all heads.
  auto count = [&](int64_t size) { return double(ShapedType::isDynamic(size) ? nominalPart * ranks : size); };
  double states = double(ranks - 1) * double(k[headDim] * features) * double(v[widthDim] + 1);
  double byHeads = (count(k[tokenDim]) * double(k[headDim] * (k[widthDim] + v[widthDim])) +
                    count(q[tokenDim]) * double(q[headDim] * (q[widthDim] + v[widthDim]))) *
                   double(ranks - 1) / double(ranks * ranks);
  return states < byHeads;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// Builds a rank's share of one attention for which ranks send each other states.
class StateAttention {
public:
  StateAttention(OpBuilder &b, const OpShare &share);

  /// Builds the output O, with elements of type `real`.
  Value buildForward();
  /// Builds the gradients of q, k and v from dO, whose elements have the type `real`. If the feature map has weights,
  /// also builds this rank's summand of their gradient. Fails after an error.
  FailureOr<SmallVector<Value>> buildGradients(Value dO);
  Value converted(Value x, Type element);
  Type real;

private:
  Value product(Value x, bool transposeX, Value y, bool transposeY, Value summand = {});
  Value columns(Value x, int64_t first, int64_t size);
  Value joined(Value x, Value y);
  Value withOnes(Value values);
  Value forHeads(Value states);
  Value ofKeyHeads(Value states);
  Value sumOverOthers(Value state, bool reverse);
  AttentionOp attendOwn();
  void markSum(Operation *attention);
  Value divided(Value x);
  Value gradientOfSums(Value dO);

  OpBuilder &b;
  Location loc;
  const OpShare &share;
  KernelSumAttr sum, ownSum;
  Value q, k, v, weights;
  int64_t valueWidth;
  bool divides;
  FeatureMap features;
  // Of the forward pass.
  Value ofQueries, ofKeys, values, seen, sums, o;
  AttentionOp own; // null where queries see all tokens
};
} // namespace

Value StateAttention::converted(Value x, Type element) {
  return typeOf(x).getElementType() == element ? x : CastOp::create(b, loc, typeOf(x).clone(element), x).getResult();
}

static KernelSumAttr sumOf(const OpShare &share) { return share.op->getAttrOfType<KernelSumAttr>(kKernelSumAttrName); }

/// Builds this rank's weights of the feature map, with elements of type `real`. Returns null if the map has none.
static Value buildWeights(OpBuilder &b, const OpShare &share, Type real) {
  Value whole = weightsOf(share.op);
  if (!whole)
    return {};
  auto number = llvm::find(share.op->getOperands(), whole).getIndex();
  Value mine = share.operands[number];
  return typeOf(mine).getElementType() == real
             ? mine
             : CastOp::create(b, share.op->getLoc(), typeOf(mine).clone(real), mine).getResult();
}

StateAttention::StateAttention(OpBuilder &b, const OpShare &share)
    : real(accumulatorType(typeOf(share.operands[0]).getElementType())), b(b), loc(share.op->getLoc()), share(share),
      sum(sumOf(share)), q(converted(share.operands[0], real)), k(converted(share.operands[1], real)),
      v(converted(share.operands[2], real)), weights(buildWeights(b, share, real)), valueWidth(shapeOf(v)[widthDim]),
      divides(sum.getNormalizer() == Normalizer::k_sum), features(b, loc, sum, weights) {
  FloatAttr zero = b.getF64FloatAttr(0);
  ownSum = KernelSumAttr::get(b.getContext(), Feature::k_identity, Stabilizer::k_none, Normalizer::k_none,
                              /*causal=*/true, /*segments=*/false, /*scale_input=*/true, zero, zero);
}

/// Builds the product x y of each head, with x transposed if `transposeX` and y if `transposeY`. Adds `summand` unless
/// it is null.
Value StateAttention::product(Value x, bool transposeX, Value y, bool transposeY, Value summand) {
  SmallVector<int64_t> shape(shapeOf(x));
  shape[2] = shapeOf(x)[transposeX ? 3 : 2];
  shape[3] = shapeOf(y)[transposeY ? 2 : 3];
  ValueRange extras = summand ? ValueRange(summand) : ValueRange();
  auto sum = ProductOp::create(b, loc, TypeRange{typeOf(x).clone(shape)}, x, transposeX, y, transposeY, extras,
                               [&](OpBuilder &inside, ValueRange scalars) -> SmallVector<Value> {
                                 if (!summand)
                                   return {scalars[0]};
                                 return {arith::AddFOp::create(inside, loc, scalars[1], scalars[0])};
                               });
  return sum->getResult(0);
}

Value StateAttention::columns(Value x, int64_t first, int64_t size) {
  SmallVector<int64_t> shape(shapeOf(x)), offsets(shape.size(), 0), strides(shape.size(), 1);
  if (shape.back() == size)
    return x;
  shape.back() = size;
  offsets.back() = first;
  return SliceOp::create(b, loc, typeOf(x).clone(shape), x, offsets, strides);
}

Value StateAttention::joined(Value x, Value y) {
  SmallVector<int64_t> shape(shapeOf(x));
  shape.back() += shapeOf(y).back();
  return ConcatOp::create(b, loc, typeOf(x).clone(shape), ValueRange{x, y}, widthDim);
}

/// Builds [V 1], the values `of` with a last column of ones, whose weighted sum is the divisor Z. Returns `of` itself
/// if nothing is divided.
Value StateAttention::withOnes(Value of) {
  if (!divides)
    return of;
  Value column = columns(of, 0, 1);
  Value ones = MapOp::create(b, loc, typeOf(column), column, [&](OpBuilder &inside, ValueRange) -> Value {
    return arith::ConstantOp::create(inside, loc, inside.getFloatAttr(real, 1.0));
  });
  return joined(of, ones);
}

//===----------------------------------------------------------------------===//
// States
//===----------------------------------------------------------------------===//

static RankedTensorType withHeads(Value states, ArrayRef<int64_t> heads) {
  ArrayRef<int64_t> shape = shapeOf(states);
  SmallVector<int64_t> whole = {shape[0]};
  llvm::append_range(whole, heads);
  llvm::append_range(whole, shape.drop_front(2));
  return typeOf(states).clone(whole);
}

/// Builds a tensor with a state for each query head. `states` has a state for each key head, which is repeated for the
/// query heads that share it.
Value StateAttention::forHeads(Value states) {
  int64_t heads = shapeOf(q)[headDim], keyHeads = shapeOf(k)[headDim];
  if (heads == keyHeads)
    return states;
  Value row = ReshapeOp::create(b, loc, withHeads(states, {keyHeads, 1}), states);
  Value repeated = BroadcastOp::create(b, loc, withHeads(states, {keyHeads, heads / keyHeads}), row);
  return ReshapeOp::create(b, loc, withHeads(states, heads), repeated);
}

/// Builds the state of each key head: the sum of `states`, which has one for each query head, over the query heads that
/// share it.
Value StateAttention::ofKeyHeads(Value states) {
  int64_t heads = shapeOf(q)[headDim], keyHeads = shapeOf(k)[headDim];
  if (heads == keyHeads)
    return states;
  Value groups = ReshapeOp::create(b, loc, withHeads(states, {keyHeads, heads / keyHeads}), states);
  return ReduceOp::create(b, loc, withHeads(states, keyHeads), Reduction::k_sum, groups, ArrayRef<int64_t>{2});
}

Value StateAttention::sumOverOthers(Value state, bool reverse) {
  if (sum.getCausal())
    return ScanStatesOp::create(b, loc, state.getType(), state, share.tokens.axes, reverse);
  return sumOverRanks(b, loc, state, share.tokens.axes.getValue(), share.mesh, real);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

void StateAttention::markSum(Operation *attention) {
  attention->setAttr(kKernelSumAttrName, ownSum);
  attention->setAttr(kFamilyAttrName, share.op->getAttr(kFamilyAttrName));
}

/// Builds the part of [N Z] that comes from the rank's own keys: the causal attention of its own tokens, on their
/// features.
AttentionOp StateAttention::attendOwn() {
  SmallVector<int64_t> shape(shapeOf(ofQueries));
  shape.back() = shapeOf(values).back();
  auto attention = AttentionOp::create(
      b, loc, typeOf(ofQueries).clone(shape), /*lse=*/Type(), ofQueries, ofKeys, values, /*params=*/ValueRange(),
      /*decay=*/Value(), /*beta=*/Value(), /*relative=*/Value(), /*feature_captures=*/ValueRange(),
      /*lengths=*/Value(), /*query_lengths=*/Value(), /*segments_q=*/Value(), /*segments_k=*/Value(),
      /*symbols=*/ValueRange(), /*table_offsets=*/Value(), /*table_columns=*/Value(), /*captures=*/ValueRange(),
      /*seed=*/Value(), /*part=*/Value(), /*scale=*/nullptr, /*dropout=*/nullptr, pattern::patternOf(ownSum));
  markSum(attention);
  return attention;
}

/// Builds x / (Z + guard).
Value StateAttention::divided(Value x) {
  Value z = columns(sums, valueWidth, 1);
  return MapOp::create(b, loc, typeOf(x), ValueRange{x, z}, [&](OpBuilder &inside, ValueRange scalars) -> Value {
    Value guard = arith::ConstantOp::create(inside, loc, inside.getFloatAttr(real, sum.getGuard().getValueAsDouble()));
    Value divisor = arith::AddFOp::create(inside, loc, scalars[1], guard);
    return arith::DivFOp::create(inside, loc, scalars[0], divisor);
  });
}

Value StateAttention::buildForward() {
  ofKeys = features.build(k, /*areQueries=*/false);
  values = withOnes(v);
  Value state = sumOverOthers(product(ofKeys, true, values, false), /*reverse=*/false);
  ofQueries = features.build(q, /*areQueries=*/true);
  if (sum.getCausal())
    own = attendOwn();
  seen = forHeads(state);
  sums = product(ofQueries, false, seen, false, own ? own.getO() : Value());
  return o = divides ? divided(columns(sums, 0, valueWidth)) : sums;
}

/// Builds [dN dZ] from dO. Returns dO itself, which is dN, if nothing is divided.
Value StateAttention::gradientOfSums(Value dO) {
  if (!divides)
    return dO;
  Value dN = divided(dO);
  Value products =
      MapOp::create(b, loc, typeOf(dN), ValueRange{dN, o}, [&](OpBuilder &inside, ValueRange scalars) -> Value {
        Value inner = arith::MulFOp::create(inside, loc, scalars[0], scalars[1]);
        return arith::NegFOp::create(inside, loc, inner);
      });
  SmallVector<int64_t> column(shapeOf(dN));
  column.back() = 1;
  Value inner = ReduceOp::create(b, loc, typeOf(dN).clone(ArrayRef(column).drop_back()), Reduction::k_sum, products,
                                 ArrayRef<int64_t>{widthDim});
  return joined(dN, ReshapeOp::create(b, loc, typeOf(dN).clone(column), inner));
}

FailureOr<SmallVector<Value>> StateAttention::buildGradients(Value dO) {
  Value dSums = gradientOfSums(dO);
  Value behind = sumOverOthers(ofKeyHeads(product(ofQueries, true, dSums, false)), /*reverse=*/true);
  SmallVector<Value> ofOwn(3); // gradients of features of queries and of keys, and of [V 1]; null where all is others'
  if (own) {
    SmallVector<Value> gradients(own->getNumOperands());
    if (failed(cast<DifferentiableOpInterface>(own.getOperation()).buildVjp(b, dSums, gradients)))
      return failure();
    llvm::copy(ArrayRef(gradients).take_front(3), ofOwn.begin());
    markSum(ofOwn[0].getDefiningOp());
    ofOwn[2] = columns(ofOwn[2], 0, valueWidth);
  }
  Value dQueries = product(dSums, false, seen, true, ofOwn[0]);
  Value dKeys = product(values, false, behind, true, ofOwn[1]);
  Value dV = product(ofKeys, false, columns(behind, 0, valueWidth), false, ofOwn[2]);
  FailureOr<FeatureMap::Gradients> ofQ = features.buildVjp(q, true, dQueries), ofK = features.buildVjp(k, false, dKeys);
  if (failed(ofQ) || failed(ofK))
    return failure();
  SmallVector<Value> gradients = {ofQ->rows, ofK->rows, dV};
  if (weights)
    gradients.push_back(AddOp::create(b, loc, weights.getType(), ofQ->weights, ofK->weights));
  return gradients;
}

FailureOr<SmallVector<Value>> xf::buildWithStates(OpBuilder &b, const OpShare &share) {
  StateAttention attention(b, share);
  Value o = attention.buildForward();
  if (isa<AttentionOp>(share.op))
    return SmallVector<Value>{attention.converted(o, share.types[0].getElementType())};
  auto vjp = cast<AttentionVjpOp>(share.op);
  Value dO = share.operands[vjp.getDOMutable().getOperandNumber()];
  FailureOr<SmallVector<Value>> gradients = attention.buildGradients(attention.converted(dO, attention.real));
  if (failed(gradients))
    return failure();
  SmallVector<Value> results;
  for (auto [gradient, type, axes] : llvm::zip_equal(*gradients, share.types, share.sums)) {
    Value sum = sumOverRanks(b, share.op->getLoc(), gradient, axes, share.mesh, type.getElementType());
    results.push_back(sum);
  }
  return results;
}
