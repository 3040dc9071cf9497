//===- RepeatExchanges.cpp - Send keys again for the gradient -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Repeats exchanges of keys and values for gradients, so that no rank keeps the keys of all ranks from the forward pass
// to the gradient.
//
//   Before: %all = xf.exchange_rows %k ..  %o, %lse = xf.attention %q, %all, ..   ..  xf.attention_vjp %q, %all, ..
//   After:  %all = xf.exchange_rows %k ..  %o, %lse = xf.attention %q, %all, ..   ..
//           %again = xf.exchange_rows %k ..  xf.attention_vjp %q, %again, ..
//
// Kept for every layer, the keys of all ranks would need memory that grows with the whole sequence. With a second
// exchange, only the rank's own keys are kept. If the keys of all ranks are few bytes they are kept, because a message
// costs more than this memory.
//
// Runs at the end of the stage. Before that, equal ops are merged, which would undo the second exchange.
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

/// Returns whether the rows of all ranks, a tensor of type `all`, are kept from the forward pass to the gradient,
/// instead of being exchanged again. They are kept if they have at most `mostBytes` bytes. A dynamic number of rows may
/// be large, so such rows are not kept.
static bool isKept(RankedTensorType all, int64_t mostBytes) {
  return all.hasStaticShape() && all.getNumElements() <= mostBytes * 8 / all.getElementTypeBitWidth();
}

namespace {
/// What gradients read in place of the result of one exchange. `all` is the result of the exchange or of its last copy.
/// `last` is the last gradient that reads `all`.
struct Room {
  Value all;
  AttentionVjpOp last;
};
} // namespace

/// Returns whether `vjp`, an op after `other`, may read the keys that `other` reads: no attention on other keys comes
/// between the two. This is so for the gradients of a rank's chunks, and for the gradients of its queries and of its
/// keys.
static bool follows(AttentionVjpOp vjp, AttentionVjpOp other) {
  for (Operation *op = other->getNextNode(); op != vjp; op = op->getNextNode())
    if (isa<AttentionOp, AttentionVjpOp>(op) && op->getOperand(1) != other->getOperand(1))
      return false;
  return true;
}

static bool isReadBefore(Operation *exchange, AttentionVjpOp vjp) {
  return llvm::any_of(exchange->getUsers(), [&](Operation *user) { return user->isBeforeInBlock(vjp); });
}

/// Makes `vjp` read repeated exchanges of keys and values. If `vjp` follows another gradient (follows), both read the
/// same. Otherwise, the exchanges are copied. Exchanges of at most `mostBytes` bytes are not repeated. A tensor that is
/// both keys and values is exchanged once. `rooms` has what gradients have read so far, for each exchange.
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
