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
// A wait moves behind all steps that touch neither of its collective's buffers, so that these run while messages
// travel: the sum of a layer's gradients while the layer before it is differentiated. Waits keep their order where one
// buffer orders them, and all ranks run the same steps, so that messages are still started and waited for alike.
//
// Left alone are waits for parts that nobody sends (all_slice). What is sent from an argument is waited for before the
// first result is written: that may be into the argument's memory, under another name, while the rank's own part is
// still read from it.
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

/// Returns whether a step may read or write a buffer that the collective sends or receives, or write one that it reads,
/// such as segments.
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
