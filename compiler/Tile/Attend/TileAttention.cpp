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
// Kernels depend on pieces, element types and head sizes; batch, heads, rows and all strides are scalars of the launch.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Attention.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/GroupedQueryFolding.h"
#include "dialects/xft/IR/XftBoxes.h"

using namespace mlir;
using namespace mlir::xf;

namespace {
/// The tiling of one xf.attention into launches.
struct AttentionTiling {
  AttentionOp op;
  HostBuilder &host;
  Type real;
  xft::AttendTileAttr tile;
  PackedOperands packed;
  PredicateData data;
  double scale;
  Buffer q, k, v, o;
  std::optional<Buffer> lse;
  Region weights;               ///< of a linear op, instead of its score region
  SmallVector<Buffer, 3> state; ///< between query orders: m, l and, if o is rounded, the unnormalised o
  SmallVector<Buffer, 3> kept;  ///< for a gradient: m, log l and, if o is rounded, the unrounded o

  AttentionTiling(AttentionOp op, HostBuilder &host);
  SmallVector<Value> captures() {
    return op.getRelative() ? SmallVector<Value>{op.getRelative()} : SmallVector<Value>(op.getCaptures());
  }
  std::optional<int64_t> gatheredRanks(const QueryOrder &order);
  void launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile, bool save);
  void keepForGradient();
  void launchGroup(const HeadsOfSolution &group);
  void launchOrder(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save);
  /// Returns the tile of a solution's first query order.
  xft::AttendTileAttr firstTile(SolutionAttr solution, const Buffer &q, const Buffer &o);
  /// Folds grouped queries (heads that share keys become rows of one) if that at least halves the tiles of rows.
  void foldHeads(HeadsOfSolution &group);
  void launchKernel(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save,
                    const AttendKernelTile &kernel, const std::optional<Buffer> &flags);
  Size tilesOf(const HeadsOfSolution &group, const QueryOrder &order, Size blocks);
};

/// The numbers of a launch's operands, by their role in xft.attend.
struct OperandNumbers {
  unsigned q, o, blocks, nk;
  SmallVector<unsigned> lse, keys, values, sums, accumulator, kept, lengths, queryLengths, symbols, data, captures,
      seed, flags;
};
} // namespace

static xft::AttendTileAttr tileOf(AttentionOp op, const TileModel &model) {
  auto q = op.getQ().getType(), v = op.getV().getType();
  return model.attendTile(q.getElementType(), q.getDimSize(3), v.getDimSize(3));
}

AttentionTiling::AttentionTiling(AttentionOp op, HostBuilder &host)
    : op(op), host(host), real(accumulatorType(op.getQ().getType().getElementType())), tile(tileOf(op, host.model)),
      packed(host, real, tile), data(op, host, tile) {
  q = withUnitInner(host, host.buffer(op.getQ()));
  k = host.buffer(op.getK());
  v = host.buffer(op.getV());
  if (host.model.readsKeysInPlace()) {
    k = withUnitInner(host, k);
    v = withUnitInner(host, v);
  }
  scale = isLinear(op) ? 1 : attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]));
  if (isLinear(op))
    buildWeights(weights, op.getLoc(), real, captures(), /*withDerivatives=*/false);
}

/// Returns the ranks, in whole panels, of the keys that each task of a query order packs itself: if there are many
/// residues, and the keys and values of one take a small part of the L2 cache. Nothing otherwise: longer residues are
/// packed once, by a launch, for all blocks of their queries.
std::optional<int64_t> AttentionTiling::gatheredRanks(const QueryOrder &order) {
  constexpr int64_t manyResidues = 8;
  if (order.residues < manyResidues || order.pieces.empty() || order.tiles || host.model.readsKeysInPlace())
    return std::nullopt;
  IndexMapAttr map = order.pieces[0].getKeys();
  auto isOther = [&](PieceAttr piece) { return piece.getKeys() != map; };
  auto ranks = HostBuilder::constant(rankCount(host, map, k.sizes[2]));
  if (map.getResidues() != order.residues || llvm::any_of(order.pieces, isOther) || !ranks)
    return std::nullopt;
  int64_t whole = llvm::alignTo(std::max<int64_t>(1, *ranks), tile.getWidth());
  int64_t depths = *HostBuilder::constant(k.sizes[3]) + *HostBuilder::constant(v.sizes[3]);
  bool isSmall = host.model.packsKeysInTasks(whole * depths * (real.getIntOrFloatBitWidth() / 8));
  return isSmall ? std::optional(whole) : std::nullopt;
}

Size AttentionTiling::tilesOf(const HeadsOfSolution &group, const QueryOrder &order, Size blocks) {
  Size heads = host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step);
  return host.product({q.sizes[0], heads, host.size(order.residues), blocks});
}

xft::AttendTileAttr AttentionTiling::firstTile(SolutionAttr solution, const Buffer &q, const Buffer &o) {
  QueryOrder first = queryOrders(solution).front();
  return host.model.attendKernels(op, host, first, {q, k, v, o}, /*resume=*/false, /*save=*/false).kernels[0].tile;
}

void AttentionTiling::foldHeads(HeadsOfSolution &group) {
  int64_t heads = foldableHeads(op, group.solution), queries = op.getQ().getType().getDimSize(2);
  if (heads == 1)
    return;
  FailureOr<Buffer> rowsOfQ = xf::foldHeads(host, q, heads), rowsOfO = xf::foldHeads(host, o, heads);
  FailureOr<Buffer> rowsOfLse = lse ? xf::foldHeads(host, *lse, heads) : FailureOr<Buffer>(Buffer());
  if (failed(rowsOfQ) || failed(rowsOfO) || failed(rowsOfLse))
    return;
  SolutionAttr folded = xf::foldHeads(group.solution, queries);
  int64_t before = heads * llvm::divideCeil(queries, firstTile(group.solution, q, o).getQueries());
  int64_t after = llvm::divideCeil(heads * queries, firstTile(folded, *rowsOfQ, *rowsOfO).getQueries());
  if (2 * after > before)
    return;
  q = *rowsOfQ;
  o = *rowsOfO;
  if (lse)
    lse = *rowsOfLse;
  for (Buffer &part : kept) // contiguous
    part = *xf::foldHeads(host, part, heads);
  group.solution = folded;
}

void AttentionTiling::launchOrder(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save) {
  AttendKernels chosen = host.model.attendKernels(op, host, order, {q, k, v, o}, resume, save);
  std::optional<Buffer> flags;
  if (chosen.flagsPerTile) {
    Size blocks = host.ceilDiv(rankCount(host, order.queries, q.sizes[2]), chosen.kernels[0].tile.getQueries());
    Size count = host.mul(tilesOf(group, order, blocks), host.size(chosen.flagsPerTile));
    flags = host.allocate(host.b.getI32Type(), {count});
  }
  for (const AttendKernelTile &kernel : chosen.kernels)
    launchKernel(group, order, resume, save, kernel, flags);
}

void AttentionTiling::launchKernel(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save,
                                   const AttendKernelTile &kernel, const std::optional<Buffer> &flags) {
  AttendOperands operands(host);
  xft::AttendTileAttr tile = kernel.tile;
  OperandNumbers n;
  n.q = operands.add(q, 1);
  n.o = operands.add(o, 1);
  Size blocks = host.ceilDiv(rankCount(host, order.queries, q.sizes[2]), tile.getQueries());
  n.blocks = operands.add(blocks);
  n.nk = operands.add(k.sizes[2]);
  if (lse && !save) // lse is complete only after the last query order
    n.lse = {operands.add(*lse, 0)};
  SmallVector<IndexMapAttr> maps;
  SmallVector<int64_t> buffers;
  std::optional<int64_t> gathered = gatheredRanks(order);
  bool isInPlace = host.model.readsKeysInPlace();
  if (isInPlace) {
    n.keys = {operands.add(k, 1)};
    n.values = {operands.add(v, 1)};
    buffers.assign(order.pieces.size(), 0);
  }
  for (PieceAttr piece : isInPlace ? ArrayRef<PieceAttr>() : ArrayRef(order.pieces)) {
    auto found = llvm::find(maps, piece.getKeys());
    buffers.push_back(found - maps.begin());
    if (found != maps.end())
      continue;
    maps.push_back(piece.getKeys());
    if (gathered) {
      n.keys = {operands.add(withUnitInner(host, k), 1)};
      n.values = {operands.add(withUnitInner(host, v), 1)};
      continue;
    }
    packed.addKeys(operands, k, piece.getKeys(), n.keys);
    packed.addRows(operands, v, piece.getKeys(), n.values);
  }
  if (resume || save)
    for (auto [number, buffer] : llvm::enumerate(state))
      (number < 2 ? n.sums : n.accumulator).push_back(operands.add(buffer, number < 2 ? 0 : 1));
  for (auto [number, buffer] : llvm::enumerate(save ? ArrayRef<Buffer>() : ArrayRef(kept)))
    n.kept.push_back(operands.add(buffer, number < 2 ? 0 : 1));
  if (op.getLengths())
    n.lengths = {operands.addClause(op.getLengths())};
  if (op.getQueryLengths())
    n.queryLengths = {operands.addClause(op.getQueryLengths())};
  n.symbols = operands.addClauses(op.getSymbols());
  n.data = data.add(operands, order.tiles);
  n.captures = operands.addClauses(captures());
  if (op.getDropout())
    n.seed = {operands.addClause(op.getSeed())};
  if (flags)
    n.flags = {operands.add(*flags, 0)};

  Size tiles = tilesOf(group, order, gathered ? host.size(1) : blocks);
  operands.launch("attend", tiles, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    auto optional = [&](ArrayRef<unsigned> number) { return number.empty() ? Value() : Value(arguments[number[0]]); };
    auto flag = [&](bool set) { return set ? b.getUnitAttr() : UnitAttr(); };
    SmallVector<Attribute> pieces(order.pieces.begin(), order.pieces.end());
    auto attend = xft::AttendOp::create(
        b, loc, arguments[n.q], arguments[n.o], optional(n.lse), arguments[n.nk], arguments[n.blocks],
        pick(arguments, n.keys), pick(arguments, n.values), pick(arguments, n.sums), optional(n.accumulator),
        pick(arguments, n.kept), optional(n.lengths), optional(n.queryLengths), pick(arguments, n.symbols),
        pick(arguments, n.data), pick(arguments, n.captures), optional(n.seed), optional(n.flags),
        b.getArrayAttr(pieces), b.getDenseI64ArrayAttr(buffers), order.queries, b.getI64IntegerAttr(order.residues),
        order.tiles, op.getDropoutAttr(), b.getF64FloatAttr(scale), tile, kernel.warpgroups,
        b.getI64IntegerAttr(group.first), b.getI64IntegerAttr(group.step),
        gathered ? b.getI64IntegerAttr(*gathered) : IntegerAttr(), flag(isInPlace), flag(isLinear(op)), flag(resume),
        flag(save), flag(kernel.isRecheck));
    copyScore(isLinear(op) ? weights : op.getScore(), attend.getScore());
    host.model.describeLaunch(attend);
  });
}

void AttentionTiling::launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile, bool save) {
  AttendOperands operands(host);
  unsigned query = operands.add(q, 1), key = operands.add(withUnitInner(host, k), 1);
  unsigned value = operands.add(withUnitInner(host, v), 1), output = operands.add(o, 1);
  SmallVector<unsigned> lseNumber, sums, accumulator, keptNumbers, lengths, queryLengths, symbols;
  if (lse)
    lseNumber = {operands.add(*lse, 0)};
  if (save)
    for (auto [number, buffer] : llvm::enumerate(state))
      (number < 2 ? sums : accumulator).push_back(operands.add(buffer, number < 2 ? 0 : 1));
  for (auto [number, buffer] : llvm::enumerate(save ? ArrayRef<Buffer>() : ArrayRef(kept)))
    keptNumbers.push_back(operands.add(buffer, number < 2 ? 0 : 1));
  if (op.getLengths())
    lengths = {operands.addClause(op.getLengths())};
  if (op.getQueryLengths())
    queryLengths = {operands.addClause(op.getQueryLengths())};
  symbols = operands.addClauses(op.getSymbols());

  Size heads = host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step);
  Size tasks = host.product({q.sizes[0], heads, host.size(llvm::divideCeil(piece.getResidues(), tile.getLanes()))});
  operands.launch("attend_lanes", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    auto optional = [&](ArrayRef<unsigned> number) { return number.empty() ? Value() : Value(arguments[number[0]]); };
    auto attend = xft::AttendLanesOp::create(
        b, loc, arguments[query], arguments[key], arguments[value], arguments[output], optional(lseNumber),
        pick(arguments, sums), optional(accumulator), pick(arguments, keptNumbers), optional(lengths),
        optional(queryLengths), pick(arguments, symbols), piece, b.getF64FloatAttr(scale), tile,
        b.getI64IntegerAttr(group.first), b.getI64IntegerAttr(group.step), save ? b.getUnitAttr() : UnitAttr());
    host.model.describeLaunch(attend);
  });
}

/// True if a gradient of the program recomputes probabilities from the op's lse.
static bool hasGradient(AttentionOp op) {
  return op.getLse() && llvm::any_of(op.getLse().getUsers(), llvm::IsaPred<AttentionVjpOp>);
}

/// True if lse itself has a reader; gradients read its parts, m and log l.
static bool isLseRead(AttentionOp op) {
  return llvm::any_of(op.getLse().getUses(), [](OpOperand &use) {
    auto gradient = dyn_cast<AttentionVjpOp>(use.getOwner());
    return !gradient || gradient.getDLse() == use.get();
  });
}

/// Allocates the buffers that the last query order fills for gradients.
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
  SmallVector<QueryOrder> orders = queryOrders(group.solution);
  if (orders.size() > 1 && state.empty()) {
    SmallVector<Size> rows = {q.sizes[0], q.sizes[1], q.sizes[2]};
    state = {host.allocate(real, rows), host.allocate(real, rows)};
    rows.push_back(v.sizes[3]);
    if (o.element != real)
      state.push_back(host.allocate(real, rows));
  }
  for (auto [number, order] : llvm::enumerate(orders)) {
    bool resume = number > 0, save = number + 1 < orders.size();
    PieceAttr first = resume || order.pieces.empty() ? PieceAttr() : order.pieces[0];
    if (xft::LaneTileAttr lanes = first ? host.model.laneTile(op, group.solution, first) : xft::LaneTileAttr())
      launchLanes(group, first, lanes, save);
    else
      launchOrder(group, order, resume, save);
  }
}

LogicalResult xf::tileAttention(AttentionOp op, HostBuilder &host) {
  if (auto sum = op->getAttrOfType<KernelSumAttr>(kKernelSumAttrName))
    return tileScan(op, sum, host);
  if (failed(requireTileable(op, host.model)))
    return failure();
  AttentionTiling tiling(op, host);
  Buffer result = host.result(op.getO());
  bool direct = HostBuilder::constant(result.strides[3]) == 1 || HostBuilder::constant(result.sizes[3]) == 1;
  Buffer o = direct ? withUnitInner(host, result) : host.allocate(result.element, result.sizes);
  tiling.o = o;
  if (hasGradient(op))
    tiling.keepForGradient();
  if (op.getLse() && (tiling.kept.empty() || isLseRead(op)))
    tiling.lse = host.result(op.getLse());
  SmallVector<HeadsOfSolution> groups = headsOfSolutions(op);
  if (host.model.foldsGroupedQueries() && groups.size() == 1)
    tiling.foldHeads(groups.front());
  auto lanesOf = [&](SolutionAttr solution, PieceAttr piece) { return host.model.laneTile(op, solution, piece); };
  recordAttentionWork(host, groups, tiling.q, tiling.k, tiling.firstTile(groups.front().solution, tiling.q, tiling.o),
                      lanesOf, *HostBuilder::constant(tiling.q.sizes[3]) + *HostBuilder::constant(tiling.v.sizes[3]));
  for (const HeadsOfSolution &group : groups)
    tiling.launchGroup(group);
  if (!direct)
    tileCopy(host, o, result);
  return success();
}
