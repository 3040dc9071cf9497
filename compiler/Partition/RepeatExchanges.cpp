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

/// Returns whether exchanged rows of all ranks, `all`, are kept for the gradient. Rows are not kept if their number is
/// dynamic, because they may be many.
static bool isKept(RankedTensorType all, int64_t mostBytes) {
  return all.hasStaticShape() && all.getNumElements() <= mostBytes * 8 / all.getElementTypeBitWidth();
}

namespace {
/// The result of an exchange that is repeated for gradients, and the last gradient that reads it.
struct Room {
  Value all;
  AttentionVjpOp last;
};
} // namespace

/// Returns whether `vjp` follows `other` without an attention on other keys between them. The gradients of a rank's
/// chunks follow each other, and so do the gradients of its queries and of its keys.
static bool follows(AttentionVjpOp vjp, AttentionVjpOp other) {
  for (Operation *op = other->getNextNode(); op != vjp; op = op->getNextNode())
    if (isa<AttentionOp, AttentionVjpOp>(op) && op->getOperand(1) != other->getOperand(1))
      return false;
  return true;
}

static bool isReadBefore(Operation *exchange, AttentionVjpOp vjp) {
  return llvm::any_of(exchange->getUsers(), [&](Operation *user) { return user->isBeforeInBlock(vjp); });
}

/// Gives a gradient exchanges of its own, or those of the gradient that it follows. A tensor that is both keys and
/// values is exchanged once.
static void repeatExchanges(AttentionVjpOp vjp, int64_t mostBytes, DenseMap<Operation *, Room> &rooms) {
  for (unsigned number : {1, 2}) {
    Value all = vjp->getOperand(number);
    auto exchange = all.getDefiningOp<ExchangeRowsOp>();
    if (!exchange || isKept(exchange.getType(), mostBytes))
      continue;
    Room &room = rooms[exchange];
    if (room.last == vjp) // keys that are values
      continue;
    if (!room.last || !follows(vjp, room.last))
      room.all = isReadBefore(exchange, vjp) ? OpBuilder(vjp).clone(*exchange)->getResult(0) : all;
    room.last = vjp;
    vjp->replaceUsesOfWith(all, room.all);
  }
}

void RepeatExchangesPass::runOnOperation() {
  DenseMap<Operation *, Room> rooms;
  for (AttentionVjpOp vjp : llvm::to_vector(getOperation().getOps<AttentionVjpOp>()))
    repeatExchanges(vjp, keptBytes, rooms);
}
