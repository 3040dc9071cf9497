//===- TileScanVjp.cpp - Gradients of kernelised attention as launches ----===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %dq, %dk, %dv = xf.attention_vjp ..
// After:   xft.launch @attend_delta_..(%o, %do, %delta)
//          xft.launch @scan_vjp_..(%q, %k, %v, %do, ..)
//          xft.launch @reduce_..(%parts, %dw)               sums dW: one part per task
//
// If thread blocks run tasks and the sequence may be split, the launches of the scan are @scan_vjp_queries_..,
// @scan_vjp_join_.., @scan_vjp_keys_.. and, if the stabiliser of the keys has a gradient, @scan_vjp_maximum_..
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/Scan/ScanTiling.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

/// Returns the states of the forward scan. Either the forward op kept them, or this appends launches that compute them
/// again. With segments, whose number is unknown, states are not kept: returns memory for the states of one segment if
/// the scan is causal, else nullopt.
static std::optional<Buffer> findState(ScanTiling<AttentionVjpOp> &t) {
  if (t.sum.getSegments())
    return t.sum.getCausal() ? std::optional(t.allocateState()) : std::nullopt;
  AttentionVjpOp op = t.op;
  auto forward = op.getO().getDefiningOp<AttentionOp>();
  bool hasSameKeys = forward && forward.getPattern() == op.getPattern() && forward.getK() == op.getK() &&
                     forward.getV() == op.getV() && forward.getParams() == op.getParams() &&
                     forward.getLengths() == op.getLengths() && forward.getDecay() == op.getDecay() &&
                     forward.getBeta() == op.getBeta();
  if (hasSameKeys)
    if (std::optional<Buffer> kept = t.host.findKept(op.getO(), HostBuilder::Kept::State))
      return kept;
  Buffer o = t.host.allocate(t.real, {t.q.sizes[0], t.q.sizes[1], t.q.sizes[2], t.v.sizes[3]});
  return launchScan(t, o, /*isKept=*/true);
}

/// Allocates the parts of the gradient of W, one per task, filled with zeros. Returns nullopt if nothing uses the
/// gradient.
static std::optional<Buffer> weightGradientParts(ScanTiling<AttentionVjpOp> &t, Size tasks) {
  if (!t.weights || t.op.getDParams()[0].use_empty())
    return std::nullopt;
  int64_t columns = llvm::alignTo(t.depth, t.tile.getLanes());
  Buffer parts = t.host.allocate(t.real, {tasks, t.host.size(t.projections), t.host.size(columns)});
  tileFill(t.host, parts, 0);
  return parts;
}

/// Appends the launches that sum `parts` into the gradient of W.
static void addWeightGradients(ScanTiling<AttentionVjpOp> &t, const Buffer &parts) {
  SmallVector<Size> zeros(3, t.host.size(0)), sizes = parts.sizes;
  sizes.back() = t.host.size(t.depth);
  tileReduction(t.host, t.host.sliced(parts, zeros, sizes, {1, 1, 1}), {0}, xft::Combiner::add, /*mean=*/false,
                t.host.result(t.op.getDParams()[0]));
}

namespace {
/// The operands of a scan's gradient that ScanTiling does not add to a launch.
struct GradientBuffers {
  Buffer dO, delta, dQ, dK, dV;
  std::optional<Buffer> state, dState, dWeights, dDecay, dBeta;
  Size groups;
};
} // namespace

static void launchGradient(ScanTiling<AttentionVjpOp> &t, StringRef family, Size tasks, const GradientBuffers &buffers,
                           bool joinsMaxima = false) {
  AttendOperands operands(t.host);
  SmallVector<unsigned> numbers;
  for (const Buffer &matrix : {t.q, t.k, t.v, buffers.dO})
    numbers.push_back(operands.add(matrix, 1));
  numbers.push_back(operands.add(buffers.delta, 0));
  for (const Buffer &matrix : {buffers.dQ, buffers.dK, buffers.dV})
    numbers.push_back(operands.add(matrix, 1));
  numbers.push_back(operands.add(buffers.groups));
  SmallVector<unsigned, 2> weights = t.addWeights(operands);
  GroupNumbers gradients;
  auto optional = [&](const std::optional<Buffer> &buffer, int64_t staticSizes) {
    buffer ? gradients.push_back({operands.add(*buffer, staticSizes)}) : gradients.push_back({});
  };
  optional(buffers.dWeights, 2);
  optional(buffers.dDecay, 0);
  optional(buffers.dBeta, 0);
  optional(buffers.dState, 1);
  GroupNumbers clauses = t.addClauses(operands, weights, buffers.state, t.allocateScratch(tasks, /*isGradient=*/true));
  xft::LaunchOp launch =
      operands.launch(family, tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> of = pick(arguments, numbers);
        auto vjp = xft::ScanVjpOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8],
                                          PickedGroups(arguments, clauses), PickedGroups(arguments, gradients),
                                          t.featuresAttr(), t.scheduleAttr(/*features=*/{}), t.sum.getCausal());
        if (joinsMaxima)
          vjp->setAttr(xft::kScanMaximumAttrName, b.getUnitAttr());
        buildFeatureValues(vjp.getValue(), loc, t.real, t.sum.getFeature());
        buildFeatureSlopes(vjp.getSlope(), loc, t.real, t.sum.getFeature());
        t.host.model.describeLaunch(vjp);
      });
  t.describe(launch);
}

/// Appends one launch for each phase of a split gradient. `queries` and `keys` are the numbers of slices of queries and
/// of keys.
static void launchGradientPhases(ScanTiling<AttentionVjpOp> &t, GradientBuffers &buffers, Size queries, Size keys) {
  HostBuilder &host = t.host;
  int64_t size = t.sizes(/*isGradient=*/true).keptGradientElements();
  Size slices = t.hasMaximum() ? host.max(queries, keys) : queries; // where chunks of keys leave their maxima
  buffers.dState = host.allocate(t.real, {t.q.sizes[0], t.q.sizes[1], slices, host.size(size)});
  auto launch = [&](xft::ScanPhase phase, Size tasks) {
    t.phase = phase;
    launchGradient(t, ("scan_vjp_" + xft::stringifyScanPhase(phase)).str(), tasks, buffers);
  };
  Size groups = host.mul(t.q.sizes[0], buffers.groups), heads = host.mul(t.q.sizes[0], t.q.sizes[1]);
  launch(xft::ScanPhase::queries, host.mul(groups, queries));
  launch(xft::ScanPhase::join, host.mul(heads, host.size(t.sizes(/*isGradient=*/true).joinTasks())));
  launch(xft::ScanPhase::keys, host.mul(groups, keys));
  t.phase = xft::ScanPhase::join;
  if (t.hasMaximum())
    launchGradient(t, "scan_vjp_maximum", groups, buffers, /*joinsMaxima=*/true);
}

/// Returns whether the phases of a split scan gradient write all rows of the gradients.
static bool writesAllRows(ScanTiling<AttentionVjpOp> &t) {
  auto nq = HostBuilder::constant(t.q.sizes[2]), nk = HostBuilder::constant(t.k.sizes[2]);
  return !t.leavesRows() && nq && nk && *nq > 0 && *nk > 0;
}

/// Returns the buffer to which tasks write or add `gradient`. Tasks write each row once if the gradient is split, and
/// each head of queries has rows of its own in `gradient`. The buffer then has the type of the result, if possible.
/// Otherwise tasks add to a buffer of zeros.
static Buffer gradientOf(ScanTiling<AttentionVjpOp> &t, Value gradient, bool isSplit) {
  bool isWrittenOnce = isSplit && t.host.sizes(gradient)[1] == t.q.sizes[1];
  Buffer sums = gradientSums(t.host, t.real, gradient, /*clear=*/false, isWrittenOnce);
  if (sums.element == t.real || !writesAllRows(t))
    tileFill(t.host, sums, 0);
  return sums;
}

LogicalResult xf::tileScanVjp(AttentionVjpOp op, KernelSumAttr sum, HostBuilder &host) {
  if (failed(checkScan(op)))
    return failure();
  ScanTiling<AttentionVjpOp> t(op, sum, host);
  auto keyHeads = HostBuilder::constant(t.k.sizes[1]), valueHeads = HostBuilder::constant(t.v.sizes[1]);
  if (!keyHeads || !valueHeads)
    return op.emitError("expected a static number of heads, got ") << op.getK().getType();
  GradientBuffers buffers;
  buffers.groups = host.size(std::gcd(*keyHeads, *valueHeads));
  buffers.dO = withUnitInner(host, host.buffer(op.getDO()));
  std::optional<Buffer> exact = host.findKept(op.getO(), HostBuilder::Kept::ExactOutput);
  Buffer o = exact ? *exact : withUnitInner(host, host.buffer(op.getO()));
  buffers.delta = attentionDelta(host, t.real, o, buffers.dO, std::nullopt);
  buffers.state = findState(t);
  Size keys = t.slicesOf(t.k.sizes[2]), queries = sum.getCausal() ? keys : t.slicesOf(t.q.sizes[2]);
  Size tasks = host.mul(t.q.sizes[0], buffers.groups);
  bool isSplit = t.maySplit() && (HostBuilder::constant(keys) != 1 || HostBuilder::constant(queries) != 1);
  buffers.dQ = gradientOf(t, op.getDQ(), isSplit);
  buffers.dK = gradientOf(t, op.getDK(), isSplit && !t.hasMaximum()); // else what passes through it is added last
  buffers.dV = gradientOf(t, op.getDV(), isSplit);
  buffers.dWeights = weightGradientParts(t, isSplit ? host.mul(tasks, host.max(keys, queries)) : tasks);
  for (auto [sums, gradient] : {std::pair(&buffers.dDecay, op.getDDecay()), {&buffers.dBeta, op.getDBeta()}})
    if (gradient && !gradient.use_empty())
      tileFill(host, *(*sums = host.result(gradient)), 0);
  t.count(buffers.dWeights.has_value());
  if (isSplit)
    launchGradientPhases(t, buffers, queries, keys);
  else
    launchGradient(t, "scan_vjp", tasks, buffers);
  finishGradient(host, {buffers.dQ}, op.getDQ());
  finishGradient(host, {buffers.dK}, op.getDK());
  finishGradient(host, {buffers.dV}, op.getDV());
  if (buffers.dWeights)
    addWeightGradients(t, *buffers.dWeights);
  return success();
}
