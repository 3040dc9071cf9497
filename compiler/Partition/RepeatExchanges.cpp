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

/// Whether some op before `op` reads `value`.
static bool isReadBefore(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) { return user->isBeforeInBlock(op); });
}

/// Gives a gradient its own exchanges. Keys that are values too stay one.
static void repeatExchanges(AttentionVjpOp vjp, int64_t mostBytes) {
  for (unsigned number : {1, 2}) {
    Value all = vjp->getOperand(number);
    auto exchange = all.getDefiningOp<ExchangeRowsOp>();
    if (!exchange || isKept(exchange.getType(), mostBytes) || !isReadBefore(all, vjp))
      continue;
    Value again = OpBuilder(vjp).clone(*exchange)->getResult(0);
    vjp->replaceUsesOfWith(all, again);
  }
}

void RepeatExchangesPass::runOnOperation() {
  for (AttentionVjpOp vjp : llvm::to_vector(getOperation().getOps<AttentionVjpOp>()))
    repeatExchanges(vjp, keptBytes);
}
