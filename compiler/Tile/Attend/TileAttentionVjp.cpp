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
//          xft.launch @attend_vjp_..(%q, %k, %v, %do, ..)          one for each piece
//          xft.launch @reduce_..(%parts, %d_table)                 sums captured tensors' gradients: one part per
//                                                                  task if several tasks add to an element
//          xft.launch @attend_vjp_sum_..(%dq0, %dq1, %dq)          if there are slices or the result is rounded
//
// Work is divided by heads, by residues that share nothing, and by slices of the keys, each of which has its own d_q.
// The number of slices depends on the shape alone, so that results do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Rows/TileRows.h"
#include <numeric>

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The tiling of one xf.attention_vjp into launches.
struct AttentionVjpTiling {
  AttentionVjpOp op;
  HostBuilder &host;
  Type real;
  xft::AttendTileAttr tile;
  Buffer q, k, v, dO, lse, delta;
  int64_t groups = 1;
  SmallVector<Buffer, 4> dQ; ///< one per slice of the keys
  Buffer dK, dV;
  SmallVector<Buffer> dCaptures; ///< one part per batch entry and group of heads
  std::optional<PredicateData> data;
  Region weights, weightGradients; ///< regions of a linear op, which has none of its own

  AttentionVjpTiling(AttentionVjpOp op, HostBuilder &host);
  xft::AttendTileAttr tileOf(xft::VjpSide side);
  Region &getScore() { return isLinear(op) ? weights : op.getScore(); }
  Region &getDerivative() { return isLinear(op) ? weightGradients : op.getDerivative(); }
  SmallVector<Value> captures();
  SmallVector<Value> captureGradients();
  SmallVector<int64_t> reads();
  SmallVector<int64_t> readsOfGradients();
  bool tellsApart(int64_t number, unsigned argument, Size count, ArrayRef<Size> sizes);
  Buffer splitLse();
  void findLse();
  LogicalResult launchAll();
  Buffer startCapture(unsigned number);
  void finishCapture(const Buffer &parts, Value gradient);
  void launchPiece(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns);
  void launchSide(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns, xft::VjpSide side);
  /// The kernel of one side of a gradient; of one residue if residues share rows or keys. `suspects`: as in
  /// xft.attend_vjp.
  struct SideKernel {
    xft::VjpSide side;
    std::optional<int64_t> residue;
    xft::AttendTileAttr tile;
    xft::WarpgroupsAttr groups;
    std::optional<Buffer> suspects;
  };
  Size blocksOf(PieceAttr piece, const SideKernel &kernel);
  Size tilesOf(const HeadsOfSolution &group, PieceAttr piece, const SideKernel &kernel);
  void launchResidues(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns, xft::VjpSide side,
                      std::optional<int64_t> residue);
  void launchKernel(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                    std::optional<SideKernel> kernel = {});
  void launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile, bool assigns);
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles and slices
//===----------------------------------------------------------------------===//

/// True if the keys of some piece are cut into slices. Pieces with residues are not: they have enough tasks.
static bool hasSlices(AttentionVjpOp op) {
  return llvm::any_of(headsOfSolutions(op), [](const HeadsOfSolution &group) {
    auto pieces = group.solution.getPieces();
    return group.solution.getTiles() || llvm::any_of(pieces, [](PieceAttr piece) { return piece.getResidues() == 1; });
  });
}

/// Returns the number of slices of the keys: enough tasks for the workers of a usual machine if there are few heads,
/// but no more than justify a d_q each.
static int64_t sliceCount(AttentionVjpTiling &tiling) {
  constexpr int64_t tasks = 8, most = 4;
  if (!tiling.captureGradients().empty() || !hasSlices(tiling.op) || tiling.host.model.splitsGradientBySide())
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
  tile = tileOf(xft::VjpSide::rows);
  data.emplace(op, host, tile);
  for (auto [region, isGradient] : {std::pair(&weights, false), {&weightGradients, true}})
    if (isLinear(op))
      buildWeights(*region, op.getLoc(), real, captures(), isGradient);
}

/// Returns the tile of the gradient's kernel, or of the kernel of `side` if the target splits gradients by side.
xft::AttendTileAttr AttentionVjpTiling::tileOf(xft::VjpSide side) {
  int64_t depth = *HostBuilder::constant(q.sizes[3]), valueDepth = *HostBuilder::constant(v.sizes[3]);
  return host.model.attendVjpTile(side, q.element, depth, valueDepth);
}

/// True if the blocks of a piece contain every row and every key once; then it may assign gradients instead of adding.
static bool holdsAllOnce(PieceAttr piece) {
  bool isApart = piece.getResidues() == 1 || (piece.getKeysDisjoint() && piece.getQueriesDisjoint());
  return isApart && coversAll(piece.getKeys()) && coversAll(piece.getQueries());
}

/// Returns the piece that assigns gradients, or null. Prefers a piece with slices, which assigns the d_q of each slice.
static PieceAttr findAssigning(SolutionAttr solution) {
  PieceAttr found;
  for (PieceAttr piece : solution.getPieces())
    if (holdsAllOnce(piece) && (!found || (found.getResidues() > 1 && piece.getResidues() == 1)))
      found = piece;
  if (!found && solution.getPieces().empty() && solution.getTiles())
    found = everyPair(solution.getContext());
  return found;
}

SmallVector<Value> AttentionVjpTiling::captures() {
  return op.getRelative() ? SmallVector<Value>{op.getRelative()} : SmallVector<Value>(op.getCaptures());
}
SmallVector<Value> AttentionVjpTiling::captureGradients() {
  return op.getRelative() ? SmallVector<Value>{op.getDRelative()} : SmallVector<Value>(op.getDCaptures());
}

/// Returns the numbers of the captures whose gradients the derivative region yields.
SmallVector<int64_t> AttentionVjpTiling::reads() {
  return op.getRelative() ? SmallVector<int64_t>{0} : SmallVector<int64_t>(op.getReads().value_or(ArrayRef<int64_t>()));
}

/// Returns reads() as numbers of d_captures, which only floating-point captures have.
SmallVector<int64_t> AttentionVjpTiling::readsOfGradients() {
  SmallVector<int64_t> positions;
  for (Value capture : captures()) {
    bool isFloat = isa<FloatType>(cast<RankedTensorType>(capture.getType()).getElementType());
    int64_t before = llvm::count_if(positions, [](int64_t position) { return position >= 0; });
    positions.push_back(isFloat ? before : -1);
  }
  return llvm::map_to_vector(reads(), [&](int64_t capture) { return positions[capture]; });
}

/// True if every read of gradient `number` uses the region's argument `argument` (below `count`) as the index of the
/// same dimension: then tasks with different values of it add to different elements.
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

/// Returns zeros [batch entries, groups, sizes..] for the parts of a captured tensor's gradient. A leading size is 1 if
/// tasks along it add to different elements; if both are 1, the parts are the result itself.
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

void AttentionVjpTiling::launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile,
                                     bool assigns) {
  AttendOperands operands(host);
  SmallVector<unsigned> matrices, gradients, lengths, queryLengths, symbols;
  for (const Buffer &matrix : {q, k, v, dO})
    matrices.push_back(operands.add(matrix, 1));
  unsigned lseNumber = operands.add(lse, 0), deltaNumber = operands.add(delta, 0);
  for (const Buffer &gradient : {dQ.front(), dK, dV})
    gradients.push_back(operands.add(gradient, 1));
  unsigned groupsNumber = operands.add(host.size(groups));
  if (op.getLengths())
    lengths = {operands.addClause(op.getLengths())};
  if (op.getQueryLengths())
    queryLengths = {operands.addClause(op.getQueryLengths())};
  symbols = operands.addClauses(op.getSymbols());
  int64_t lanes = llvm::divideCeil(piece.getResidues(), tile.getLanes());
  Size tasks = host.product({q.sizes[0], host.size(groups * lanes)});
  operands.launch("attend_lanes_vjp", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    auto argument = [&](unsigned number) -> Value { return arguments[number]; };
    auto optional = [&](ArrayRef<unsigned> number) { return number.empty() ? Value() : argument(number[0]); };
    auto vjp = xft::AttendLanesVjpOp::create(
        b, loc, argument(matrices[0]), argument(matrices[1]), argument(matrices[2]), argument(matrices[3]),
        argument(lseNumber), argument(deltaNumber), argument(gradients[0]), argument(gradients[1]),
        argument(gradients[2]), argument(groupsNumber), optional(lengths), optional(queryLengths),
        pick(arguments, symbols), piece,
        b.getF64FloatAttr(attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]))), tile,
        b.getI64IntegerAttr(group.first), b.getI64IntegerAttr(group.step), assigns ? b.getUnitAttr() : UnitAttr());
    host.model.describeLaunch(vjp);
  });
}

void AttentionVjpTiling::launchSide(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                                    xft::VjpSide side) {
  bool isRows = side == xft::VjpSide::rows, isApart = isRows ? piece.getQueriesDisjoint() : piece.getKeysDisjoint();
  if (isApart || piece.getResidues() == 1)
    return launchResidues(group, piece, tiles, assigns, side, std::nullopt);
  for (int64_t residue = 0; residue < piece.getResidues(); ++residue) // residues share rows or keys
    launchResidues(group, piece, tiles, assigns, side, residue);
}

void AttentionVjpTiling::launchResidues(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                                        xft::VjpSide side, std::optional<int64_t> residue) {
  SmallVector<Buffer> operands = {q, k, v, dO};
  operands.append(side == xft::VjpSide::rows ? SmallVector<Buffer>{dQ.front()} : SmallVector<Buffer>{dK, dV});
  AttendKernels chosen = host.model.attendVjpKernels(op, host, side, piece, tiles, operands);
  std::optional<Buffer> flags;
  for (const AttendKernelTile &kernel : chosen.kernels) {
    SideKernel sideKernel{side, residue, kernel.tile, kernel.warpgroups, {}};
    if (chosen.flagsPerTile && !flags) {
      Size count = host.mul(tilesOf(group, piece, sideKernel), host.size(chosen.flagsPerTile));
      flags = host.allocate(host.b.getI32Type(), {count});
    }
    sideKernel.suspects = flags;
    launchKernel(group, piece, tiles, assigns, sideKernel);
  }
}

Size AttentionVjpTiling::blocksOf(PieceAttr piece, const SideKernel &kernel) {
  return kernel.side == xft::VjpSide::keys
             ? host.ceilDiv(rankCount(host, piece.getKeys(), k.sizes[2]), kernel.tile.getKeys())
             : host.ceilDiv(rankCount(host, piece.getQueries(), q.sizes[2]), kernel.tile.getQueries());
}

Size AttentionVjpTiling::tilesOf(const HeadsOfSolution &group, PieceAttr piece, const SideKernel &kernel) {
  if (kernel.side == xft::VjpSide::captures)
    return host.mul(q.sizes[0], host.size(groups));
  Size heads = kernel.side == xft::VjpSide::rows
                   ? host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step)
                   : host.size(groups);
  Size residues = host.size(kernel.residue ? 1 : piece.getResidues());
  return host.product({q.sizes[0], heads, residues, blocksOf(piece, kernel)});
}

void AttentionVjpTiling::launchPiece(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns) {
  if (host.model.splitsGradientBySide()) {
    for (xft::VjpSide side : {xft::VjpSide::rows, xft::VjpSide::keys})
      launchSide(group, piece, tiles, assigns, side);
    if (!dCaptures.empty())
      launchKernel(group, piece, tiles, /*assigns=*/false,
                   SideKernel{xft::VjpSide::captures, {}, tileOf(xft::VjpSide::captures), {}, {}});
    return;
  }
  if (xft::LaneTileAttr lanes = tiles ? xft::LaneTileAttr() : host.model.laneTile(op, group.solution, piece))
    return launchLanes(group, piece, lanes, assigns);
  launchKernel(group, piece, tiles, assigns);
}

void AttentionVjpTiling::launchKernel(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                                      std::optional<SideKernel> kernel) {
  AttendOperands operands(host);
  SmallVector<unsigned> matrices, gradients, lengths, queryLengths, symbols, captures, dCaptureNumbers, seed;
  SmallVector<unsigned> blocksNumber, residueNumber, suspects;
  xft::AttendTileAttr tile = kernel ? kernel->tile : this->tile;
  for (const Buffer &matrix : {q, k, v, dO})
    matrices.push_back(operands.add(matrix, 1));
  unsigned lseNumber = operands.add(lse, 0), deltaNumber = operands.add(delta, 0);
  bool sliced = piece.getResidues() == 1; // one residue: a task per slice; else one slice
  for (const Buffer &gradient : ArrayRef(dQ).take_front(sliced ? dQ.size() : 1))
    gradients.push_back(operands.add(gradient, 1));
  unsigned dKNumber = operands.add(dK, 1), dVNumber = operands.add(dV, 1);
  unsigned groupsNumber = operands.add(host.size(groups));
  if (kernel)
    blocksNumber = {operands.add(blocksOf(piece, *kernel))};
  if (kernel && kernel->residue)
    residueNumber = {operands.add(host.size(*kernel->residue))};
  if (op.getLengths())
    lengths = {operands.addClause(op.getLengths())};
  if (op.getQueryLengths())
    queryLengths = {operands.addClause(op.getQueryLengths())};
  symbols = operands.addClauses(op.getSymbols());
  SmallVector<unsigned> asked = data->add(operands, tiles);
  captures = operands.addClauses(this->captures());
  if (!kernel || kernel->side == xft::VjpSide::captures)
    for (const Buffer &gradient : dCaptures)
      dCaptureNumbers.push_back(operands.add(gradient, 0));
  if (op.getDropout())
    seed = {operands.addClause(op.getSeed())};
  if (kernel && kernel->suspects)
    suspects = {operands.add(*kernel->suspects, 0)};

  bool apart = dCaptures.empty() && piece.getKeysDisjoint() && piece.getQueriesDisjoint();
  int64_t residues = apart ? piece.getResidues() : 1;
  Size tasks = host.product({q.sizes[0], host.size(groups * residues * static_cast<int64_t>(gradients.size()))});
  if (kernel)
    tasks = tilesOf(group, piece, *kernel);
  operands.launch("attend_vjp", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    auto flag = [&](bool set) { return set ? b.getUnitAttr() : UnitAttr(); };
    auto argument = [&](unsigned number) -> Value { return arguments[number]; };
    auto optional = [&](ArrayRef<unsigned> number) { return number.empty() ? Value() : argument(number[0]); };
    auto vjp = xft::AttendVjpOp::create(
        b, loc, argument(matrices[0]), argument(matrices[1]), argument(matrices[2]), argument(matrices[3]),
        argument(lseNumber), argument(deltaNumber), pick(arguments, gradients), argument(dKNumber), argument(dVNumber),
        argument(groupsNumber), optional(blocksNumber), optional(residueNumber), optional(lengths),
        optional(queryLengths), pick(arguments, symbols), pick(arguments, asked), pick(arguments, captures),
        pick(arguments, dCaptureNumbers), optional(seed), optional(suspects), piece, tiles, op.getDropoutAttr(),
        b.getF64FloatAttr(isLinear(op) ? 1 : attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]))), tile,
        kernel ? kernel->groups : xft::WarpgroupsAttr(), b.getDenseI64ArrayAttr(readsOfGradients()),
        b.getI64IntegerAttr(group.first), b.getI64IntegerAttr(group.step), flag(isLinear(op)), flag(assigns),
        kernel ? xft::VjpSideAttr::get(b.getContext(), kernel->side) : xft::VjpSideAttr());
    copyScore(getScore(), vjp.getScore());
    copyScore(getDerivative(), vjp.getDerivative());
    host.model.describeLaunch(vjp);
  });
}

/// Splits lse into the sum of two numbers of type `real`, because one would lose digits of large scores.
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

/// Sets lse and delta. Uses m and log l, and o before it was rounded, if forward launches of the program kept them. A
/// linear op has no lse: zeros replace lse and delta.
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

LogicalResult AttentionVjpTiling::launchAll() {
  auto keyHeads = HostBuilder::constant(k.sizes[1]), valueHeads = HostBuilder::constant(v.sizes[1]);
  if (!keyHeads || !valueHeads)
    return op.emitError("expected a static number of heads, got ") << op.getK().getType();
  groups = std::gcd(*keyHeads, *valueHeads);
  SmallVector<HeadsOfSolution> solutions = headsOfSolutions(op);
  PieceAttr assigning = solutions.size() == 1 ? findAssigning(solutions[0].solution) : PieceAttr();
  bool clear = !assigning, clearSlices = clear || assigning.getResidues() > 1;
  dQ = {gradientSums(host, real, op.getDQ(), clear)};
  for (int64_t slice = 1, slices = sliceCount(*this); slice < slices; ++slice) {
    dQ.push_back(host.allocate(real, q.sizes));
    if (clearSlices)
      tileFill(host, dQ.back(), 0);
  }
  for (unsigned number = 0; number < captureGradients().size(); ++number)
    dCaptures.push_back(startCapture(number));
  dK = gradientSums(host, real, op.getDK(), clear);
  dV = gradientSums(host, real, op.getDV(), clear);
  findLse();
  int64_t depth = *HostBuilder::constant(q.sizes[3]), valueDepth = *HostBuilder::constant(v.sizes[3]);
  auto lanesOf = [&](SolutionAttr solution, PieceAttr piece) { return host.model.laneTile(op, solution, piece); };
  recordAttentionWork(host, solutions, q, k, tile, lanesOf, 3 * depth + 2 * valueDepth);
  if (assigning && !solutions[0].solution.getPieces().empty())
    launchPiece(solutions[0], assigning, TilesAttr(), /*assigns=*/true);
  for (const HeadsOfSolution &group : solutions) {
    for (PieceAttr piece : group.solution.getPieces())
      if (piece != assigning)
        launchPiece(group, piece, TilesAttr(), /*assigns=*/false);
    if (TilesAttr tiles = group.solution.getTiles()) // a predicate selects among all pairs
      launchPiece(group, everyPair(op.getContext()), tiles,
                  /*assigns=*/assigning && group.solution.getPieces().empty());
  }
  finishGradient(host, dQ, op.getDQ());
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
