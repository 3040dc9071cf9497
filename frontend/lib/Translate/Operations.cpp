//===- Operations.cpp - One operation per node -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Graph/Sizes.h"
#include "Translator.h"
#include "dialects/xf/Ops/XfFunctionOps.h"
#include "dialects/xf/Ops/XfSelectionOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using graph::Node;
using Kind = graph::Op;

Translator::Results Translator::emitNode(const Node &node, Values &values) {
  if (node.op == Kind::checkpoint)
    return emitCheckpoint(node, values);
  if (node.op == Kind::gradient || node.op == Kind::vjp)
    return emitDerivative(node, values);
  if (node.op == Kind::attention)
    return emitAttention(node, values);
  SmallVector<Value> operands;
  for (const fe::Tensor &operand : node.operands)
    operands.push_back(values.lookup(keyOf(operand)));
  if (node.op == Kind::constant)
    return {emitConstant(node)};
  if (Value value = emitSimple(node, operands))
    return {value};
  if (Value value = emitLayer(node, operands))
    return {value};
  if (Results results = emitTraining(node, operands); !results.empty())
    return results;
  return {emitShape(node, operands)};
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Returns the elements of a constant as an attribute: a splat if the constant has a single value, else one value per
/// element.
static DenseElementsAttr denseElements(RankedTensorType type, const graph::Constant &constant) {
  SmallVector<Attribute> elements;
  Type element = type.getElementType();
  for (double value : constant.reals)
    elements.push_back(FloatAttr::get(element, value));
  for (int64_t value : constant.integers)
    elements.push_back(IntegerAttr::get(element, element.isInteger(1) ? value != 0 : value));
  return DenseElementsAttr::get(type, elements);
}

Value Translator::emitConstant(const Node &node) {
  auto values = denseElements(typeOf(node.results[0]), std::get<graph::Constant>(node.payload));
  return arith::ConstantOp::create(builder, locationOf(node), values);
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static ir::Gelu translateGelu(fe::Gelu form) {
  switch (form) {
  case fe::Gelu::erf:
    return ir::Gelu::k_erf;
  case fe::Gelu::tanh:
    return ir::Gelu::k_tanh;
  case fe::Gelu::sigmoid:
    return ir::Gelu::k_sigmoid;
  }
  llvm_unreachable("all forms are handled");
}

Value Translator::emitSimple(const Node &node, ValueRange operands) {
  Location loc = locationOf(node);
  Type type = typeOf(node.results[0]);
  switch (node.op) {
#define XF_UNARY(NAME, OP)                                                                                             \
  case Kind::NAME:                                                                                                     \
    return ir::OP::create(builder, loc, type, operands[0]);
#define XF_UNARY_OPERATOR(NAME, SIGN, OP) XF_UNARY(NAME, OP)
#define XF_BINARY(NAME, OP, KIND)                                                                                      \
  case Kind::NAME:                                                                                                     \
    return ir::OP::create(builder, loc, type, operands[0], operands[1]);
#define XF_BINARY_OPERATOR(NAME, SIGN, OP, KIND) XF_BINARY(NAME, OP, KIND)
#define XF_COMPARISON(NAME, SIGN, WORD)                                                                                \
  case Kind::NAME:                                                                                                     \
    return ir::CompareOp::create(builder, loc, type, ir::Comparison::WORD, operands[0], operands[1]);
#include "../Graph/Elementwise.def"
  case Kind::gelu:
    return ir::GeluOp::create(builder, loc, type, operands[0], translateGelu(std::get<fe::Gelu>(node.payload)));
  case Kind::cast:
    return ir::CastOp::create(builder, loc, type, operands[0]);
  case Kind::where:
    return ir::WhereOp::create(builder, loc, type, operands[0], operands[1], operands[2]);
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Products, rows, shapes
//===----------------------------------------------------------------------===//

namespace {
/// The optional operands of a norm, null if absent, and eps.
struct Norm {
  Norm(const graph::NormOptions &options, ValueRange operands)
      : weight(options.weight ? operands[1] : Value()), bias(options.bias ? operands.back() : Value()),
        eps(options.eps) {}

  Value weight, bias;
  llvm::APFloat eps;
};
} // namespace

Value Translator::emitLayer(const Node &node, ValueRange operands) {
  Location loc = locationOf(node);
  Type type = typeOf(node.results[0]);
  auto optional = [&](size_t number) { return number < operands.size() ? operands[number] : Value(); };
  auto reduce = [&](ir::Reduction kind) -> Value {
    return ir::ReduceOp::create(builder, loc, type, kind, operands[0], std::get<std::vector<int64_t>>(node.payload));
  };
  switch (node.op) {
  case Kind::linear:
    return ir::LinearOp::create(builder, loc, type, operands[0], operands[1], optional(2));
  case Kind::matmul:
    return ir::MatmulOp::create(builder, loc, type, operands[0], operands[1]);
#define XF_ROW(NAME, OP)                                                                                               \
  case Kind::NAME:                                                                                                     \
    return ir::OP::create(builder, loc, type, operands[0]);
#define XF_NORM(NAME, OP)                                                                                              \
  case Kind::NAME: {                                                                                                   \
    Norm norm(std::get<graph::NormOptions>(node.payload), operands);                                                   \
    return ir::OP::create(builder, loc, type, operands[0], norm.weight, norm.eps);                                     \
  }
#define XF_BIASED_NORM(NAME, OP)                                                                                       \
  case Kind::NAME: {                                                                                                   \
    Norm norm(std::get<graph::NormOptions>(node.payload), operands);                                                   \
    return ir::OP::create(builder, loc, type, operands[0], norm.weight, norm.bias, norm.eps);                          \
  }
#include "../Graph/Rows.def"
  case Kind::sum:
    return reduce(ir::Reduction::k_sum);
  case Kind::mean:
    return reduce(ir::Reduction::k_mean);
  case Kind::max:
    return reduce(ir::Reduction::k_max);
  default:
    return {};
  }
}

/// Returns whether the dynamic sizes of a node's result follow from the sizes of its operand. The op then need not list
/// them.
static bool sizesFollow(const Node &node) {
  const fe::Shape &from = node.operands[0].shape(), &to = node.results[0].shape;
  auto dynamic = [](const fe::Shape &shape) {
    fe::Shape sizes;
    for (const fe::Dim &size : shape)
      if (!size.is_static())
        sizes.push_back(size);
    return sizes;
  };
  if (node.op == Kind::reshape) // in order, the last by the number of elements
    return dynamic(to).size() <= 1 || dynamic(to) == dynamic(from);
  if (node.op == Kind::broadcast) {
    for (size_t d = 0; d < to.size(); ++d)
      if (size_t added = to.size() - from.size(); !to[d].is_static() && (d < added || !(from[d - added] == to[d])))
        return false;
    return true;
  }
  if (node.op == Kind::slice) { // all that there is
    const auto &bounds = std::get<graph::SliceBounds>(node.payload);
    for (auto [x, y, offset, stride] : llvm::zip(from, to, bounds.offsets, bounds.strides))
      if (!y.is_static() && (!((x - offset + fe::Dim(stride - 1)) / stride == y) || // or it may be negative:
                             (x - offset).range().min < 0))
        return false;
  }
  return true;
}

Value Translator::emitShape(const Node &node, ValueRange operands) {
  Location loc = locationOf(node);
  Type type = typeOf(node.results[0]);
  ArrayAttr sizes = sizesFollow(node) ? ArrayAttr() : sizesOf(node.results[0].shape);
  switch (node.op) {
  case Kind::reshape:
    return ir::ReshapeOp::create(builder, loc, type, operands[0], sizes);
  case Kind::transpose:
    return ir::TransposeOp::create(builder, loc, type, operands[0], std::get<std::vector<int64_t>>(node.payload));
  case Kind::slice: {
    const auto &bounds = std::get<graph::SliceBounds>(node.payload);
    SmallVector<ir::SizeExpression> positions;
    for (const fe::Dim &offset : bounds.offsets)
      positions.push_back(graph::SizeData::of(offset).value);
    auto [offsets, starts] = ir::splitPositions(builder.getContext(), positions);
    return ir::SliceOp::create(builder, loc, type, operands[0], offsets, bounds.strides, starts, sizes);
  }
  case Kind::pad: {
    const auto &bounds = std::get<graph::SliceBounds>(node.payload);
    SmallVector<int64_t> low = llvm::map_to_vector(bounds.offsets, [](const fe::Dim &size) { return size.value(); });
    return ir::PadOp::create(builder, loc, type, operands[0], low, bounds.strides);
  }
  case Kind::sliceUpdate:
    return ir::SliceUpdateOp::create(builder, loc, type, operands[0], operands[1], operands[2],
                                     std::get<int64_t>(node.payload));
  case Kind::concat:
    return ir::ConcatOp::create(builder, loc, type, operands, std::get<int64_t>(node.payload));
  case Kind::broadcast:
    return ir::BroadcastOp::create(builder, loc, type, operands[0], sizes);
  case Kind::splitHeads:
    return ir::SplitHeadsOp::create(builder, loc, type, operands[0], std::get<int64_t>(node.payload));
  case Kind::mergeHeads:
    return ir::MergeHeadsOp::create(builder, loc, type, operands[0]);
  case Kind::stackLayers:
    return ir::StackLayersOp::create(builder, loc, type, operands);
  case Kind::poolLayers: {
    const auto &pool = std::get<graph::LayerPool>(node.payload);
    static_assert(static_cast<int>(fe::Pool::last) == static_cast<int>(ir::Pool::k_last));
    return ir::PoolLayersOp::create(builder, loc, type, operands[0], pool.layers, static_cast<ir::Pool>(pool.kind));
  }
  default:
    llvm_unreachable("all operations are handled");
  }
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

Translator::Results Translator::emitTraining(const Node &node, ValueRange operands) {
  Location loc = locationOf(node);
  SmallVector<Type> types;
  for (const graph::Type &result : node.results)
    types.push_back(typeOf(result));
  auto number = [](double value) { return llvm::APFloat(value); };
  auto master = [&](size_t index) { return index < operands.size() ? operands[index] : Value(); };
  switch (node.op) {
  case Kind::embedding:
    return {ir::EmbeddingOp::create(builder, loc, types[0], operands[0], operands[1])};
  case Kind::indexAdd:
    return {ir::EmbeddingVjpOp::create(builder, loc, types[0], operands[1], operands[2], operands[0])};
  case Kind::takeAlong:
    return {ir::TakeAlongOp::create(builder, loc, types[0], operands[0], operands[1])};
  case Kind::sumAlong:
    return {ir::TakeAlongVjpOp::create(builder, loc, operands[0], operands[1], operands[2])};
  case Kind::iota:
    return {ir::IotaOp::create(builder, loc, types[0], operands[0])};
  case Kind::cumsum:
    return {ir::CumsumOp::create(builder, loc, operands[0], /*reverse=*/false)};
  case Kind::topK: {
    bool smallest = !std::get<int64_t>(node.payload);
    auto op = ir::TopKOp::create(builder, loc, types[0], types[1], operands[0], smallest);
    return {op.getValues(), op.getIndices()};
  }
  case Kind::crossEntropy:
    return llvm::to_vector<1>(llvm::map_range(
        ir::CrossEntropyOp::create(builder, loc, types[0], types[1], operands[0], operands[1])->getResults(),
        [](OpResult result) -> Value { return result; }));
  case Kind::dropout:
    return {ir::DropoutOp::create(builder, loc, types[0], operands[0], operands[1],
                                  number(std::get<double>(node.payload)))};
  case Kind::clipScale:
    return {ir::ClipScaleOp::create(builder, loc, types[0], operands, number(std::get<double>(node.payload)))};
  case Kind::adamw: {
    const auto &options = std::get<graph::AdamWOptions>(node.payload);
    auto op = ir::AdamWOp::create(builder, loc, types, operands[0], operands[1], operands[2], operands[3], operands[4],
                                  operands[5], operands[6], master(7), number(options.beta1), number(options.beta2),
                                  number(options.eps), number(options.weightDecay));
    return Results(op->result_begin(), op->result_end());
  }
  case Kind::sgd: {
    const auto &options = std::get<graph::SgdOptions>(node.payload);
    auto op = ir::SgdOp::create(builder, loc, types, operands[0], operands[1], operands[2], operands[3], operands[4],
                                master(5), number(options.momentum), number(options.weightDecay));
    return Results(op->result_begin(), op->result_end());
  }
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Returns the values that a feature map captures. These are the captures of its scope, except the row, which is the
/// argument of the map.
static SmallVector<fe::Tensor> featureCaptures(const graph::Scope &scope, const graph::Region &feature) {
  SmallVector<fe::Tensor> captures;
  for (const graph::Capture &capture : scope.captures)
    if (capture.value.node() != feature.withRespectTo[0].node())
      captures.push_back(capture.value);
  return captures;
}

/// Builds the score region of an attention. The region maps (s, b, h, i, j, captures..) to the modified score s'.
static void buildScoreRegion(OpBuilder &builder, ir::AttentionOp op, const graph::Expression &score,
                             ArrayRef<fe::Tensor> captures) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = op.getLoc();
  Type real = ir::accumulatorType(cast<RankedTensorType>(op.getQ().getType()).getElementType()),
       index = builder.getIndexType();
  SmallVector<Type> types = {real, index, index, index, index};
  llvm::append_range(types, op.getCaptures().getTypes());
  Block *block = builder.createBlock(&op.getScore(), {}, types, SmallVector<Location>(types.size(), loc));
  ir::YieldOp::create(builder, loc, buildScore(builder, score, block->getArguments(), captures));
}

/// Emits the feature region of an attention. The region maps (row, captures..) to phi(row).
void Translator::emitFeature(const Node &node, Region &region, ValueRange captures) {
  const graph::Scope &scope = scopes.of(node);
  const auto &feature = *std::get<graph::AttentionClauses>(node.payload).feature;
  OpBuilder::InsertionGuard guard(builder);
  Location loc = locationOf(node);
  SmallVector<Type> types = {typeOf(feature.withRespectTo[0])};
  llvm::append_range(types, captures.getTypes());
  Block *block = builder.createBlock(&region, {}, types, SmallVector<Location>(types.size(), loc));
  Values inner;
  inner[keyOf(feature.withRespectTo[0])] = block->getArgument(0);
  for (auto [tensor, argument] : llvm::zip(featureCaptures(scope, feature), block->getArguments().drop_front()))
    inner[keyOf(tensor)] = argument;
  emitScope(scope, inner);
  ir::YieldOp::create(builder, loc, inner.lookup(keyOf(feature.results[0])));
}

Translator::Results Translator::emitAttention(const Node &node, Values &values) {
  const auto &clauses = std::get<graph::AttentionClauses>(node.payload);
  SmallVector<Value> all, featureOperands;
  for (const fe::Tensor &operand : node.operands)
    all.push_back(values.lookup(keyOf(operand)));
  if (clauses.feature)
    for (const fe::Tensor &capture : featureCaptures(scopes.of(node), *clauses.feature))
      featureOperands.push_back(values.lookup(keyOf(capture)));
  ValueRange operands = all;
  size_t next = 3;
  auto take = [&](unsigned count) {
    ValueRange taken = operands.slice(next, count);
    next += count;
    return taken;
  };
  auto one = [](ValueRange range) { return range.empty() ? Value() : range.front(); };
  ValueRange params = take(clauses.parameters);
  Value decay = one(take(clauses.decay)), beta = one(take(clauses.beta)), relative = one(take(clauses.relative));
  Value lengths = one(take(clauses.lengths)), queryLengths = one(take(clauses.queryLengths));
  ValueRange segments = take(clauses.segments), symbols = take(clauses.symbols), table = take(clauses.table);
  size_t firstCapture = next;
  ValueRange captures = take(clauses.captures);
  Value seed = one(take(clauses.seed));
  FloatAttr scale = clauses.scale ? builder.getF64FloatAttr(*clauses.scale) : FloatAttr();
  FloatAttr dropout = seed ? builder.getF64FloatAttr(clauses.dropout) : FloatAttr();
  Type lse = clauses.withLse ? typeOf(node.results[1]) : RankedTensorType();
  auto op = ir::AttentionOp::create(builder, locationOf(node), typeOf(node.results[0]), lse, operands[0], operands[1],
                                    operands[2], params, decay, beta, relative, featureOperands, lengths, queryLengths,
                                    segments.empty() ? Value() : segments[0], segments.empty() ? Value() : segments[1],
                                    symbols, table.size() == 2 ? table[0] : Value(),
                                    table.empty() ? Value() : table.back(), captures, seed, /*part=*/Value(), scale,
                                    dropout, translatePattern(builder.getContext(), *clauses.pattern),
                                    clauses.exactWeights ? builder.getUnitAttr() : UnitAttr());
  if (clauses.feature)
    emitFeature(node, op.getFeature(), featureOperands);
  if (clauses.score)
    buildScoreRegion(builder, op, *clauses.score, ArrayRef(node.operands).slice(firstCapture, clauses.captures));
  Results results = {op.getO()};
  if (clauses.withLse)
    results.push_back(op.getLse());
  return results;
}
