//===- TileAttentionVjp.cpp - xf.attention_vjp becomes launches -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %dq, %dk, %dv = xf.attention_vjp %q, %k, %v, %o, %lse, %do pattern(#xf.causal) {solution = ..}
// After:   xft.launch @fill_..(%dq) ..
//          xft.launch @attend_lse_parts_..(%lse, %parts)           unless the forward op's launches left m and log l
//          xft.launch @attend_delta_..(%o, %do, %delta)            delta(i) = <do(i), o(i)> - dlse(i)
//          xft.launch @attend_vjp_..(%q, %k, %v, %do, ..)          one for each piece, or for a box of a grid
//          xft.launch @reduce_..(%parts, %d_table)                 sums captured tensors' gradients: one part per
//                                                                  task if several tasks add to an element
//          xft.launch @attend_vjp_halo_..(%halo, %dq, %dq)         if there are slices of consecutive keys
//          xft.launch @attend_vjp_sum_..(%dq0, %dq1, %dq)          if there are other slices or the result is rounded
//
// Work is divided by heads, by residues that share nothing, and by slices of the keys. Slices do not add to the same
// memory: each has a d_q of its own or, if its keys are consecutive, rows of its own in d_q and in the buffer of halos.
// The number of slices depends only on the shape, so that results do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionVjpTiling.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/KeySlices.h"
#include "compiler/Tile/Rows/TileRows.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Tiles and slices
//===----------------------------------------------------------------------===//

/// Returns true if the keys of some piece may be cut into slices. A piece with several residues is not cut, because its
/// residues are enough tasks. A solution that a form computes as a whole is not cut either, because its tasks own rows.
static bool hasSlices(AttentionVjpTiling &tiling) {
  return llvm::any_of(headsOfSolutions(tiling.op), [&](const HeadsOfSolution &group) {
    auto isWhole = [](PieceAttr piece) { return piece.getResidues() == 1; };
    return (group.solution.getTiles() || llvm::any_of(group.solution.getPieces(), isWhole)) &&
           !chooseForm(tiling.siteOf(group, {}, {}));
  });
}

/// Returns the largest number of slices into which the keys are cut. With few heads, there are up to 4 slices, so that
/// the workers of a usual machine have enough tasks. Each slice has at least two blocks of keys.
static int64_t sliceCount(AttentionVjpTiling &tiling) {
  constexpr int64_t tasks = 8, most = 4;
  if (!tiling.captureGradients().empty() || !hasSlices(tiling) || tiling.host.model.splitsGradientBySide())
    return 1;
  int64_t wanted = std::clamp<int64_t>(llvm::divideCeil(tasks, tiling.groups), 1, most);
  if (auto keys = HostBuilder::constant(tiling.k.sizes[2]))
    wanted = std::clamp<int64_t>(*keys / (2 * tiling.tile.getKeys()), 1, wanted);
  return wanted;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

AttentionVjpTiling::AttentionVjpTiling(AttentionVjpOp op, HostBuilder &host)
    : op(op), host(host), real(accumulatorType(op.getQ().getType().getElementType())) {
  q = withUnitInner(host, host.buffer(op.getQ()));
  k = withUnitInner(host, host.buffer(op.getK()));
  v = withUnitInner(host, host.buffer(op.getV()));
  dO = withUnitInner(host, host.buffer(op.getDO()));
  int64_t depth = *HostBuilder::constant(q.sizes[3]), valueDepth = *HostBuilder::constant(v.sizes[3]);
  tile = host.model.attendVjpTile(xft::VjpSide::rows, q.element, depth, valueDepth);
  data.emplace(op, host, tile);
  for (auto [region, isGradient] : {std::pair(&weights, false), {&weightGradients, true}})
    if (isLinear(op))
      buildWeights(*region, op.getLoc(), real, captures(), isGradient);
}

AttentionSite AttentionVjpTiling::siteOf(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                                         std::optional<xft::VjpSide> side) {
  AttentionSite site{op, host, group, {q, k, v, dO}};
  if (piece)
    site.order = QueryOrder{piece.getQueries(), piece.getResidues(), {piece}, tiles};
  if (side)
    llvm::append_range(site.operands,
                       *side == xft::VjpSide::rows ? std::vector<Buffer>{dQ.front()} : std::vector<Buffer>{dK, dV});
  site.side = side;
  site.assigns = assigns;
  return site;
}

/// Returns true if the blocks of `piece` contain every row and every key exactly once. The launch of the piece may then
/// assign gradients instead of adding to them.
static bool holdsAllOnce(PieceAttr piece) {
  bool isApart = piece.getResidues() == 1 || (piece.getKeysDisjoint() && piece.getQueriesDisjoint());
  return isApart && coversAll(piece.getKeys()) && coversAll(piece.getQueries());
}

/// Returns the piece whose launch assigns gradients, so that they need not be zeroed before. Returns null if there is
/// none. Prefers a piece of one residue: if its keys are cut into slices, each slice assigns a d_q of its own.
static PieceAttr findAssigning(SolutionAttr solution) {
  PieceAttr found;
  for (PieceAttr piece : solution.getPieces())
    if (holdsAllOnce(piece) && (!found || (found.getResidues() > 1 && piece.getResidues() == 1)))
      found = piece;
  if (!found && solution.getPieces().empty() && solution.getTiles())
    found = everyPair(solution.getContext());
  return found;
}

/// Returns true if a solution is one piece or one predicate. A single launch then writes each gradient.
static bool isAlone(SolutionAttr solution) { return solution.getPieces().size() + bool(solution.getTiles()) == 1; }

SmallVector<Value> AttentionVjpTiling::captures() {
  return op.getRelative() ? SmallVector<Value>{op.getRelative()} : SmallVector<Value>(op.getCaptures());
}
SmallVector<Value> AttentionVjpTiling::captureGradients() {
  return op.getRelative() ? SmallVector<Value>{op.getDRelative()} : SmallVector<Value>(op.getDCaptures());
}

/// Looks at the reads of captured tensors whose derivatives the derivative region yields. Returns the index of the
/// captured tensor of each of them.
SmallVector<int64_t> AttentionVjpTiling::reads() {
  return op.getRelative() ? SmallVector<int64_t>{0} : SmallVector<int64_t>(op.getReads().value_or(ArrayRef<int64_t>()));
}

/// Returns, for each read of reads(), the index of the gradient of the captured tensor, or -1 if this tensor has no
/// gradient. Only floating-point captures have a gradient.
SmallVector<int64_t> AttentionVjpTiling::readsOfGradients() {
  SmallVector<int64_t> positions;
  for (Value capture : captures()) {
    bool isFloat = isa<FloatType>(cast<RankedTensorType>(capture.getType()).getElementType());
    int64_t before = llvm::count_if(positions, [](int64_t position) { return position >= 0; });
    positions.push_back(isFloat ? before : -1);
  }
  return llvm::map_to_vector(reads(), [&](int64_t capture) { return positions[capture]; });
}

/// Returns true if tasks of different batch entries, or of different heads, add to different elements of the gradient
/// `number` of a captured tensor. `argument` is the index of the region argument that counts the batch entries or
/// heads, of which there are `count`. `sizes` are the sizes of the tensor. The tasks do so if some dimension of the
/// tensor has size `count`, and every read of the tensor indexes it by this argument.
bool AttentionVjpTiling::tellsApart(int64_t number, unsigned argument, Size count, ArrayRef<Size> sizes) {
  Block &derivative = getDerivative().front();
  SmallVector<bool> may = llvm::map_to_vector(sizes, [&](Size size) { return size == count; });
  ValueRange yielded = derivative.getTerminator()->getOperands().drop_front(2);
  for (auto [capture, read] : llvm::zip(reads(), readsOfGradients())) {
    int64_t rank = cast<RankedTensorType>(captures()[capture].getType()).getRank();
    for (int64_t d = 0; read == number && d < rank; ++d)
      may[d] = may[d] && yielded[d] == derivative.getArgument(argument);
    yielded = yielded.drop_front(rank + 1);
  }
  return llvm::is_contained(may, true);
}

/// Returns a buffer of zeros of shape [batch entries, groups of heads, sizes of the gradient..], to which tasks add.
/// The sum over its first two dimensions is the gradient `number` of a captured tensor. If tasks of different batch
/// entries add to different elements, the first dimension has size 1, and so for heads the second. If both have size 1,
/// the buffer is a view of gradientSums() of the gradient.
Buffer AttentionVjpTiling::startCapture(unsigned number) {
  constexpr std::array<unsigned, 2> batchAndHead = {1, 2}; // arguments of the region
  Value gradient = captureGradients()[number];
  SmallVector<Size> sizes = host.sizes(gradient), parts = {q.sizes[0], host.size(groups)};
  for (auto [argument, count, part] : llvm::zip(batchAndHead, q.sizes, parts))
    if (tellsApart(number, argument, count, sizes))
      part = host.size(1);
  bool isOne = llvm::all_of(parts, [](Size part) { return HostBuilder::constant(part) == 1; });
  Buffer buffer;
  if (isOne && !sizes.empty()) {
    buffer = gradientSums(host, real, gradient);
    buffer.sizes.insert(buffer.sizes.begin(), parts.begin(), parts.end());
    buffer.strides.insert(buffer.strides.begin(), 2, host.size(0));
    return buffer;
  }
  llvm::append_range(parts, sizes);
  buffer = host.allocate(real, parts);
  tileFill(host, buffer, 0);
  return buffer;
}

void AttentionVjpTiling::finishCapture(const Buffer &parts, Value gradient) {
  if (parts.strides[0] != host.size(0))
    return tileReduction(host, parts, {0, 1}, xft::Combiner::add, /*mean=*/false, host.result(gradient));
  Buffer sums = parts;
  sums.sizes.erase(sums.sizes.begin(), sums.sizes.begin() + 2);
  sums.strides.erase(sums.strides.begin(), sums.strides.begin() + 2);
  finishGradient(host, {sums}, gradient);
}

SmallVector<unsigned> AttentionVjpTiling::addInputs(AttendOperands &operands) {
  SmallVector<unsigned> numbers;
  for (const Buffer &matrix : {q, k, v, dO})
    numbers.push_back(operands.add(matrix, 1));
  for (const Buffer &row : {lse, delta})
    numbers.push_back(operands.add(row, 0));
  return numbers;
}

SmallVector<unsigned> AttentionVjpTiling::addMatrices(AttendOperands &operands) {
  SmallVector<unsigned> numbers = addInputs(operands);
  for (const Buffer &gradient : {dQ.front(), dK, dV})
    numbers.push_back(operands.add(gradient, 1));
  numbers.push_back(operands.add(host.size(groups)));
  return numbers;
}

xft::WeightsAttr AttentionVjpTiling::weightsAttr() {
  return attendWeights(op, isLinear(op) ? 1 : attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3])));
}

/// Appends a launch that splits lse into two summands of type `real`. A single number of this type would lose digits if
/// scores are large. Returns the summands as [2, B, H, Nq].
Buffer AttentionVjpTiling::splitLse() {
  Buffer whole = host.buffer(op.getLse());
  SmallVector<Size> sizes = {host.size(2)};
  llvm::append_range(sizes, whole.sizes);
  Buffer parts = host.allocate(real, sizes);
  launchElementwise(host, "attend_lse_parts", {whole}, {partOfLse(host, parts, 0), partOfLse(host, parts, 1)},
                    [&](RowBody &, ScalarCode &code, ValueRange elements) -> SmallVector<Value> {
                      Value rounded = code.asFloat(real, elements[0]);
                      Value rest = code.sub(elements[0], code.asFloat(whole.element, rounded));
                      return {rounded, code.asFloat(real, rest)};
                    });
  return parts;
}

/// Sets `lse` and `delta`. Uses m, log l and the unrounded o if forward launches of the program kept them. For a linear
/// op, which has no lse, both are zeros.
void AttentionVjpTiling::findLse() {
  if (isLinear(op)) {
    SmallVector<Size> sizes = {host.size(2), q.sizes[0], q.sizes[1], q.sizes[2]};
    lse = host.allocate(real, sizes);
    delta = host.allocate(real, ArrayRef(sizes).drop_front());
    tileFill(host, lse, 0);
    return tileFill(host, delta, 0);
  }
  std::optional<Buffer> parts = host.findKept(op.getLse(), HostBuilder::Kept::LseParts);
  lse = parts ? *parts : splitLse();
  std::optional<Buffer> exact = host.findKept(op.getO(), HostBuilder::Kept::ExactOutput), dLse;
  if (op.getDLse())
    dLse = host.buffer(op.getDLse());
  Buffer o = exact ? *exact : withUnitInner(host, host.buffer(op.getO()));
  // If scores do not depend on <q, k>, a row may have P exactly 1 at one key; then dP - delta must be exactly 0.
  bool inOrder = !captureGradients().empty() && !op.getScore().empty() && op.getScore().getArgument(0).use_empty();
  delta = attentionDelta(host, real, o, dO, dLse, inOrder);
}

/// Returns the forms that compute one solution. If `assigning` is not null, the forms that compute this piece come
/// first.
std::vector<ChosenForm> AttentionVjpTiling::chooseForms(const HeadsOfSolution &group, PieceAttr assigning) {
  SolutionAttr solution = group.solution;
  if (std::optional<ChosenForm> whole = chooseForm(siteOf(group, {}, {}, bool(assigning))))
    return {*whole};
  std::vector<ChosenForm> chosen;
  auto choose = [&](PieceAttr piece, TilesAttr tiles, bool assigns) {
    if (!host.model.splitsGradientBySide())
      return chosen.push_back(*chooseForm(siteOf(group, piece, tiles, assigns)));
    for (xft::VjpSide side : {xft::VjpSide::rows, xft::VjpSide::keys})
      chosen.push_back(*chooseForm(siteOf(group, piece, tiles, assigns, side)));
    if (!dCaptures.empty())
      chosen.push_back(*chooseForm(siteOf(group, piece, tiles, /*assigns=*/false, xft::VjpSide::captures)));
  };
  if (assigning && !solution.getPieces().empty())
    choose(assigning, TilesAttr(), /*assigns=*/true);
  for (PieceAttr piece : solution.getPieces())
    if (piece != assigning)
      choose(piece, TilesAttr(), /*assigns=*/false);
  if (TilesAttr tiles = solution.getTiles()) // a predicate selects among all pairs
    choose(everyPair(op.getContext()), tiles, /*assigns=*/assigning && solution.getPieces().empty());
  return chosen;
}

LogicalResult AttentionVjpTiling::launchAll() {
  auto keyHeads = HostBuilder::constant(k.sizes[1]), valueHeads = HostBuilder::constant(v.sizes[1]);
  if (!keyHeads || !valueHeads)
    return op.emitError("expected a static number of heads, got ") << op.getK().getType();
  groups = std::gcd(*keyHeads, *valueHeads);
  SmallVector<HeadsOfSolution> solutions = headsOfSolutions(op);
  PieceAttr assigning = solutions.size() == 1 ? findAssigning(solutions[0].solution) : PieceAttr();
  bool clear = !assigning, clearSlices = clear || assigning.getResidues() > 1;
  bool isOneLaunch = assigning && isAlone(solutions[0].solution), isSplit = host.model.splitsGradientBySide();
  auto sumsOf = [&](Value gradient, bool isWrittenOnce) {
    Size heads = host.sizes(gradient)[1]; // heads that share keys add to the same elements
    return gradientSums(host, real, gradient, clear, isWrittenOnce && heads == q.sizes[1]);
  };
  dQ = {sumsOf(op.getDQ(), isOneLaunch && isSplit)}; // each block of keys adds to d_q of the rows that see it
  bool writesKeysOnce = isOneLaunch && (isSplit || chooseForms(solutions[0], assigning)[0].form->writesResults());
  int64_t count = sliceCount(*this);
  if (!op.getPart())
    slices = findKeySlices(solutions, q, k, count, tile.getKeys());
  if (slices)
    dQ.push_back(allocateHalo(host, dQ.front(), *slices));
  for (int64_t slice = 1; !slices && slice < count; ++slice)
    dQ.push_back(host.allocate(real, q.sizes));
  for (const Buffer &part : ArrayRef(dQ).drop_front())
    if (clearSlices)
      tileFill(host, part, 0);
  for (unsigned number = 0; number < captureGradients().size(); ++number)
    dCaptures.push_back(startCapture(number));
  dK = sumsOf(op.getDK(), writesKeysOnce);
  dV = sumsOf(op.getDV(), writesKeysOnce);
  findLse();
  int64_t depth = *HostBuilder::constant(q.sizes[3]), valueDepth = *HostBuilder::constant(v.sizes[3]);
  for (const HeadsOfSolution &group : solutions) {
    std::vector<ChosenForm> chosen = chooseForms(group, assigning);
    if (!op.getPart()) // else every rank has other pairs
      recordAttentionWork(host, group, chosen, 3 * depth + 2 * valueDepth);
    for (const ChosenForm &form : chosen)
      launchForm(form, *this);
  }
  if (slices)
    addHalo(host, dQ[0], dQ[1], *slices);
  finishGradient(host, slices ? ArrayRef(dQ).take_front() : ArrayRef(dQ), op.getDQ());
  finishGradient(host, {dK}, op.getDK());
  finishGradient(host, {dV}, op.getDV());
  for (auto [parts, gradient] : llvm::zip(dCaptures, captureGradients()))
    finishCapture(parts, gradient);
  return success();
}

LogicalResult xf::tileAttentionVjp(AttentionVjpOp op, HostBuilder &host) {
  if (auto sum = op->getAttrOfType<KernelSumAttr>(kKernelSumAttrName))
    return tileScanVjp(op, sum, host);
  if (failed(requireTileable(op, host.model)))
    return failure();
  return AttentionVjpTiling(op, host).launchAll();
}
