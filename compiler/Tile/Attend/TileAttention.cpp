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
#include "compiler/Tile/Attend/FewRows.h"
#include "compiler/Tile/Attend/ForwardKernels.h"
#include "compiler/Tile/Attend/GridBox.h"
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
  /// Returns the tile of a kernel that computes all rows of a head at once; null if the op has several solutions.
  xft::FewTileAttr fewTile(SolutionAttr solution, const Buffer &q);
  void launchFew(const HeadsOfSolution &group, xft::FewTileAttr tile);
  void launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile, bool save);
  void launchLines(const HeadsOfSolution &group, xft::LineTileAttr tile);
  void keepForGradient();
  bool runsGradientKernel(xft::AttendSchedule schedule);
  void launchGroup(const HeadsOfSolution &group);
  void launchOrder(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save);
  /// Returns the tile of a solution's first query order.
  xft::AttendTileAttr firstTile(SolutionAttr solution, const Buffer &q, const Buffer &o);
  /// Folds grouped queries (heads that share keys become rows of one head) if that at least halves the number of tiles.
  void foldHeads(HeadsOfSolution &group);
  void launchKernel(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save,
                    xft::AttendSchedule schedule, const std::optional<Buffer> &flags);
  SmallVector<unsigned, 2> addLse(AttendOperands &operands, bool isLast);
  GroupNumbers addRowState(AttendOperands &operands, ArrayRef<unsigned> lseNumber, bool usesState, bool isLast);
  Size tilesOf(const HeadsOfSolution &group, const QueryOrder &order, Size blocks);
};

} // namespace

static xft::AttendTileAttr tileOf(AttentionOp op, const TileModel &model) {
  auto q = op.getQ().getType(), v = op.getV().getType();
  return model.attendTile(q.getElementType(), q.getDimSize(3), v.getDimSize(3));
}

AttentionTiling::AttentionTiling(AttentionOp op, HostBuilder &host)
    : op(op), host(host), real(accumulatorType(op.getQ().getType().getElementType())), tile(tileOf(op, host.model)),
      packed(host, host.model.packedKeys(productElement(op), op.getK().getType().getElementType()), tile),
      data(op, host, tile) {
  q = withUnitInner(host, host.buffer(op.getQ()));
  k = host.buffer(op.getK());
  v = host.buffer(op.getV());
  if (readsInPlace(host.model.schedule(tile, productElement(op)))) {
    k = withUnitInner(host, k);
    v = withUnitInner(host, v);
  }
  scale = isLinear(op) ? 1 : attentionScale(op.getScale(), *HostBuilder::constant(q.sizes[3]));
  if (isLinear(op))
    buildWeights(weights, op.getLoc(), real, captures(), /*withDerivatives=*/false);
}

Size AttentionTiling::tilesOf(const HeadsOfSolution &group, const QueryOrder &order, Size blocks) {
  Size heads = host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step);
  return host.product({q.sizes[0], heads, host.size(order.residues), blocks});
}

xft::FewTileAttr AttentionTiling::fewTile(SolutionAttr solution, const Buffer &q) {
  auto rows = HostBuilder::constant(q.sizes[2]);
  return rows && headsOfSolutions(op).size() == 1 ? host.model.fewTile(op, solution, *rows) : xft::FewTileAttr();
}

xft::AttendTileAttr AttentionTiling::firstTile(SolutionAttr solution, const Buffer &q, const Buffer &o) {
  if (xft::FewTileAttr few = fewTile(solution, q)) {
    int64_t rows = *HostBuilder::constant(q.sizes[2]), lanes = few.getLanes(), keys = few.getKeys();
    return xft::AttendTileAttr::get(op.getContext(), rows, keys / lanes, lanes, /*queries=*/rows, keys);
  }
  QueryOrder first = queryOrders(solution).front();
  return tileOf(host.model.attendKernels(op, host, first, {q, k, v, o}, /*resume=*/false, /*save=*/false).schedules[0]);
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
    Size blocks = host.ceilDiv(rankCount(host, order.queries, q.sizes[2]), tileOf(chosen.schedules[0]).getQueries());
    Size count = host.mul(tilesOf(group, order, blocks), host.size(chosen.flagsPerTile));
    flags = host.allocate(host.b.getI32Type(), {count});
  }
  for (xft::AttendSchedule schedule : chosen.schedules)
    launchKernel(group, order, resume, save, schedule, flags);
}

/// Adds lse as an operand and returns its index. Returns an empty list if nothing reads lse, or if this is not the last
/// query order, because only the last one completes lse.
SmallVector<unsigned, 2> AttentionTiling::addLse(AttendOperands &operands, bool isLast) {
  return lse && isLast ? SmallVector<unsigned, 2>{operands.add(*lse, 0)} : SmallVector<unsigned, 2>();
}

/// Adds the row state as operands. If `usesState`, adds m, l and unnormalised o, which one query order leaves to the
/// next. If `isLast`, adds m, log l and unrounded o, which are kept for a gradient. Returns the indices by group: lse,
/// sums, accumulator, kept.
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

namespace {
/// The indices of a launch's operands that hold keys and values.
struct KeyOperands {
  SmallVector<unsigned> keys, values;
  SmallVector<int64_t> buffers; ///< for each piece, its number among `keys` and `values`
};
} // namespace

/// Adds k and v themselves as operands if the kernel reads them in place. Otherwise, adds panels of k and packed rows
/// of v, once for each index map of keys.
static KeyOperands addKeys(AttendOperands &operands, HostBuilder &host, PackedOperands &packed, const Buffer &k,
                           const Buffer &v, const QueryOrder &order, xft::AttendSchedule schedule) {
  KeyOperands numbers;
  if (readsInPlace(schedule)) {
    numbers.keys = {operands.add(withUnitInner(host, k), 1)};
    numbers.values = {operands.add(withUnitInner(host, v), 1)};
    return numbers;
  }
  SmallVector<IndexMapAttr> maps;
  for (PieceAttr piece : order.pieces) {
    auto found = llvm::find(maps, piece.getKeys());
    numbers.buffers.push_back(found - maps.begin());
    if (found != maps.end())
      continue;
    maps.push_back(piece.getKeys());
    packed.addKeys(operands, k, piece.getKeys(), numbers.keys);
    packed.addRows(operands, v, piece.getKeys(), numbers.values);
  }
  return numbers;
}

/// Returns true if the kernel of an attention with a gradient computes this one, which has none: where it is told at
/// run time, by empty buffers, to keep nothing. An o that is rounded is kept in another way than results are written.
bool AttentionTiling::runsGradientKernel(xft::AttendSchedule schedule) {
  return op->hasAttr(kHasGradientKernelAttrName) && isa<xft::RegisterTilesAttr>(schedule) && o.element == real;
}

/// Returns a vector of rows without elements for each batch entry and head of o.
static Buffer withoutRows(HostBuilder &host, const Buffer &o) {
  Buffer rows = o;
  rows.sizes = {o.sizes[0], o.sizes[1], host.size(0)};
  rows.strides = {host.size(0), host.size(0), host.size(1)};
  return rows;
}

void AttentionTiling::launchKernel(const HeadsOfSolution &group, const QueryOrder &order, bool resume, bool save,
                                   xft::AttendSchedule schedule, const std::optional<Buffer> &flags) {
  AttendOperands operands(host);
  unsigned qNumber = operands.add(q, 1), oNumber = operands.add(o, 1);
  Size blocks = host.ceilDiv(rankCount(host, order.queries, q.sizes[2]), tileOf(schedule).getQueries());
  unsigned blocksNumber = operands.add(blocks), nkNumber = operands.add(k.sizes[2]);
  SmallVector<unsigned, 2> lseNumber = addLse(operands, /*isLast=*/!save);
  KeyOperands keys = addKeys(operands, host, packed, k, v, order, schedule);
  GroupNumbers rowState = addRowState(operands, lseNumber, /*usesState=*/resume || save, /*isLast=*/!save);
  for (int part = 0; part < 2 && !save && runsGradientKernel(schedule); ++part)
    rowState[3].push_back(operands.add(withoutRows(host, o), 0));
  GroupNumbers clauses = addAttendClauses(operands, op, captures(), data, order.tiles);
  SmallVector<unsigned> flagsNumber;
  if (flags)
    flagsNumber = {operands.add(*flags, 0)};
  bool isWholeResidue = readsInPlace(schedule) && isa<xft::RegisterTilesAttr>(schedule) && order.residues > 1;
  Size tiles = tilesOf(group, order, isWholeResidue ? host.size(1) : blocks);
  operands.launch("attend", tiles, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Attribute> pieces(order.pieces.begin(), order.pieces.end());
    auto buffers = keys.buffers.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(keys.buffers);
    auto orderAttr = xft::QueryOrderAttr::get(b.getContext(), order.queries, order.residues, b.getArrayAttr(pieces),
                                              buffers, withoutLists(order.tiles), group.first, group.step);
    auto attend = xft::AttendOp::create(b, loc, arguments[qNumber], arguments[oNumber], arguments[blocksNumber],
                                        arguments[nkNumber], pick(arguments, keys.keys), pick(arguments, keys.values),
                                        PickedGroups(arguments, rowState), PickedGroups(arguments, clauses),
                                        flags ? Value(arguments[flagsNumber[0]]) : Value(), orderAttr,
                                        attendWeights(op, scale), schedule, resume, save);
    copyScore(isLinear(op) ? weights : op.getScore(), attend.getScore());
    host.model.describeLaunch(attend);
  });
}

void AttentionTiling::launchLanes(const HeadsOfSolution &group, PieceAttr piece, xft::LaneTileAttr tile, bool save) {
  AttendOperands operands(host);
  SmallVector<unsigned> matrices;
  for (const Buffer &matrix : {q, withUnitInner(host, k), withUnitInner(host, v), o})
    matrices.push_back(operands.add(matrix, 1));
  GroupNumbers rowState =
      addRowState(operands, addLse(operands, /*isLast=*/!save), /*usesState=*/save, /*isLast=*/!save);
  GroupNumbers clauses = addAttendClauses(operands, op, {}, data, {});
  Size heads = host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step);
  Size tasks = host.product({q.sizes[0], heads, host.size(llvm::divideCeil(piece.getResidues(), tile.getLanes()))});
  operands.launch("attend_lanes", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, matrices);
    auto attend = xft::AttendLanesOp::create(
        b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, rowState), PickedGroups(arguments, clauses),
        xft::QueryOrderAttr::of(piece, {}, group.first, group.step), attendWeights(op, scale), tile, save);
    host.model.describeLaunch(attend);
  });
}

void AttentionTiling::launchLines(const HeadsOfSolution &group, xft::LineTileAttr tile) {
  AttendOperands operands(host);
  SmallVector<unsigned> matrices;
  for (const Buffer &matrix : {q, withUnitInner(host, k), withUnitInner(host, v), o})
    matrices.push_back(operands.add(matrix, 1));
  GroupNumbers rowState =
      addRowState(operands, addLse(operands, /*isLast=*/true), /*usesState=*/false, /*isLast=*/true);
  GroupNumbers clauses = addAttendClauses(operands, op, {}, data, {});
  int64_t lines = queryLines(tile.getLength(), *HostBuilder::constant(q.sizes[2]), *HostBuilder::constant(k.sizes[2]));
  Size heads = host.ceilDiv(host.sub(q.sizes[1], host.size(group.first)), group.step);
  Size tasks = host.product({q.sizes[0], heads, host.size(llvm::divideCeil(lines, tile.getRows()))});
  operands.launch("attend_lines", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, matrices);
    SmallVector<PieceAttr> pieces = findGridBox(group.solution)->pieces;
    auto attend = xft::AttendLinesOp::create(b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, rowState),
                                             PickedGroups(arguments, clauses), orderOf(pieces, group),
                                             attendWeights(op, scale), tile);
    host.model.describeLaunch(attend);
  });
}

/// Launches the kernel that reads k and v in place. If there may be several slices of keys, their sums are added by a
/// second launch.
void AttentionTiling::launchFew(const HeadsOfSolution &group, xft::FewTileAttr tile) {
  Size slices = host.ceilDiv(k.sizes[2], tile.getSlice()), heads = host.mul(q.sizes[0], q.sizes[1]);
  bool save = tile.getSlice() < unslicedKeys && HostBuilder::constant(slices).value_or(2) > 1;
  if (save) {
    SmallVector<Size> rows = {slices, q.sizes[0], q.sizes[1], q.sizes[2]};
    state = {host.allocate(real, rows), host.allocate(real, rows)};
    rows.push_back(v.sizes[3]);
    state.push_back(host.allocate(real, rows));
  }
  AttendOperands operands(host);
  unsigned matrices[] = {operands.add(q, 2), operands.add(withUnitInner(host, k), 1),
                         operands.add(withUnitInner(host, v), 1), operands.add(o, 2)};
  GroupNumbers rowState =
      addRowState(operands, addLse(operands, /*isLast=*/!save), /*usesState=*/save, /*isLast=*/!save);
  GroupNumbers clauses = addAttendClauses(operands, op, {}, data, {});
  operands.launch("attend_few", save ? host.mul(heads, slices) : heads,
                  [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
                    SmallVector<Value> of = pick(arguments, matrices);
                    auto attend = xft::AttendFewOp::create(
                        b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, rowState),
                        PickedGroups(arguments, clauses), orderOf(group.solution.getPieces(), group),
                        attendWeights(op, scale), tile, save);
                    host.model.describeLaunch(attend);
                  });
  if (!save)
    return;
  AttendOperands sums(host);
  unsigned target = sums.add(o, 1);
  GroupNumbers merged = addRowState(sums, addLse(sums, /*isLast=*/true), /*usesState=*/true, /*isLast=*/true);
  sums.launch("merge_slices", host.mul(heads, q.sizes[2]),
              [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
                host.model.describeLaunch(
                    xft::MergeSlicesOp::create(b, loc, arguments[target], PickedGroups(arguments, merged)));
              });
}

/// Returns true if something reads lse itself. Gradients do not: they read m and log l, which are kept for them.
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
  if (xft::FewTileAttr few = fewTile(group.solution, q))
    return launchFew(group, few);
  if (xft::LineTileAttr lines = host.model.lineTile(op, group.solution))
    return launchLines(group, lines);
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
  if (!op.getPart()) // else every rank has other pairs
    recordAttentionWork(host, groups, tiling.q, tiling.k, tiling.firstTile(groups.front().solution, tiling.q, tiling.o),
                        lanesOf, *HostBuilder::constant(tiling.q.sizes[3]) + *HostBuilder::constant(tiling.v.sizes[3]));
  for (const HeadsOfSolution &group : groups)
    tiling.launchGroup(group);
  if (!direct)
    tileCopy(host, o, result);
  return success();
}
