//===- SizeAgreement.cpp - Run-time checks of dynamic sizes ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The verifiers compare sizes if both are static. All others are compared at the start of a call, before the first
// kernel runs, because kernels take their bounds from one operand and index the others with them. Operands of products
// and of element-wise ops are compared where they are tiled (TileContract.cpp, RowLaunch.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileOps.h"
#include "dialects/xf/Patterns/PatternSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

using Sizes = SmallVector<Size>;

/// Requires that the dimensions of `tensor` have the sizes `expected`; a longer list's rest is ignored. Null tensors
/// pass.
static LogicalResult requireSizes(HostBuilder &host, Value tensor, ArrayRef<Size> expected) {
  if (!tensor)
    return success();
  for (auto [size, other] : llvm::zip(host.sizes(tensor), expected))
    if (failed(host.requireEqual(size, other)))
      return failure();
  return success();
}

static LogicalResult requireAtMost(HostBuilder &host, Size size, Size limit) {
  return host.requireEqual(host.min(size, limit), size);
}

static LogicalResult requireMultiple(HostBuilder &host, Size size, Size factor) {
  return host.requireEqual(host.mul(host.floorDiv(size, factor), factor), size);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// Requires the number of tokens that grids and permutations of a pattern fix.
static LogicalResult requireTokens(HostBuilder &host, xf::Pattern pattern, Size keys) {
  for (const TokenRule &rule : tokenRules(pattern)) {
    Size found = host.ceilDiv(keys, rule.block), expected = host.size(rule.tokens);
    if (failed(rule.isMultiple ? requireMultiple(host, found, expected) : host.requireEqual(found, expected)))
      return failure();
  }
  return success();
}

template <typename OpTy>
static LogicalResult requireAttentionSizes(OpTy op, HostBuilder &host) {
  Sizes q = host.sizes(op.getQ()), k = host.sizes(op.getK()), v = host.sizes(op.getV());
  bool agree = succeeded(requireSizes(host, op.getK(), {q[0], k[1], k[2], q[3]})) &&
               succeeded(requireSizes(host, op.getV(), {q[0], v[1], k[2], v[3]})) &&
               succeeded(requireMultiple(host, q[1], k[1])) && succeeded(requireMultiple(host, q[1], v[1])) &&
               succeeded(requireTokens(host, op.getPattern(), k[2])) &&
               succeeded(requireSizes(host, op.getLengths(), q[0])) &&
               succeeded(requireSizes(host, op.getQueryLengths(), q[0])) &&
               succeeded(requireSizes(host, op.getSeed(), host.size(2))) &&
               succeeded(requireSizes(host, op.getDecay(), {q[0], q[1], k[2]})) &&
               succeeded(requireSizes(host, op.getBeta(), {q[0], q[1], k[2]}));
  if (op.getRelative())
    agree =
        agree && succeeded(requireAtMost(host, q[2], k[2])) &&
        succeeded(requireSizes(host, op.getRelative(), {q[1], host.sub(host.mul(host.size(2), k[2]), host.size(1))}));
  for (Value symbol : op.getSymbols())
    agree = agree && succeeded(requireSizes(host, symbol, {q[0], q[1]}));
  return success(agree);
}

static LogicalResult requireVjpSizes(AttentionVjpOp op, HostBuilder &host) {
  Sizes rows = host.sizes(op.getQ());
  rows.back() = host.sizes(op.getV()).back();
  for (Value tensor : {op.getO(), op.getLse(), op.getDO(), op.getDLse()})
    if (failed(requireSizes(host, tensor, rows)))
      return failure();
  return requireAttentionSizes(op, host);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Requires that the vectors of a norm have the size of the last dimension of x.
static LogicalResult requireNormSizes(HostBuilder &host, Value x, ArrayRef<Value> vectors) {
  for (Value vector : vectors)
    if (failed(requireSizes(host, vector, host.sizes(x).back())))
      return failure();
  return success();
}

template <typename OpTy>
static LogicalResult requireLossSizes(OpTy op, HostBuilder &host) {
  Sizes logits = host.sizes(op.getLogits());
  return requireSizes(host, op.getTargets(), logits);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static LogicalResult requireConcatSizes(HostBuilder &host, ValueRange inputs, std::optional<int64_t> axis) {
  Sizes expected = host.sizes(inputs.front());
  for (Value input : inputs.drop_front()) {
    if (axis)
      expected[*axis] = host.sizes(input)[*axis];
    if (failed(requireSizes(host, input, expected)))
      return failure();
  }
  return success();
}

/// Returns the end of `count` elements from `first` on, `stride` apart: the last position plus 1; 0 for none.
static Size endOf(HostBuilder &host, int64_t first, int64_t stride, Size count) {
  Size steps = host.mul(host.sub(count, host.size(1)), host.size(stride));
  return host.add(host.mul(host.min(count, host.size(1)), host.size(first + 1)), host.max(steps, host.size(0)));
}

/// Requires that a slice lies within x; a dynamic size takes all that follows its offset, which may be the end.
static LogicalResult requireSliceSizes(SliceOp op, HostBuilder &host) {
  Sizes x = host.sizes(op.getX());
  for (auto [d, size] : llvm::enumerate(op.getY().getType().getShape())) {
    int64_t offset = op.getOffsets()[d];
    Size end =
        ShapedType::isDynamic(size) ? host.size(offset) : endOf(host, offset, op.getStrides()[d], host.size(size));
    if (failed(requireAtMost(host, end, x[d])))
      return failure();
  }
  return success();
}

/// Requires that a padded tensor has room for x; a dynamic size ends with the last element of x.
static LogicalResult requirePadSizes(PadOp op, HostBuilder &host) {
  Sizes x = host.sizes(op.getX());
  for (auto [d, size] : llvm::enumerate(op.getY().getType().getShape()))
    if (!ShapedType::isDynamic(size) &&
        failed(requireAtMost(host, endOf(host, op.getLow()[d], op.getStrides()[d], x[d]), host.size(size))))
      return failure();
  return success();
}

/// Requires that sizes of x other than 1 equal the result's; only dimensions of static size 1 are repeated.
static LogicalResult requireBroadcastSizes(BroadcastOp op, HostBuilder &host) {
  Sizes x = host.sizes(op.getX());
  for (auto [from, to] : llvm::zip(llvm::reverse(x), llvm::reverse(op.getY().getType().getShape())))
    if (HostBuilder::constant(from) != 1 && !ShapedType::isDynamic(to) &&
        failed(host.requireEqual(from, host.size(to))))
      return failure();
  return success();
}

/// Requires that declared result sizes equal those of the operands, which the verifier could not compare.
static LogicalResult requireResultSizes(Operation *op, HostBuilder &host) {
  if (isa<SliceOp, PadOp, BroadcastOp, ReshapeOp, arith::ConstantOp>(op))
    return success(); // rules of their own, below or where they are tiled
  for (Value result : op->getResults())
    if (failed(host.requireStaticSizes(result)))
      return failure();
  return success();
}

LogicalResult xf::requireSizesAgree(Operation *op, HostBuilder &host) {
  if (failed(requireResultSizes(op, host)))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<AttentionOp>([&](auto attention) { return requireAttentionSizes(attention, host); })
      .Case<AttentionVjpOp>([&](auto vjp) { return requireVjpSizes(vjp, host); })
      .Case<LayerNormOp>(
          [&](LayerNormOp norm) { return requireNormSizes(host, norm.getX(), {norm.getWeight(), norm.getBias()}); })
      .Case<LayerNormVjpOp, RmsNormOp, RmsNormVjpOp>(
          [&](auto norm) { return requireNormSizes(host, norm.getX(), norm.getWeight()); })
      .Case<CrossEntropyOp, CrossEntropyVjpOp>([&](auto loss) { return requireLossSizes(loss, host); })
      .Case<EmbeddingVjpOp>(
          [&](EmbeddingVjpOp vjp) { return requireSizes(host, vjp.getIds(), host.sizes(vjp.getDY())); })
      .Case<DropoutOp>([&](DropoutOp dropout) { return requireSizes(host, dropout.getSeed(), host.size(2)); })
      .Case<ConcatOp>([&](ConcatOp concat) { return requireConcatSizes(host, concat.getInputs(), concat.getAxis()); })
      .Case<StackLayersOp>(
          [&](StackLayersOp stack) { return requireConcatSizes(host, stack.getLayers(), std::nullopt); })
      .Case<PoolLayersOp>([&](PoolLayersOp pool) {
        return requireMultiple(host, host.sizes(pool.getX())[1], host.size(pool.getLayers()));
      })
      .Case<SplitHeadsOp>([&](SplitHeadsOp split) {
        return requireMultiple(host, host.sizes(split.getX())[2], host.size(split.getHeads()));
      })
      .Case<SliceOp>([&](auto slice) { return requireSliceSizes(slice, host); })
      .Case<PadOp>([&](auto pad) { return requirePadSizes(pad, host); })
      .Case<BroadcastOp>([&](auto broadcast) { return requireBroadcastSizes(broadcast, host); })
      .Default(success());
}
