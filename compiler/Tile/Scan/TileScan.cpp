//===- TileScan.cpp - Kernelised attention becomes launches ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %o = xf.attention %q, %k, %v pattern(..) params(%w) {kernel_sum = #xf.kernel_sum<..>}
// After:   xft.launch @scan_..(%q, %k, %v, %o, %w)
//
// If thread blocks run tasks and the sequence may be split:
//
//          xft.launch @scan_keys_..(%q, %k, %v, %o, %w, %state)     sums the keys of slices, side by side
//          xft.launch @scan_join_..( the same )                    joins the states of slices
//          xft.launch @scan_queries_..( the same )                 computes the rows of slices
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Rows/TileRows.h"
#include "compiler/Tile/Scan/ScanTiling.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns the number of slices into which the value columns of a head are cut. A thread block computes one slice, and
/// for it, the features and divisors of the whole head. Starts from 1 slice, and doubles the number as long as it
/// divides the columns, the launch has at most 128 thread blocks, and each has at least 16 columns.
template <typename OpTy>
static int64_t sliceCount(const ScanTiling<OpTy> &t, Size heads) {
  constexpr int64_t blocks = 128, leastColumns = 16;
  auto count = HostBuilder::constant(heads);
  int64_t slices = 1;
  while (count && *count * slices * 2 <= blocks && t.valueDepth % (slices * 2) == 0 &&
         t.valueDepth / (slices * 2) >= leastColumns)
    slices *= 2;
  return slices;
}

/// Appends one launch of a scan with `tasks` tasks. `family` is the prefix of its kernel's name. `state` is the memory
/// of states, if there is one.
template <typename OpTy>
static void launchTasks(ScanTiling<OpTy> &t, StringRef family, Size tasks, const Buffer &o,
                        const std::optional<Buffer> &state) {
  AttendOperands operands(t.host);
  SmallVector<unsigned> matrices;
  for (const Buffer &matrix : {t.q, t.k, t.v, o})
    matrices.push_back(operands.add(matrix, 1));
  GroupNumbers clauses =
      t.addClauses(operands, t.addWeights(operands), state, t.allocateScratch(tasks, /*isGradient=*/false));
  xft::LaunchOp launch =
      operands.launch(family, tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> of = pick(arguments, matrices);
        auto scan = xft::ScanOp::create(b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, clauses),
                                        t.featuresAttr(), t.scheduleAttr(t.features), t.sum.getCausal());
        buildFeatureValues(scan.getValue(), loc, t.real, t.sum.getFeature());
        t.host.model.describeLaunch(scan);
      });
  t.describe(launch);
}

/// Chooses the chunk and the slice of a split scan. A chunk has 64 rows if these fit the shared memory of a thread
/// block, else 32. This balances the work on pairs, rows and states. A slice has at most 8 chunks, and fewer if the
/// launch would have less than 256 thread blocks: longer slices pass fewer states through memory. If the state is kept
/// for a gradient (`isKept`), each chunk is a slice, because the gradient reads the state before each chunk.
template <typename OpTy>
static void chooseSlices(ScanTiling<OpTy> &t, bool isKept) {
  constexpr int64_t blocks = 256, mostChunks = 8, unknown = 4;
  t.phase = xft::ScanPhase::queries;
  auto setChunk = [&](int64_t rows) {
    t.tile = xft::AttendTileAttr::get(t.tile.getContext(), 1, 1, 1, rows, t.valueDepth);
  };
  if (isKept)
    return;
  t.slice = unknown;
  setChunk(64);
  if (t.scratchBytes(/*isGradient=*/false) != 0)
    setChunk(32);
  auto heads = HostBuilder::constant(t.host.mul(t.q.sizes[0], t.q.sizes[1]));
  auto rows = HostBuilder::constant(t.k.sizes[2]);
  if (!heads || !rows)
    return;
  t.slice = mostChunks;
  while (t.slice > 1 && *heads * llvm::divideCeil(*rows, t.slice * t.tile.getQueries()) < blocks)
    t.slice /= 2;
}

/// Appends one launch for each phase of a split scan. The chunk and the slice of `t` must have been chosen
/// (chooseSlices).
template <typename OpTy>
static void launchPhases(ScanTiling<OpTy> &t, const Buffer &o, const Buffer &state) {
  Size heads = t.host.mul(t.q.sizes[0], t.q.sizes[1]), slices = state.sizes[2];
  auto launch = [&](xft::ScanPhase phase, Size tasks) {
    t.phase = phase;
    launchTasks(t, ("scan_" + xft::stringifyScanPhase(phase)).str(), t.host.mul(heads, tasks), o, state);
  };
  launch(xft::ScanPhase::keys, slices);
  launch(xft::ScanPhase::join, t.host.size(t.sizes(/*isGradient=*/false).joinTasks()));
  launch(xft::ScanPhase::queries, t.sum.getCausal() ? slices : t.slicesOf(t.q.sizes[2]));
}

template <typename OpTy>
std::optional<Buffer> xf::launchScan(ScanTiling<OpTy> t, const Buffer &o, bool isKept) {
  if (t.leavesRows())
    tileFill(t.host, o, 0);
  if (t.maySplit()) {
    ScanTiling<OpTy> split = t;
    chooseSlices(split, isKept && t.sum.getCausal());
    if (HostBuilder::constant(split.slicesOf(t.k.sizes[2])) != 1) {
      Buffer state = split.allocateState();
      launchPhases(split, o, state);
      return state;
    }
  }
  std::optional<Buffer> state = isKept ? std::optional(t.allocateState()) : std::nullopt;
  Size tasks = t.host.mul(t.q.sizes[0], t.q.sizes[1]);
  if (t.isBlock() && !isKept) { // a kept state needs all columns
    int64_t slices = sliceCount(t, tasks);
    tasks = t.host.mul(tasks, t.host.size(slices));
    t.tile = xft::AttendTileAttr::get(t.tile.getContext(), 1, 1, 1, t.tile.getQueries(), t.valueDepth / slices);
  }
  launchTasks(t, "scan", tasks, o, state);
  return state;
}

template std::optional<Buffer> xf::launchScan(ScanTiling<AttentionVjpOp> t, const Buffer &o, bool isKept);

LogicalResult xf::tileScan(AttentionOp op, KernelSumAttr sum, HostBuilder &host) {
  if (failed(checkScan(op)))
    return failure();
  ScanTiling<AttentionOp> t(op, sum, host);
  Buffer result = host.result(op.getO());
  bool hasGradient = llvm::any_of(op.getO().getUsers(), llvm::IsaPred<AttentionVjpOp>);
  bool isKept = !sum.getSegments() && hasGradient, isRounded = hasGradient && result.element != t.real;
  bool hasUnitInner = HostBuilder::constant(result.strides[3]) == 1 || HostBuilder::constant(result.sizes[3]) == 1;
  bool direct = hasUnitInner && !isRounded;
  Buffer o = direct ? withUnitInner(host, result) : host.allocate(isRounded ? t.real : result.element, result.sizes);
  t.count();
  std::optional<Buffer> state = launchScan(t, o, isKept);
  if (isKept)
    host.keep(op.getO(), HostBuilder::Kept::State, *state);
  if (isRounded)
    host.keep(op.getO(), HostBuilder::Kept::ExactOutput, o);
  if (!direct)
    tileCopy(host, o, result);
  return success();
}
