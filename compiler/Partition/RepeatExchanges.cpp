//===- RepeatExchanges.cpp - Send keys again for the gradient -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before: %all = xf.exchange_rows %k ..  %o, %lse = xf.attention %q, %all, ..   ..  xf.attention_vjp %q, %all, ..
// After:  %all = xf.exchange_rows %k ..  %o, %lse = xf.attention %q, %all, ..   ..
//         %again = xf.exchange_rows %k ..  xf.attention_vjp %q, %again, ..
//
// Room for all ranks' keys and values, kept for every layer from the forward pass to its gradient, would grow with the
// length of the sequence and not with a rank's part of it. So what lives that long is the share, and its keys are sent
// twice. Where the room is small they are kept: a message costs more than the memory.
//
// Runs at the end of the stage, because equal ops are merged before.
//
//===----------------------------------------------------------------------===//

#include "compiler/Partition/Passes.h"
#include "dialects/xf/Sharding/XfRankOps.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::xf {
#define GEN_PASS_DEF_REPEATEXCHANGESPASS
#include "compiler/Partition/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
struct RepeatExchangesPass : xf::impl::RepeatExchangesPassBase<RepeatExchangesPass> {
  using RepeatExchangesPassBase::RepeatExchangesPassBase;
  void runOnOperation() override;
};
} // namespace

/// Whether the room of all ranks' rows is kept. Sizes of a call are not known to be small.
static bool isKept(RankedTensorType all, int64_t mostBytes) {
  return all.hasStaticShape() && all.getNumElements() <= mostBytes * 8 / all.getElementTypeBitWidth();
}

/// Whether some op before a gradient reads an exchange, besides the gradients of the rank's other chunks.
static bool isReadBefore(ExchangeRowsOp exchange, AttentionVjpOp vjp) {
  int64_t gradients = 0, others = 0;
  for (Operation *user : llvm::SmallPtrSet<Operation *, 4>(exchange->user_begin(), exchange->user_end()))
    if (user->isBeforeInBlock(vjp))
      ++(isa<AttentionVjpOp>(user) ? gradients : others);
  return others > 0 || gradients >= exchange.getPlan().front();
}

namespace {
/// An exchange that has been repeated, and for how many gradients more: those of a rank's chunks read one.
struct Repeated {
  Value all;
  int64_t left = 0;
};
} // namespace

/// Gives a gradient its own exchanges. Keys that are values too stay one.
static void repeatExchanges(AttentionVjpOp vjp, int64_t mostBytes, DenseMap<Operation *, Repeated> &repeated) {
  for (unsigned number : {1, 2}) {
    Value all = vjp->getOperand(number);
    auto exchange = all.getDefiningOp<ExchangeRowsOp>();
    if (!exchange || isKept(exchange.getType(), mostBytes) || !isReadBefore(exchange, vjp))
      continue;
    Repeated &again = repeated[exchange];
    if (again.left == 0)
      again = {OpBuilder(vjp).clone(*exchange)->getResult(0), exchange.getPlan().front()};
    --again.left;
    vjp->replaceUsesOfWith(all, again.all);
  }
}

void RepeatExchangesPass::runOnOperation() {
  DenseMap<Operation *, Repeated> repeated;
  for (AttentionVjpOp vjp : llvm::to_vector(getOperation().getOps<AttentionVjpOp>()))
    repeatExchanges(vjp, keptBytes, repeated);
}
