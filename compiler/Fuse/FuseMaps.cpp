//===- FuseMaps.cpp - Fuse maps with maps ---------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Fuse/Maps.h"
#include "compiler/Fuse/Patterns.h"

using namespace mlir;
using namespace mlir::xf;

/// The largest number of inputs of a fused map. With more inputs, the kernel would have to spill their addresses from
/// registers.
static constexpr size_t maxInputs = 16;

/// The largest number of inputs with the shape of the result that a fused map may have, if it must wait for one of
/// them: all others are then kept in memory until the last one is computed. For a longer sum, such as a gradient with a
/// term from every block of a model, adding up term by term is better.
static constexpr size_t maxWaiting = 4;

/// The largest number of operations in the region of a fused map. If a region is longer, one more pass over memory
/// costs little in comparison. The limit also keeps compile time linear in the length of a chain of maps.
static constexpr size_t maxOperations = 128;

static bool hasOneUser(MapOp map) {
  return llvm::all_of(map->getUsers(), [&](Operation *user) { return user == *map->user_begin(); });
}

/// Returns whether every reader of `producer` may recompute the elements of the producer, so that its result need not
/// be stored. The producer must be cheap, and it must read no more memory than its result takes. Every reader must be a
/// map of the same shape. Returns false if the producer can become the epilogue of a product that has no other reader.
static bool mayRepeat(MapOp producer) {
  SmallVector<Value> full = fullSizeInputs(producer);
  if (!isCheap(producer) || full.size() > 1)
    return false;
  if (full.size() == 1 && full.front().hasOneUse() && isa_and_present<LinearOp, MatmulOp>(full.front().getDefiningOp()))
    return false;
  return llvm::all_of(producer->getUsers(), [&](Operation *user) {
    auto reader = dyn_cast<MapOp>(user);
    return reader && reader.getType().getShape() == producer.getType().getShape();
  });
}

/// Returns the product that only `map` reads, so that the map can become its epilogue. Returns null if there is none.
static Operation *ownProduct(MapOp map) {
  for (Value input : map.getInputs()) {
    Operation *product = input.getDefiningOp();
    if (input.hasOneUse() && isa_and_present<LinearOp, MatmulOp>(product) &&
        cast<RankedTensorType>(input.getType()).getShape() == map.getType().getShape())
      return product;
  }
  return nullptr;
}

/// Returns whether `producer` should become the epilogue of a product before it is fused with `consumer`. This is so if
/// `consumer` also reads tensors that are computed after the product: the fused map would need these tensors, and so
/// could not become the epilogue. Then a sum of many products is accumulated in one buffer.
static bool belongsToProduct(MapOp producer, MapOp consumer) {
  Operation *product = ownProduct(producer);
  return product && llvm::any_of(fullSizeInputs(consumer), [&](Value input) {
           Operation *definition = input.getDefiningOp();
           return definition && definition != producer && definition->getBlock() == product->getBlock() &&
                  product->isBeforeInBlock(definition);
         });
}

/// Returns whether some input of `consumer` is computed after `producer`. Only considers inputs that have the shape of
/// the consumer's result.
static bool waits(MapOp producer, MapOp consumer) {
  return llvm::any_of(fullSizeInputs(consumer), [&](Value input) {
    Operation *definition = input.getDefiningOp();
    return definition && definition->getBlock() == producer->getBlock() && producer->isBeforeInBlock(definition);
  });
}

static bool pays(MapOp producer, MapOp consumer) {
  if (belongsToProduct(producer, consumer))
    return false;
  size_t together = fullSizeInputs(producer).size() + fullSizeInputs(consumer).size() - 1;
  if (together > maxWaiting && waits(producer, consumer))
    return false;
  bool sameShape = producer.getType().getShape() == consumer.getType().getShape();
  if (!sameShape && !isCheap(producer)) // each element would be recomputed for every copy
    return false;
  return hasOneUser(producer) || mayRepeat(producer);
}

namespace {
/// Rewrites map(map(x) { f }, y) { g } to map(x, y) { g(f) }, if pays() says that this is faster.
struct FuseMaps : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp consumer, PatternRewriter &rewriter) const override {
    for (Value input : consumer.getInputs()) {
      auto producer = input.getDefiningOp<MapOp>();
      if (producer && producer->getBlock() == consumer->getBlock() && pays(producer, consumer) &&
          succeeded(fuse(producer, consumer, rewriter)))
        return success();
    }
    return rewriter.notifyMatchFailure(consumer, "expected an input that is a map and worth taking in");
  }

  static LogicalResult fuse(MapOp producer, MapOp consumer, PatternRewriter &rewriter) {
    size_t operations = llvm::range_size(producer.getBody().getOps()) + llvm::range_size(consumer.getBody().getOps());
    if (operations > maxOperations)
      return failure();
    SmallVector<Value> inputs(producer.getInputs());
    for (Value input : consumer.getInputs())
      if (input != producer.getY())
        inputs.push_back(input);
    if (inputs.size() > maxInputs || !determineShape(inputs, consumer.getType()))
      return failure();
    auto element = [&](OpBuilder &builder, ValueRange scalars) {
      size_t count = producer.getInputs().size();
      Value inner = producer.buildScalar(builder, producer.getLoc(), scalars.take_front(count));
      SmallVector<Value> outer;
      for (Value input : consumer.getInputs())
        outer.push_back(input == producer.getY() ? inner : scalars[count++]);
      return consumer.buildScalar(builder, consumer.getLoc(), outer);
    };
    Location loc = rewriter.getFusedLoc({producer.getLoc(), consumer.getLoc()});
    auto fused = MapOp::create(rewriter, loc, consumer.getType(), inputs, element);
    rewriter.replaceOp(consumer, fused);
    if (producer->use_empty()) // at once, so that what it reads has one user less
      rewriter.eraseOp(producer);
    return success();
  }
};
} // namespace

void xf::populateFuseMaps(RewritePatternSet &patterns) { patterns.add<FuseMaps>(patterns.getContext()); }
