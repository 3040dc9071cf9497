//===- LaunchWork.cpp - The work of the launches of an attention ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/LaunchWork.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "dialects/xf/IR/XfPieces.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the op that walks the pairs of an attention in the kernel of `launch`, or null if the kernel has none.
static Operation *pairsOp(xft::LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal())
    return nullptr;
  for (Operation &op : kernel.getBody().front())
    if (isa<xft::ScanOp, xft::ScanVjpOp>(op) || op.hasAttrOfType<xft::QueryOrderAttr>("order"))
      return &op;
  return nullptr;
}

/// Returns the number of pairs that a kernel walks in one batch entry, or nullopt if it is unknown.
static std::optional<double> pairsOf(Operation *kernel, ArrayRef<int64_t> q, ArrayRef<int64_t> k) {
  auto order = kernel->getAttrOfType<xft::QueryOrderAttr>("order");
  if (!order || order.getTiles())
    return std::nullopt;
  auto pieces = llvm::to_vector(order.getPieces().getAsRange<PieceAttr>());
  std::optional<AttentionWork> work = countWork(pieces, q[2], k[2], /*rows=*/1, /*wholeColumns=*/1);
  if (!work)
    return std::nullopt;
  return work->pairs * double(llvm::divideCeil(q[1] - order.getFirstHead(), order.getHeadStep()));
}

/// Divides `flop` operations among the launches that follow the step `last` in `host` or, if `last` is null, among all
/// launches of `host`. Only launches whose kernels walk pairs get operations, in proportion to the numbers of pairs. If
/// one of several such launches has an unknown number of pairs, leaves all launches as they are. `q` and `k` are the
/// shapes of queries and keys.
static void divide(double flop, Block &host, Operation *last, ArrayRef<int64_t> q, ArrayRef<int64_t> k) {
  SmallVector<std::pair<xft::LaunchOp, Operation *>> launches;
  for (Operation *step = last ? last->getNextNode() : &host.front(); step; step = step->getNextNode())
    if (auto launch = dyn_cast<xft::LaunchOp>(step))
      if (Operation *pairs = pairsOp(launch))
        launches.push_back({launch, pairs});
  SmallVector<double> weights;
  double sum = 0;
  for (auto &[launch, pairs] : launches) {
    std::optional<double> weight = launches.size() == 1 ? 1 : pairsOf(pairs, q, k);
    if (!weight)
      return;
    weights.push_back(*weight);
    sum += *weight;
  }
  for (auto [launch, weight] : llvm::zip(llvm::make_first_range(launches), weights))
    launch->setAttr(xft::flopAttrName,
                    Builder(launch.getContext()).getF64FloatAttr(sum == 0 ? 0 : flop * weight / sum));
}

LogicalResult xf::tileWithFlop(HostBuilder &host, RankedTensorType q, RankedTensorType k,
                               function_ref<LogicalResult()> tile) {
  Block &steps = *host.b.getInsertionBlock();
  Operation *last = steps.empty() ? nullptr : &steps.back();
  double counted = host.countedFlop();
  if (failed(tile()))
    return failure();
  if (double flop = host.countedFlop() - counted; flop > 0)
    divide(flop, steps, last, q.getShape(), k.getShape());
  return success();
}
