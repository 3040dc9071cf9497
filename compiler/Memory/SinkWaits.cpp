//===- SinkWaits.cpp - Waiting for other ranks as late as can be ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before: %t = xft.collective all_reduce .. %part, %sum   xft.wait %t   xft.launch @other ..   xft.launch @reads(%sum)
// After:  %t = xft.collective all_reduce .. %part, %sum   xft.launch @other ..   xft.wait %t   xft.launch @reads(%sum)
//
// Moves a wait behind all steps that touch no buffer of its collective, so that these steps run while messages travel.
// For example, the gradients of a layer are summed while the layer before it is differentiated. Waits for the same
// buffer keep their order. All ranks run the same steps, so they still start and wait for messages in the same order.
//
// Leaves waits of all_slice where they are, since no messages travel. If a collective sends an argument, its wait stays
// before the first step that writes a result. The result may be written into the argument's memory under another name,
// while the rank's own part is still read from it.
//
// Runs before the arena is planned, because buffers live until the wait.
//
//===----------------------------------------------------------------------===//

#include "compiler/Memory/Passes.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {
#define GEN_PASS_DEF_SINKWAITSPASS
#include "compiler/Memory/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
struct SinkWaitsPass : xf::impl::SinkWaitsPassBase<SinkWaitsPass> {
  void runOnOperation() override;
};
} // namespace

/// Returns whether `step` may read or write a buffer that `collective` sends or receives, or may write another buffer
/// that `collective` reads, such as segments.
static bool touches(xft::HostStep step, xft::CollectiveOp collective) {
  Value send = xft::rootOf(collective.getSend()), receive = xft::rootOf(collective.getReceive());
  auto isBuffer = [&](Value buffer) {
    Value root = xft::rootOf(buffer);
    return root == send || root == receive;
  };
  auto isRead = [&](Value buffer) {
    Value root = xft::rootOf(buffer);
    return llvm::any_of(collective.getReadBuffers(), [&](Value read) {
      Value from = xft::rootOf(read);
      return root == from || (isa<BlockArgument>(from) && isa<BlockArgument>(root));
    });
  };
  return llvm::any_of(step.getReadBuffers(), isBuffer) || llvm::any_of(step.getWrittenBuffers(), isBuffer) ||
         llvm::any_of(step.getWrittenBuffers(), isRead);
}

static bool mayMove(xft::CollectiveOp collective) { return collective.getKind() != xft::CollectiveKind::all_slice; }

static void sinkWait(xft::WaitOp wait) {
  Operation *next = wait->getNextNode();
  while (next && !next->hasTrait<OpTrait::IsTerminator>()) {
    if (auto step = dyn_cast<xft::HostStep>(next); step && touches(step, wait.getCollective()))
      break;
    next = next->getNextNode();
  }
  wait->moveBefore(next);
}

void SinkWaitsPass::runOnOperation() {
  for (xft::WaitOp wait : llvm::to_vector(getOperation().getOps<xft::WaitOp>()))
    if (mayMove(wait.getCollective()))
      sinkWait(wait);
}
