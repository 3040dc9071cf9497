//===- ExpandAttentionVjp.cpp - Gradients of expanded attention -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves the attention of a gradient into a function, if another pass expands that attention:
//
//   %dq, %dk, %dv, %de = xf.attention_vjp %q, %k, %v, %o, %lse, %d_o pattern(#xf.low_rank<rank = 3>) params(%e)
// ->
//   %o2, %dq, %dk, %dv, %de = xf.vjp @attention(%q, %k, %v, %e) cotangents(%d_o) wrt [0, 1, 2, 3]
//
//   func private @attention(%q, %k, %v, %e) -> O {
//     %o = xf.attention %q, %k, %v pattern(#xf.low_rank<rank = 3>) params(%e)
//
// Other passes of this stage expand some attention into ops. The gradient of such an attention must be the gradient of
// these ops, so the gradient stage differentiates the function. The function computes o and lse again. If a kernel
// computes the attention as it is, its gradient stays in place. Runs before the other passes.
//
//===----------------------------------------------------------------------===//

#include "compiler/Expand/Passes.h"
#include "compiler/Pattern/KernelSum.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::xf {
#define GEN_PASS_DEF_EXPANDATTENTIONVJPPASS
#include "compiler/Expand/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

/// Returns the operands of the forward attention of `op`: q, k, v and the operands of clauses.
static SmallVector<Value> inputsOf(AttentionVjpOp op) {
  SmallVector<Value> inputs = {op.getQ(), op.getK(), op.getV()};
  unsigned clauses = op.getODSOperandIndexAndLength(7).first; // clauses follow o, lse and the cotangents
  llvm::append_range(inputs, op->getOperands().drop_front(clauses));
  return inputs;
}

/// Builds the forward attention of `op` with the operands `inputs`, in the order of inputsOf.
static AttentionOp buildAttention(OpBuilder &builder, AttentionVjpOp op, ValueRange inputs) {
  ValueRange rest = inputs.drop_front(3);
  auto take = [&](ValueRange like) {
    ValueRange taken = rest.take_front(like.size());
    rest = rest.drop_front(like.size());
    return taken;
  };
  auto takeOne = [&](Value like) { return like ? take(like).front() : Value(); };
  ValueRange params = take(op.getParams());
  Value decay = takeOne(op.getDecay()), beta = takeOne(op.getBeta()), relative = takeOne(op.getRelative());
  ValueRange featureCaptures = take(op.getFeatureCaptures());
  Value lengths = takeOne(op.getLengths()), queryLengths = takeOne(op.getQueryLengths());
  Value segmentsQ = takeOne(op.getSegmentsQ()), segmentsK = takeOne(op.getSegmentsK());
  ValueRange symbols = take(op.getSymbols());
  Value tableOffsets = takeOne(op.getTableOffsets()), tableColumns = takeOne(op.getTableColumns());
  ValueRange captures = take(op.getCaptures());
  Value seed = takeOne(op.getSeed()), part = takeOne(op.getPart());
  auto attention =
      AttentionOp::create(builder, op.getLoc(), op.getO().getType(), op.getDLse() ? op.getDLse().getType() : Type(),
                          inputs[0], inputs[1], inputs[2], params, decay, beta, relative, featureCaptures, lengths,
                          queryLengths, segmentsQ, segmentsK, symbols, tableOffsets, tableColumns, captures, seed, part,
                          op.getScaleAttr(), op.getDropoutAttr(), op.getPattern(), op.getExactWeightsAttr());
  IRMapping mapping;
  op.getScore().cloneInto(&attention.getScore(), mapping);
  op.getFeature().cloneInto(&attention.getFeature(), mapping);
  return attention;
}

static func::FuncOp buildFunction(AttentionVjpOp op, ValueRange inputs, SymbolTable &symbols) {
  OpBuilder builder(op->getContext());
  SmallVector<Type> results = {op.getO().getType()};
  if (op.getDLse())
    results.push_back(op.getDLse().getType());
  auto function =
      func::FuncOp::create(builder, op.getLoc(), "attention", builder.getFunctionType(inputs.getTypes(), results));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  AttentionOp attention = buildAttention(builder, op, body->getArguments());
  func::ReturnOp::create(builder, op.getLoc(), attention->getResults());
  symbols.insert(function);
  return function;
}

static void expandAttentionVjp(AttentionVjpOp op, SymbolTable &symbols) {
  SmallVector<Value> inputs = inputsOf(op);
  func::FuncOp function = buildFunction(op, inputs, symbols);
  SmallVector<int64_t> wrt;
  SmallVector<Type> types(function.getResultTypes());
  for (auto [number, input] : llvm::enumerate(inputs))
    if (isa<FloatType>(getElementTypeOrSelf(input))) {
      wrt.push_back(number);
      types.push_back(input.getType());
    }
  SmallVector<Value> cotangents = {op.getDO()};
  if (op.getDLse())
    cotangents.push_back(op.getDLse());
  OpBuilder builder(op);
  auto vjp = VjpOp::create(builder, op.getLoc(), types, function.getSymName(), inputs, cotangents, wrt);
  op->replaceAllUsesWith(vjp.getOutputs().drop_front(function.getNumResults()));
  op.erase();
}

namespace {
struct ExpandAttentionVjpPass : xf::impl::ExpandAttentionVjpPassBase<ExpandAttentionVjpPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, XfDialect>();
  }

  /// Returns true if a later pass of the stage `expand` replaces the forward attention of `op` by other ops. Fails
  /// after an error at `op`.
  FailureOr<bool> isExpanded(AttentionVjpOp op) {
    if (isa<LowRankPatternAttr>(op.getPattern()))
      return true;
    auto pattern = dyn_cast<KernelizedPatternAttr>(op.getPattern());
    if (!pattern)
      return false;
    if (!op.getFeature().empty() || op.getRelative() || pattern.getFeature() == Feature::k_softmax ||
        pattern.getNormalizer() == Normalizer::k_norm)
      return true;
    FailureOr<bool> hasSum = pattern::hasKernelSum(pattern, [&] { return op.emitError(); });
    return failed(hasSum) ? hasSum : FailureOr<bool>(!*hasSum);
  }

  void runOnOperation() override {
    SmallVector<AttentionVjpOp> found;
    WalkResult result = getOperation().walk([&](AttentionVjpOp op) {
      FailureOr<bool> isFound = isExpanded(op);
      if (succeeded(isFound) && *isFound)
        found.push_back(op);
      return failed(isFound) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (AttentionVjpOp op : found)
      expandAttentionVjp(op, symbols);
  }
};
} // namespace
