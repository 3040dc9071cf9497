//===- Interpreter.cpp - Programs of xf ops in double precision -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/Interpreter.h"
#include "dialects/xf/IR/XfSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "test/reference/RankRules.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

/// Calls and checkpoints inside each other, beyond which a program is taken to recurse for ever.
static constexpr int maximumDepth = 256;
/// Elements of one tensor: 16 GiB.
static constexpr int64_t maximumSize = int64_t(1) << 31;

Interpreter::Interpreter() {
  addElementwiseRules(rules);
  addProductRules(rules);
  addSelectionRules(rules);
  addRowRules(rules);
  addShapeRules(rules);
  addTrainingRules(rules);
  addOptimizerRules(rules);
  addAttentionRules(rules);
}

FailureOr<Tensors> Interpreter::evaluate(func::FuncOp function, ArrayRef<Tensor> arguments) const {
  if (function.isDeclaration())
    return function.emitError("expected a function with a body");
  return evaluate(function.front(), arguments);
}

FailureOr<Tensors> Interpreter::evaluate(Block &body, ArrayRef<Tensor> arguments) const {
  Frame frame;
  return runBlock(body, arguments, frame, 0);
}

FailureOr<SmallVector<Tensors>> Interpreter::evaluateRanks(func::FuncOp share, ArrayRef<Tensors> arguments) const {
  if (share.isDeclaration())
    return share.emitError("expected a function with a body");
  std::vector<Frame> ranks(arguments.size());
  for (auto [frame, ofRank] : llvm::zip(ranks, arguments)) {
    for (auto [argument, tensor] : llvm::zip(share.getArguments(), ofRank))
      frame.set(argument, tensor);
    if (failed(bindSizes(share.front(), frame)))
      return failure();
  }
  for (Operation &op : share.front().without_terminator()) {
    if (isRankOp(&op)) {
      if (failed(evaluateTogether(&op, ranks)))
        return failure();
      continue;
    }
    for (Frame &frame : ranks)
      if (failed(run(op, frame, 0)))
        return failure();
  }
  SmallVector<Tensors> results;
  for (Frame &frame : ranks)
    results.push_back(llvm::map_to_vector(share.front().getTerminator()->getOperands(),
                                          [&](Value value) -> Tensor { return frame[value]; }));
  return results;
}

FailureOr<Gradients> Interpreter::vjp(func::FuncOp function, ArrayRef<Tensor> arguments,
                                      ArrayRef<Tensor> cotangents) const {
  if (function.isDeclaration())
    return function.emitError("expected a function with a body");
  return vjp(function.front(), arguments, cotangents);
}

FailureOr<Gradients> Interpreter::vjp(Block &body, ArrayRef<Tensor> arguments, ArrayRef<Tensor> cotangents) const {
  Frame frame;
  FailureOr<Tensors> results = runBlock(body, arguments, frame, 0);
  if (failed(results))
    return failure();
  FailureOr<Tensors> gradients = reverseBlock(body, cotangents, frame, 0);
  if (failed(gradients))
    return failure();
  return Gradients{std::move(*results), std::move(*gradients)};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

FailureOr<Tensors> Interpreter::runBlock(Block &block, ArrayRef<Tensor> arguments, Frame &frame, int depth) const {
  if (!block.getParent()->hasOneBlock())
    return block.getParentOp()->emitError("expected a body of one block, got ")
           << block.getParent()->getBlocks().size();
  for (auto [argument, tensor] : llvm::zip(block.getArguments(), arguments))
    frame.set(argument, tensor);
  if (failed(bindSizes(block, frame)))
    return failure();
  for (Operation &op : block.without_terminator())
    if (failed(run(op, frame, depth)))
      return failure();
  return llvm::map_to_vector(block.getTerminator()->getOperands(), [&](Value value) { return frame[value]; });
}

/// Gives the dynamic sizes of a function's arguments the names that xf.dims declares, and NAME.DIMENSION. A function
/// that others call also has the names of its caller.
LogicalResult Interpreter::bindSizes(Block &block, Frame &frame) const {
  auto function = dyn_cast<FunctionOpInterface>(block.getParentOp());
  if (!function)
    return success();
  llvm::StringSet<> own;
  SmallVector<std::pair<SizeExpression, int64_t>> computed;
  for (auto [number, argument] : llvm::enumerate(block.getArguments())) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto dims = function.getArgAttrOfType<ArrayAttr>(number, "xf.dims");
    size_t taken = 0;
    for (int64_t d = 0; type && d < type.getRank(); ++d) {
      if (!type.isDynamicDim(d))
        continue;
      int64_t size = frame[argument].shape[d];
      frame.sizes[sizeName(function, number, d)] = size;
      Attribute dim = dims ? dims[taken++] : Attribute();
      if (auto expression = dyn_cast_or_null<SizeAttr>(dim))
        computed.push_back({expression.getExpression(), size});
      auto named = dyn_cast_or_null<DimAttr>(dim);
      if (!named)
        continue;
      if (size < named.getMin() || size > named.getMax())
        return function.emitError("expected '")
               << named.getName() << "' between " << named.getMin() << " and " << named.getMax() << ", got " << size;
      if (!own.insert(named.getName()).second && frame.sizes[named.getName()] != size)
        return function.emitError("expected '") << named.getName() << "' = " << frame.sizes[named.getName()]
                                                << " as in the arguments before, got " << size;
      frame.sizes[named.getName()] = size;
    }
  }
  for (auto &[expression, size] : computed) {
    FailureOr<int64_t> value = evaluateSize(function, frame, expression);
    if (failed(value))
      return failure();
    if (*value != size)
      return function.emitError("expected '") << expression.text() << "' = " << *value << ", got " << size;
  }
  return success();
}

FailureOr<Tensors> Interpreter::reverseBlock(Block &block, ArrayRef<Tensor> results, const Frame &frame,
                                             int depth) const {
  Cotangents cotangents(frame);
  for (auto [value, cotangent] : llvm::zip(block.getTerminator()->getOperands(), results))
    cotangents.add(value, cotangent);
  for (Operation &op : llvm::reverse(block.without_terminator()))
    if (failed(reverse(op, frame, cotangents, depth)))
      return failure();
  return llvm::map_to_vector(block.getArguments(), [&](Value value) { return cotangents[value]; });
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static LogicalResult verifySizes(Operation &op) {
  for (Type type : op.getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return op.emitError("expected an op on ranked tensors, got a result of type ") << type;
    int64_t elements = 1;
    for (int64_t size : tensor.getShape())
      if (!ShapedType::isDynamic(size) && (llvm::MulOverflow(elements, size, elements) || elements > maximumSize))
        return op.emitError("expected a tensor of at most ") << maximumSize << " elements, got " << tensor;
  }
  return success();
}

/// The shapes that were computed are those of the types; not every op's verifier knows.
static LogicalResult verifyResults(Operation &op, const Frame &frame) {
  for (Value result : op.getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    const Tensor &tensor = frame[result];
    bool fits =
        type.getRank() == tensor.rank() && llvm::all_of(llvm::zip(type.getShape(), tensor.shape), [](auto sizes) {
          return ShapedType::isDynamic(std::get<0>(sizes)) || std::get<0>(sizes) == std::get<1>(sizes);
        });
    if (!fits)
      return op.emitError("expected a result of shape [") << tensor.shape << "], got " << type;
  }
  return success();
}

static LogicalResult setConstant(arith::ConstantOp op, Frame &frame) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return op.emitError("expected a dense constant, got ") << op.getValue();
  frame.set(op.getResult(), Tensor::of(elements));
  return success();
}

/// The body of a function that is called; fails after an error at the op where there is none, or where calls recurse.
static FailureOr<Block *> calleeBlock(Operation &op, FlatSymbolRefAttr name, int depth) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(&op, name);
  if (!callee || callee.isDeclaration())
    return op.emitError("expected a function with a body, got ") << name;
  if (depth >= maximumDepth)
    return op.emitError("expected at most ") << maximumDepth << " calls inside each other, got a recursion";
  return &callee.front();
}

/// The block that an op runs: a callee's or a checkpoint's. Null for other ops.
static FailureOr<Block *> calledBlock(Operation &op, int depth) {
  if (auto checkpoint = dyn_cast<xf::CheckpointOp>(op))
    return &checkpoint.getBody().front();
  if (auto call = dyn_cast<func::CallOp>(op))
    return calleeBlock(op, call.getCalleeAttr(), depth);
  return static_cast<Block *>(nullptr);
}

static Tensors tensorsOf(ValueRange values, const Frame &frame) {
  return llvm::map_to_vector(values, [&](Value value) { return frame[value]; });
}

LogicalResult Interpreter::run(Operation &op, Frame &frame, int depth) const {
  if (failed(verifySizes(op)))
    return failure();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return setConstant(constant, frame);
  if (auto gradient = dyn_cast<xf::GradientOp>(op))
    return runDerivative(gradient, frame, depth);
  if (auto vjp = dyn_cast<xf::VjpOp>(op))
    return runDerivative(vjp, frame, depth);
  FailureOr<Block *> body = calledBlock(op, depth);
  if (failed(body))
    return failure();
  if (*body)
    return runCall(op, **body, frame, depth);
  const Rule *rule = rules.find(&op);
  if (!rule)
    return op.emitError("expected an op that the reference interpreter knows, got '") << op.getName() << "'";
  return failed(rule->evaluate(&op, frame)) ? failure() : verifyResults(op, frame);
}

LogicalResult Interpreter::runCall(Operation &op, Block &body, Frame &frame, int depth) const {
  Frame inner;
  inner.sizes = frame.sizes;
  FailureOr<Tensors> results = runBlock(body, tensorsOf(op.getOperands(), frame), inner, depth + 1);
  if (failed(results))
    return failure();
  for (auto [value, tensor] : llvm::zip(op.getResults(), *results))
    frame.set(value, std::move(tensor));
  return success();
}

LogicalResult Interpreter::reverse(Operation &op, const Frame &frame, Cotangents &cotangents, int depth) const {
  if (llvm::none_of(op.getResults(), [&](Value result) { return cotangents.has(result); }))
    return success();
  if (isa<arith::ConstantOp>(op))
    return success();
  FailureOr<Block *> body = calledBlock(op, depth);
  if (failed(body))
    return failure();
  if (*body)
    return reverseCall(op, **body, frame, cotangents, depth);
  const Rule *rule = rules.find(&op);
  if (!rule || !rule->differentiate)
    return op.emitError("expected an op with a gradient, got '") << op.getName() << "'";
  return rule->differentiate(&op, frame, cotangents);
}

/// The values inside are computed once more, as a checkpoint does.
LogicalResult Interpreter::reverseCall(Operation &op, Block &body, const Frame &frame, Cotangents &cotangents,
                                       int depth) const {
  Frame inner;
  inner.sizes = frame.sizes;
  if (failed(runBlock(body, tensorsOf(op.getOperands(), frame), inner, depth + 1)))
    return failure();
  Tensors results = llvm::map_to_vector(op.getResults(), [&](Value value) { return cotangents[value]; });
  FailureOr<Tensors> gradients = reverseBlock(body, results, inner, depth + 1);
  if (failed(gradients))
    return failure();
  for (auto [value, gradient] : llvm::zip(op.getOperands(), *gradients))
    cotangents.add(value, gradient);
  return success();
}

//===----------------------------------------------------------------------===//
// Derivatives of functions
//===----------------------------------------------------------------------===//

/// xf.gradient: 1 for the first result, 0 for the others.
static Tensors cotangentsOf(xf::GradientOp, ArrayRef<Tensor> results, const Frame &) {
  Tensors cotangents = llvm::map_to_vector(results, Tensor::zerosLike);
  cotangents[0].reals[0] = 1;
  return cotangents;
}

/// xf.vjp: one for each floating-point result.
static Tensors cotangentsOf(xf::VjpOp op, ArrayRef<Tensor> results, const Frame &frame) {
  Tensors cotangents = llvm::map_to_vector(results, Tensor::zerosLike);
  auto given = op.getCotangents().begin();
  for (Tensor &cotangent : cotangents)
    if (cotangent.isReal())
      cotangent = frame[*given++];
  return cotangents;
}

/// The callee's results, then the gradients by the arguments that `wrt` lists.
template <typename OpTy>
LogicalResult Interpreter::runDerivative(OpTy op, Frame &frame, int depth) const {
  FailureOr<Block *> body = calleeBlock(*op, op.getCalleeAttr(), depth);
  if (failed(body))
    return failure();
  Frame inner;
  inner.sizes = frame.sizes;
  FailureOr<Tensors> results = runBlock(**body, tensorsOf(op.getInputs(), frame), inner, depth + 1);
  if (failed(results))
    return failure();
  Tensors cotangents = cotangentsOf(op, *results, frame);
  for (auto [result, cotangent] : llvm::zip(*results, cotangents))
    if (result.shape != cotangent.shape)
      return op.emitError("expected a cotangent of shape [") << result.shape << "], got [" << cotangent.shape << "]";
  FailureOr<Tensors> gradients = reverseBlock(**body, cotangents, inner, depth + 1);
  if (failed(gradients))
    return failure();
  for (int64_t argument : op.getWrt())
    results->push_back((*gradients)[argument]);
  for (auto [value, tensor] : llvm::zip(op.getResults(), *results))
    frame.set(value, std::move(tensor));
  return success();
}
