//===- FuseEpilogues.cpp - Fuse maps into product epilogues ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses maps into the epilogues of the products that they read. A map costs least while an element of the product is
// still in a register. In 16-bit types, the fused form also rounds less often: the scalars of the map have the
// accumulator's type, and only its conversions round.
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Maps.h"
#include "compiler/Fuse/Patterns.h"
#include "compiler/Support/WidenedScalars.h"
#include "dialects/xf/Ops/XfReplacedArguments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xf;

/// The largest number of extra operands, and also of results, of a fused product. A kernel keeps an address for each of
/// them.
static constexpr size_t maxExtras = 6;
static constexpr size_t maxResults = 2;

/// Returns the last product in the block of `map` that the map reads, and whose result has the shape of the map's
/// result. Returns null if there is none.
static ProductOp lastProduct(MapOp map) {
  ProductOp last;
  for (Value input : map.getInputs()) {
    auto product = input.getDefiningOp<ProductOp>();
    if (!product || product->getBlock() != map->getBlock() ||
        cast<RankedTensorType>(input.getType()).getShape() != map.getType().getShape())
      continue;
    if (!last || last->isBeforeInBlock(product))
      last = product;
  }
  return last;
}

/// Returns whether `map` computes in the type `accumulator`. For this, inputs and result must be floating-point
/// numbers, and `accumulator` must be the accumulator type of these and of all floating-point scalars in the region.
static bool computesIn(FloatType accumulator, MapOp map) {
  auto isComputed = [&](Type type) { return isa<FloatType>(type) && accumulatorType(type) == accumulator; };
  auto fits = [&](Type type) { return !isa<FloatType>(type) || isComputed(type); };
  return llvm::all_of(map.getBody().getArgumentTypes(), isComputed) && isComputed(map.getType().getElementType()) &&
         llvm::all_of(map.getBody().front().without_terminator(),
                      [&](Operation &op) { return llvm::all_of(op.getResultTypes(), fits); });
}

/// Clones the epilogue of a product on `scalars`, and returns the values that the clone yields.
static SmallVector<Value> cloneEpilogue(OpBuilder &builder, ProductOp product, ValueRange scalars) {
  IRMapping mapping;
  Block &body = product.getEpilogue().front();
  mapping.map(body.getArguments(), scalars);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(mapping.lookup(value));
  return yielded;
}

/// Returns the op before which to insert the fused op. `others` are the inputs of `map` that are not the product.
/// Returns `product` if all of them are defined before the product. Returns `map` if only views and constants, which
/// may define such inputs, lie between the product and the map. Otherwise returns null: moving the product further down
/// would extend the lifetimes of its factors, which costs more than a pass over the result.
static Operation *findPlace(ProductOp product, MapOp map, ValueRange others) {
  Block *block = map->getBlock();
  bool ready = llvm::all_of(others, [&](Value other) {
    Operation *definition = other.getDefiningOp();
    return !definition || definition->getBlock() != block || definition->isBeforeInBlock(product);
  });
  if (ready)
    return product;
  for (Operation *between = product->getNextNode(); between != map; between = between->getNextNode())
    if (!isa<ReshapeOp, BroadcastOp, arith::ConstantOp>(between) ||
        llvm::any_of(between->getOperands(), [&](Value operand) { return operand.getDefiningOp() == product; }))
      return nullptr;
  return map;
}

namespace {
/// Rewrites map(product(a, b) { f }, y) { g } to product(a, b, y) { g(f) }. If other ops read the product too, the
/// fused product yields both f and g(f).
struct FuseEpilogue : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp map, PatternRewriter &rewriter) const override {
    ProductOp product = lastProduct(map);
    if (!product)
      return rewriter.notifyMatchFailure(map, "expected an input of its shape that is a product");
    FloatType accumulator = accumulatorType(product.getA().getType().getElementType());
    if (!computesIn(accumulator, map))
      return rewriter.notifyMatchFailure(map, "expected scalars that the accumulator's type holds");
    if (Value replaced = replacedArgument(map.getY()); llvm::is_contained(map.getInputs(), replaced))
      return rewriter.notifyMatchFailure(map, "expected no update in place, which only a map can be");
    SmallVector<Value> others;
    for (Value input : map.getInputs())
      if (input.getDefiningOp() != product)
        others.push_back(input);
    SmallVector<unsigned> kept; // results that other ops read
    for (OpResult result : product->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return user != map; }))
        kept.push_back(result.getResultNumber());
    if (product.getExtras().size() + others.size() > maxExtras || kept.size() + 1 > maxResults)
      return rewriter.notifyMatchFailure(map, "expected fewer operands or results");
    Operation *place = findPlace(product, map, others);
    if (!place)
      return rewriter.notifyMatchFailure(map, "expected the other inputs before the product");
    rewriter.setInsertionPoint(place);
    join(product, map, others, kept, rewriter);
    return success();
  }

  static void join(ProductOp product, MapOp map, ValueRange others, ArrayRef<unsigned> kept,
                   PatternRewriter &rewriter) {
    SmallVector<Value> extras(product.getExtras());
    llvm::append_range(extras, others);
    SmallVector<Type> types;
    for (unsigned number : kept)
      types.push_back(product.getResult(number).getType());
    types.push_back(map.getType());
    auto epilogue = [&](OpBuilder &builder, ValueRange scalars) {
      size_t next = 1 + product.getExtras().size();
      SmallVector<Value> first = cloneEpilogue(builder, product, scalars.take_front(next)), inputs, yielded;
      for (Value input : map.getInputs())
        inputs.push_back(input.getDefiningOp() == product ? first[cast<OpResult>(input).getResultNumber()]
                                                          : scalars[next++]);
      for (unsigned number : kept)
        yielded.push_back(first[number]);
      yielded.push_back(buildWidenedElement(builder, map.getBody().front(), inputs));
      return yielded;
    };
    Location loc = rewriter.getFusedLoc({product.getLoc(), map.getLoc()});
    auto joined = ProductOp::create(rewriter, loc, types, product.getA(), product.getTransposeA(), product.getB(),
                                    product.getTransposeB(), extras, epilogue);
    for (auto [position, number] : llvm::enumerate(kept))
      rewriter.replaceAllUsesWith(product.getResult(number), joined.getResult(position));
    rewriter.replaceOp(map, joined->getResults().back());
    rewriter.eraseOp(product);
  }
};
} // namespace

void xf::populateFuseEpilogues(RewritePatternSet &patterns) { patterns.add<FuseEpilogue>(patterns.getContext()); }
