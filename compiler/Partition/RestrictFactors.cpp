//===- RestrictFactors.cpp - Over which factors ops can be shared ---------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the dimension factors of an op that ranks cannot share, and removes their axes. For example, if an op reads the
// index of a batch entry, every rank computes all batch entries: on a rank's share, the index would count from 0. The
// same holds for heads.
//
// Ranks share the tokens of attention in two cases: a plan says which keys each rank needs (ExchangePlan.h), or a rank
// needs only sums over keys from the others (StateShare.cpp). Otherwise ranks share heads, if there are enough. Each
// rank then has all tokens of some heads.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/ExchangePlan.h"
#include "compiler/Partition/ShareOps.h"
#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// Whether the value of a pair depends on the index of its batch entry or of its head, not only on its query and key.
struct Dependence {
  bool onBatch = false, onHead = false;
};
} // namespace

static int64_t rankOf(Value value) { return cast<RankedTensorType>(value.getType()).getRank(); }

/// Returns whether a solved attention has different pairs in different heads.
static bool differsByHead(Operation *op) {
  auto solutions = op->getAttrOfType<ArrayAttr>(kSolutionAttrName);
  if (!solutions)
    return false;
  bool differs = solutions.size() > 1;
  solutions.walk([&](DatumAttr datum) { differs |= datum.getHeads() != 1; });
  return differs;
}

template <typename OpTy>
static Dependence dependenceOf(OpTy op) {
  Dependence found;
  if (Region &score = op.getScore(); !score.empty()) {
    found.onBatch = !score.getArgument(1).use_empty();
    found.onHead = !score.getArgument(2).use_empty();
  }
  if (auto vjp = dyn_cast<AttentionVjpOp>(op.getOperation()); vjp && !vjp.getDerivative().empty()) {
    found.onBatch |= !vjp.getDerivative().getArgument(1).use_empty();
    found.onHead |= !vjp.getDerivative().getArgument(2).use_empty();
  }
  found.onBatch |= op.getDropout().has_value() || op.getDecay() || op.getBeta();
  found.onHead |= found.onBatch && (op.getDropout() || op.getDecay() || op.getBeta());
  found.onHead |= bool(op.getRelative()) || differsByHead(op);
  for (Value parameters : op.getParams())
    found.onHead |= rankOf(parameters) > 2;
  for (Value symbol : op.getSymbols()) {
    found.onBatch |= rankOf(symbol) >= 1;
    found.onHead |= rankOf(symbol) >= 2;
  }
  if (op.getTableColumns()) {
    found.onBatch |= rankOf(op.getTableColumns()) >= 3;
    found.onHead |= rankOf(op.getTableColumns()) >= 4;
  }
  return found;
}

/// Returns whether the number of heads of q, of k and of v is a multiple of `ranks`.
static bool haveHeads(Operation *op, int64_t ranks) {
  return llvm::all_of(op->getOperands().take_front(3), [&](Value value) {
    int64_t heads = cast<RankedTensorType>(value.getType()).getDimSize(1);
    return !ShapedType::isDynamic(heads) && heads % ranks == 0;
  });
}

bool xf::canShareHeads(Operation *attention, int64_t ranks) {
  bool dependsOnHead = llvm::TypeSwitch<Operation *, bool>(attention).Case<AttentionOp, AttentionVjpOp>(
      [](auto op) { return dependenceOf(op).onHead; });
  return !hasKeysOrder(attention) && !dependsOnHead && haveHeads(attention, ranks);
}

template <typename OpTy>
static StringRef restrictAttention(OpTy op, MeshAttr mesh, bool sharesQueries, FactorShardings &assigned) {
  Dependence depends = dependenceOf(op);
  StringRef why;
  if (depends.onBatch && assigned.erase('b'))
    why = "what it computes depends on the number of the batch entry";
  if (depends.onHead && assigned.erase('h'))
    why = "what it computes depends on the number of the head";
  bool keepsOrder = hasKeysOrder(op);
  if (keepsOrder && assigned.erase('h')) // kernels divide the work of as many heads as they have
    why = "in the order `keys` ranks do not share heads";
  DimSharding heads = assigned.lookup('h'), tokens = assigned.lookup('s');
  if (!tokens.isWhole()) {
    SmallVector<Attribute> axes;
    if (!heads.isWhole())
      llvm::append_range(axes, heads.axes);
    llvm::append_range(axes, tokens.axes);
    DimSharding shared = {ArrayAttr::get(mesh.getContext(), axes), tokens.origin};
    bool dividesHeads = canShareHeads(op, ranksOf(mesh, shared.axes));
    bool keepsHeads = heads.isWhole() || haveHeads(op, ranksOf(mesh, heads.axes));
    bool keepsTokens = (sharesQueries && exchangesKeys(op, mesh, tokens, dividesHeads)) ||
                       (!keepsOrder && sendsStates(op, mesh, tokens, dividesHeads));
    if (keepsHeads && tokens.counted.empty() && keepsTokens)
      return why;
    assigned.erase('s');
    if (keepsOrder)
      return "no plan has its pairs";
    if (tokens.chunks > 1)
      return "ranks share neither its queries nor, of tokens in zigzag chunks, its heads";
    if (!dividesHeads)
      return sharesQueries || op->hasAttr(kKernelSumAttrName)
                 ? "no plan has its pairs, and the ranks do not divide its heads"
                 : "the target has no kernels for a part of the queries, and the ranks do not divide its heads";
    assigned['h'] = shared;
  }
  if (DimSharding all = assigned.lookup('h'); !all.isWhole() && !haveHeads(op, ranksOf(mesh, all.axes))) {
    assigned.erase('h');
    return "the ranks do not divide its heads";
  }
  return why;
}

/// Removes from `assigned` the axes of each dimension along which the stride of a slice does not divide a rank's part.
/// Returns the reason, or an empty text if it removes none.
static StringRef restrictSlice(SliceOp op, MeshAttr mesh, FactorShardings &assigned) {
  StringRef why;
  for (auto [d, stride] : llvm::enumerate(op.getStrides())) {
    DimSharding dim = assigned.lookup(int(d));
    if (stride == 1 || dim.isWhole() || op.getX().getType().getDimSize(d) % (partsOf(mesh, dim) * stride) == 0)
      continue;
    assigned.erase(int(d));
    why = "its stride does not divide what a rank has";
  }
  return why;
}

StringRef xf::restrictFactors(Operation *op, MeshAttr mesh, bool sharesQueries, FactorShardings &assigned) {
  if (auto attention = dyn_cast<AttentionOp>(op))
    return restrictAttention(attention, mesh, sharesQueries, assigned);
  if (auto attention = dyn_cast<AttentionVjpOp>(op))
    return restrictAttention(attention, mesh, sharesQueries, assigned);
  if (auto slice = dyn_cast<SliceOp>(op))
    return restrictSlice(slice, mesh, assigned);
  if (isa<DropoutOp>(op) && !assigned.empty()) {
    assigned.clear();
    return "which elements it drops depends on their numbers";
  }
  if (isa<SplitHeadsOp>(op) && hasKeysOrder(op)) // whatever heads their number divides
    return assigned.erase('h') ? "in the order `keys` ranks do not share heads" : "";
  if (auto split = dyn_cast<SplitHeadsOp>(op))
    if (DimSharding heads = assigned.lookup('h');
        !heads.isWhole() && split.getHeads() % ranksOf(mesh, heads.axes) != 0) {
      assigned.erase('h');
      return "the ranks do not divide its heads";
    }
  return "";
}
