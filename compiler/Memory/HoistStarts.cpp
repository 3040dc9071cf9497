//===- HoistStarts.cpp - Sending to other ranks as early as can be --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before: xft.launch @q ..   xft.launch @k(%k)   %t = xft.collective exchange .. %k, %all   xft.wait %t   @attend(%all)
// After:  xft.launch @k(%k)   %t = xft.collective exchange .. %k, %all   xft.launch @q ..   xft.wait %t   @attend(%all)
//
// Moves steps behind the start of a collective that does not need them, so that they run while messages travel. For
// example, queries are projected while keys travel, and the gradient that the layer before needs is computed while the
// gradient of a weight is summed.
//
// Looks at the steps between a collective and the collective or wait before it. Moves a step behind at most two starts
// (those of keys and of values), because the buffers that the step reads live until it runs. Leaves a step where it is
// if it writes what another one reads or writes, or may do so: a result may be written into an argument's memory, under
// another name. Only a kernel shows which of its operands it writes, so this pass runs on the module, which has the
// kernels.
//
// Runs after xf-sink-waits, which moves waits away from starts.
//
//===----------------------------------------------------------------------===//

#include "compiler/Memory/Passes.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {
#define GEN_PASS_DEF_HOISTSTARTSPASS
#include "compiler/Memory/Passes.h.inc"
} // namespace mlir::xf

using namespace mlir;
using namespace mlir::xf;

namespace {
struct HoistStartsPass : xf::impl::HoistStartsPassBase<HoistStartsPass> {
  void runOnOperation() override;
};

/// The buffers that a set of steps reads and writes. All arguments count as one buffer, because they may share memory
/// with results.
class Buffers {
public:
  explicit Buffers(SymbolTableCollection &kernels) : kernels(kernels) {}

  void add(xft::HostStep step) {
    for (Value buffer : step.getReadBuffers())
      read.insert(keyOf(buffer));
    for (Value buffer : writtenBy(step))
      written.insert(keyOf(buffer));
  }
  /// Returns whether `step`, which runs before these steps, must remain before them.
  bool order(xft::HostStep step) const {
    return llvm::any_of(step.getReadBuffers(), [&](Value buffer) { return written.contains(keyOf(buffer)); }) ||
           llvm::any_of(writtenBy(step),
                        [&](Value buffer) { return written.contains(keyOf(buffer)) || read.contains(keyOf(buffer)); });
  }

private:
  static void *keyOf(Value buffer) {
    Value root = xft::rootOf(buffer);
    return isa<BlockArgument>(root) ? nullptr : root.getAsOpaquePointer();
  }
  SmallVector<Value> writtenBy(xft::HostStep step) const;

  SymbolTableCollection &kernels;
  DenseSet<void *> read, written;
};
} // namespace

/// Returns true if a kernel certainly does not write its argument `buffer`: only products (xft.contract) and columns
/// (xft.cols) use it, and none as an output. Returns false if another op uses it.
static bool isRead(BlockArgument buffer) {
  auto isOneOf = [&](ValueRange buffers) { return llvm::is_contained(buffers, buffer); };
  return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
    if (auto product = dyn_cast<xft::ContractOp>(user))
      return !isOneOf(product.getOuts());
    auto columns = dyn_cast<xft::ColsOp>(user);
    return columns && !isOneOf(columns.getOuts()) && !isOneOf(columns.getAccs());
  });
}

/// Returns the buffers that `step` may write. A launch lists all buffers of its kernel, so this returns only those that
/// the kernel may write.
SmallVector<Value> Buffers::writtenBy(xft::HostStep step) const {
  SmallVector<Value> buffers = step.getWrittenBuffers();
  auto launch = dyn_cast<xft::LaunchOp>(step.getOperation());
  if (!launch)
    return buffers;
  auto kernel = kernels.lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal())
    return buffers;
  buffers.clear();
  for (auto [number, actual] : llvm::enumerate(launch.getActuals()))
    if (isa<MemRefType>(actual.getType()) && !isRead(kernel.getArgument(xft::kernelPrefix + number)))
      buffers.push_back(actual);
  return buffers;
}

/// Moves launches that `collective` does not need from before `collective` to after it, and keeps the order of the
/// launches. `moves` counts how often each launch was moved.
static void hoistStart(xft::CollectiveOp collective, SymbolTableCollection &kernels,
                       DenseMap<Operation *, unsigned> &moves) {
  constexpr unsigned mostMoves = 2;
  Buffers needed(kernels);
  needed.add(cast<xft::HostStep>(collective.getOperation()));
  Operation *before = nullptr;
  for (Operation *op = collective->getPrevNode(); op; op = before) {
    before = op->getPrevNode();
    auto step = dyn_cast<xft::HostStep>(op);
    if (!step)
      continue;
    if (isa<xft::CollectiveOp, xft::WaitOp>(op))
      break;
    if (needed.order(step) || !isa<xft::LaunchOp>(op) || moves.lookup(op) == mostMoves) {
      needed.add(step);
      continue;
    }
    ++moves[op];
    op->moveAfter(collective); // and before those that were moved already, which came behind it
  }
}

void HoistStartsPass::runOnOperation() {
  SymbolTableCollection kernels; // of all programs: kernels are functions beside them
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    DenseMap<Operation *, unsigned> moves;
    for (xft::CollectiveOp collective : llvm::to_vector(function.getOps<xft::CollectiveOp>()))
      if (collective.getKind() != xft::CollectiveKind::all_slice)
        hoistStart(collective, kernels, moves);
  }
}
