//===- TileAttention.cpp - xf.attention becomes launches ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %o = xf.attention %q, %k, %v pattern(#xf.causal) {solution = [#xf.solution<pieces = [..]>]}
// After:   xft.launch @gather_panels_..(%k, %panels)
//          xft.launch @attend_..(%q, %o, %lse, .., %panels, %v)     one for each query order
//
// Kernels depend on pieces, element types and head sizes. Batch, heads, rows and all strides are scalars of the launch.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionTiling.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/ForwardKernels.h"
#include "compiler/Tile/Attend/GroupedQueryFolding.h"

using namespace mlir;
using namespace mlir::xf;

AttentionTiling::AttentionTiling(AttentionOp op, HostBuilder &host, xft::AttendTileAttr tile,
                                 std::optional<PackedKeys> form)
    : op(op), host(host), real(accumulatorType(op.getQ().getType().getElementType())),
      packed(host, form.value_or(PackedKeys()), tile), data(op, host, tile) {
  q = withUnitInner(host, host.buffer(op.getQ()));
  k = host.buffer(op.getK());
  v = host.buffer(op.getV());
  if (!form) {
    k = withUnitInner(host, k);
    v = withUnitInner(host, v);
  }
  scale = isLinear(op) ? 1 : attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]));
  if (isLinear(op))
    buildWeights(weights, op.getLoc(), real, captures(), /*withDerivatives=*/false);
}

void AttentionTiling::allocateState(std::optional<Size> parts, bool hasOutput) {
  SmallVector<Size> rows = {q.sizes[0], q.sizes[1], q.sizes[2]};
  if (parts)
    rows.insert(rows.begin(), *parts);
  state = {host.allocate(real, rows), host.allocate(real, rows)};
  rows.push_back(v.sizes[3]);
  if (hasOutput)
    state.push_back(host.allocate(real, rows));
}

Size AttentionTiling::headsOf(const HeadsOfSolution &group) const {
  return host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step);
}

SmallVector<unsigned> AttentionTiling::addMatrices(AttendOperands &operands, int64_t staticSizes) {
  Buffer keys = withUnitInner(host, k), values = withUnitInner(host, v);
  return {operands.add(q, staticSizes), operands.add(keys, 1), operands.add(values, 1), operands.add(o, staticSizes)};
}

SmallVector<unsigned, 2> AttentionTiling::addLse(AttendOperands &operands, bool isLast) {
  return lse && isLast ? SmallVector<unsigned, 2>{operands.add(*lse, 0)} : SmallVector<unsigned, 2>();
}

GroupNumbers AttentionTiling::addRowState(AttendOperands &operands, ArrayRef<unsigned> lseNumber, bool usesState,
                                          bool isLast) {
  GroupNumbers numbers(4); // lse, sums, accumulator, kept
  numbers[0].assign(lseNumber.begin(), lseNumber.end());
  for (auto [number, buffer] : llvm::enumerate(usesState ? ArrayRef(state) : ArrayRef<Buffer>()))
    numbers[number < 2 ? 1 : 2].push_back(operands.add(buffer, number < 2 ? 0 : 1));
  for (auto [number, buffer] : llvm::enumerate(isLast ? ArrayRef(kept) : ArrayRef<Buffer>()))
    numbers[3].push_back(operands.add(buffer, number < 2 ? 0 : 1));
  return numbers;
}

/// Makes heads that share keys the rows of one head (grouped queries), if this at least halves the number of tiles.
void AttentionTiling::foldHeads(HeadsOfSolution &group) {
  int64_t heads = foldableHeads(op, group.solution), queries = op.getQ().getType().getDimSize(2);
  if (heads == 1)
    return;
  FailureOr<Buffer> rowsOfQ = xf::foldHeads(host, q, heads), rowsOfO = xf::foldHeads(host, o, heads);
  FailureOr<Buffer> rowsOfLse = lse ? xf::foldHeads(host, *lse, heads) : FailureOr<Buffer>(Buffer());
  if (failed(rowsOfQ) || failed(rowsOfO) || failed(rowsOfLse))
    return;
  HeadsOfSolution folded{group.first, group.step, xf::foldHeads(group.solution, queries)};
  auto tilesOf = [&](const HeadsOfSolution &group, const Buffer &q, const Buffer &o, int64_t rows) {
    return int64_t(llvm::divideCeil(rows, chooseForms(op, host, group, {q, k, v, o}).front().figures().queries));
  };
  if (2 * tilesOf(folded, *rowsOfQ, *rowsOfO, heads * queries) > heads * tilesOf(group, q, o, queries))
    return;
  q = *rowsOfQ;
  o = *rowsOfO;
  if (lse)
    lse = *rowsOfLse;
  for (Buffer &part : kept) // contiguous
    part = *xf::foldHeads(host, part, heads);
  group = folded;
}

/// Returns true if an op other than a gradient reads lse. Gradients read m and log l instead, which the attention keeps
/// for them.
static bool isLseRead(AttentionOp op) {
  return llvm::any_of(op.getLse().getUses(), [](OpOperand &use) {
    auto gradient = dyn_cast<AttentionVjpOp>(use.getOwner());
    return !gradient || gradient.getDLse() == use.get();
  });
}

/// Allocates the buffers that the last query order fills for gradients: m, log l and, if o is rounded, the unrounded o.
void AttentionTiling::keepForGradient() {
  SmallVector<Size> rows = {q.sizes[0], q.sizes[1], q.sizes[2]}, parts = rows;
  parts.insert(parts.begin(), host.size(2));
  Buffer lseParts = host.allocate(real, parts);
  kept = {partOfLse(host, lseParts, 0), partOfLse(host, lseParts, 1)};
  host.keep(op.getLse(), HostBuilder::Kept::LseParts, lseParts);
  if (o.element == real)
    return;
  rows.push_back(v.sizes[3]);
  kept.push_back(host.allocate(real, rows));
  host.keep(op.getO(), HostBuilder::Kept::ExactOutput, kept.back());
}

void AttentionTiling::launchGroup(const HeadsOfSolution &group) {
  std::vector<ChosenForm> chosen = chooseForms(op, host, group, {q, k, v, o});
  if (!op.getPart()) // else every rank has other pairs
    recordAttentionWork(host, group, chosen, *HostBuilder::constant(q.sizes[3]) + *HostBuilder::constant(v.sizes[3]));
  if (chosen.size() > 1 && state.empty())
    allocateState(/*parts=*/{}, /*hasOutput=*/o.element != real);
  for (const ChosenForm &form : chosen)
    launchForm(form, *this);
}

LogicalResult AttentionTiling::launchAll() {
  Buffer result = host.result(op.getO());
  bool direct = HostBuilder::constant(result.strides[3]) == 1 || HostBuilder::constant(result.sizes[3]) == 1;
  Buffer whole = o = direct ? withUnitInner(host, result) : host.allocate(result.element, result.sizes);
  if (hasGradient(op))
    keepForGradient();
  if (op.getLse() && (kept.empty() || isLseRead(op)))
    lse = host.result(op.getLse());
  SmallVector<HeadsOfSolution> groups = headsOfSolutions(op);
  if (host.model.foldsGroupedQueries() && groups.size() == 1)
    foldHeads(groups.front());
  for (const HeadsOfSolution &group : groups)
    launchGroup(group);
  if (!direct)
    tileCopy(host, whole, result);
  return success();
}

LogicalResult xf::tileAttention(AttentionOp op, HostBuilder &host) {
  if (auto sum = op->getAttrOfType<KernelSumAttr>(kKernelSumAttrName))
    return tileScan(op, sum, host);
  if (failed(requireTileable(op, host.model)))
    return failure();
  auto q = op.getQ().getType(), v = op.getV().getType();
  Type element = q.getElementType();
  return AttentionTiling(op, host, host.model.attendTile(element, q.getDimSize(3), v.getDimSize(3)),
                         host.model.packedKeys(productElement(op), element))
      .launchAll();
}
