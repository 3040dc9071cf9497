//===- StencilForm.cpp - Stencils in lanes --------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of attention with a stencil in lanes. With neighbouring rows in lanes, a kernel computes only the pairs of a
// box. But it loads registers of keys at any address, and transposes all matrices. The form is offered if this is less
// work than tiles of whole registers of keys. Both are estimated in pairs.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Lanes/StencilBuffers.h"
#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Target/CPU/Tiling/GridBox.h"
#include "compiler/Tile/Attend/AttentionTiling.h"
#include "compiler/Tile/Attend/AttentionVjpTiling.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;

namespace {
/// The form of attention with a stencil in lanes. Its choices hold a xft::StencilTileAttr.
class StencilForm : public AttentionForm {
public:
  explicit StencilForm(const CpuTileModel &model) : model(model) {}

  StringRef name() const override { return "stencil in lanes"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override;
  AttentionFigures figures(const AttentionSite &site, const AttentionChoice &choice) const override;
  SmallVector<std::string> reasons(const AttentionSite &site, const AttentionChoice &choice) const override;
  void launch(AttentionTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;
  void launchVjp(AttentionVjpTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;
  bool writesResults() const override { return false; }

private:
  const CpuTileModel &model;
};
} // namespace

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Returns a tile whose accumulators fit the register file, together with one register per row and one of a key. Each
/// row has an accumulator for each of `columns` shifts of a line of keys, or columns of a matrix.
static xft::StencilTileAttr makeTile(const GridBox &box, int64_t lanes, int64_t registers, MLIRContext *context) {
  constexpr int64_t mostRows = 3, mostColumns = 8;
  int64_t rows = std::min(mostRows, box.lines), columns = std::min(mostColumns, (registers - 1) / rows - 1);
  return xft::StencilTileAttr::get(context, rows, columns, lanes, box.length, box.firstLine, box.lines, box.firstShift,
                                   box.shifts);
}

/// Returns the cost of the products of one row. The unit is the cost of a pair in a register tile that never waits. A
/// load at any address takes as long as two multiply-adds.
static double productCost(xft::StencilTileAttr tile) {
  int64_t rows = tile.getRows(), lines = tile.getLines(), cost = 0;
  for (int64_t line = 0; line < tile.getKeyLines(); ++line) {
    int64_t seeing = std::min(line, rows - 1) - std::max<int64_t>(0, line - lines + 1) + 1;
    cost += tile.getShifts() * std::max<int64_t>(seeing, 2) + seeing;
  }
  double filled = double(tile.getLength()) / double(llvm::alignTo(tile.getLength(), tile.getLanes()));
  return double(cost) / double(rows) / filled;
}

/// Returns the number of elements that a task keeps in scratch for each column of the grid.
static int64_t keptColumns(xft::StencilTileAttr tile, int64_t depths, bool isGradient) {
  int64_t seeing = isGradient ? tile.getSeeingLines() : 0;
  return (tile.getKeyLines() + seeing) * depths + 2 * seeing * tile.getPairs();
}

template <typename OpTy>
static xft::StencilTileAttr findTile(OpTy op, SolutionAttr solution, const CpuTileModel &model) {
  const cpu::CpuMachine &machine = model.machine;
  constexpr bool isGradient = std::is_same_v<OpTy, AttentionVjpOp>;
  // Of a row of each matrix, in pairs: of q, k, v and o for two products, of q, k, v, d_o, d_q, d_k and d_v for five.
  constexpr double transposition = isGradient ? 16. * 7 / 4 * 2 / 5 : 16;
  constexpr int64_t mostCaches = isGradient ? 4 : 2;
  auto q = op.getQ().getType(), k = op.getK().getType(), v = op.getV().getType();
  Type element = q.getElementType();
  bool isKnown = !q.isDynamicDim(2) && !k.isDynamicDim(2);
  if (!isKnown || op.getPart() || !hasPlainScores(op))
    return {};
  std::optional<GridBox> box = findGridBox(solution);
  Type real = accumulatorType(element);
  int64_t lanes = machine.lanes(real), bytes = real.getIntOrFloatBitWidth() / 8;
  if (!box || lanes < 4 || box->length < lanes)
    return {};
  xft::StencilTileAttr tile = makeTile(*box, lanes, machine.registers, op.getContext());
  int64_t depth = q.getDimSize(3), valueDepth = v.getDimSize(3);
  int64_t kept = keptColumns(tile, depth + valueDepth, isGradient);
  if (kept * cpu::StencilSizes(tile).stride * bytes > mostCaches * machine.l2Bytes)
    return {};
  xft::AttendTileAttr other = isGradient ? model.attendVjpTile(xft::VjpSide::rows, element, depth, valueDepth)
                                         : model.attendTile(element, depth, valueDepth);
  auto work = countWork(box->pieces, q.getDimSize(2), k.getDimSize(2), other.getRows(), other.getLanes());
  // Lanes widen 16-bit elements as they transpose them; register tiles may multiply several terms at once.
  double terms = double(productForm(machine, productElement(op)).terms);
  if (!work || productCost(tile) + transposition > work->executedPairs / terms / double(q.getDimSize(2)))
    return {};
  return tile;
}

std::optional<AttentionChoice> StencilForm::offer(const AttentionSite &site) const {
  if (site.order)
    return std::nullopt;
  SolutionAttr solution = site.group.solution;
  auto vjp = dyn_cast<AttentionVjpOp>(site.op);
  xft::StencilTileAttr tile =
      vjp ? findTile(vjp, solution, model) : findTile(cast<AttentionOp>(site.op), solution, model);
  return tile ? std::optional(AttentionChoice{{tile}}) : std::nullopt;
}

static xft::StencilTileAttr tileOf(const AttentionChoice &choice) {
  return cast<xft::StencilTileAttr>(choice.kernels[0]);
}

AttentionFigures StencilForm::figures(const AttentionSite &site, const AttentionChoice &choice) const {
  xft::StencilTileAttr tile = tileOf(choice);
  int64_t rows = tile.getRows(), length = tile.getLength();
  AttentionShape shape = AttentionShape::of(site);
  return {rows * tile.getLanes(), tile.getColumns(),           /*wholeColumns=*/1,
          rows * length,          tile.getKeyLines() * length, executedPairs(tile, shape.queries, shape.keys)};
}

SmallVector<std::string> StencilForm::reasons(const AttentionSite &, const AttentionChoice &choice) const {
  xft::StencilTileAttr tile = tileOf(choice);
  int64_t rows = tile.getRows(), columns = tile.getColumns();
  return {
      llvm::formatv("lines of {0}: {1} x {2} keys around each query, {3} neighbouring queries in lanes, {4} lines at "
                    "a time; {5} accumulators, {4} of queries and 1 of a key are {6} of the {7} registers",
                    tile.getLength(), tile.getLines(), tile.getShifts(), tile.getLanes(), rows, rows * columns,
                    rows * columns + rows + 1, model.machine.registers)};
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void StencilForm::launch(AttentionTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  xft::StencilTileAttr tile = tileOf(choice);
  AttendOperands operands(t.host);
  SmallVector<unsigned> matrices = t.addMatrices(operands);
  GroupNumbers rowState =
      t.addRowState(operands, t.addLse(operands, /*isLast=*/true), /*usesState=*/false, /*isLast=*/true);
  GroupNumbers clauses = addAttendClauses(operands, t.op, {}, t.data, {});
  AttentionShape shape = AttentionShape::of(site);
  int64_t lines = queryLines(tile.getLength(), shape.queries, shape.keys);
  Size ofHead = t.host.size(llvm::divideCeil(lines, tile.getRows()));
  Size tasks = t.host.product({t.q.sizes[0], t.headsOf(site.group), ofHead});
  operands.launch("attend_stencil", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, matrices);
    SmallVector<PieceAttr> pieces = findGridBox(site.group.solution)->pieces;
    auto attend = xft::AttendStencilOp::create(b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, rowState),
                                               PickedGroups(arguments, clauses), orderOf(pieces, site.group),
                                               attendWeights(t.op, t.scale), tile);
    t.host.model.describeLaunch(attend);
  });
}

void StencilForm::launchVjp(AttentionVjpTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  xft::StencilTileAttr tile = tileOf(choice);
  AttendOperands operands(t.host);
  SmallVector<unsigned> numbers = t.addMatrices(operands);
  GroupNumbers clauses = addAttendClauses(operands, t.op, {}, *t.data, {});
  LineStrips strips = gradientStrips(t.op, tile, t.groups);
  Size tasks = t.host.product({t.q.sizes[0], t.host.size(t.groups * strips.count)});
  operands.launch("attend_stencil_vjp", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, numbers);
    auto vjp = xft::AttendStencilVjpOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8],
                                               of[9], strips.groups, PickedGroups(arguments, clauses),
                                               orderOf(findGridBox(site.group.solution)->pieces, site.group),
                                               t.weightsAttr(), tile, site.assigns);
    t.host.model.describeLaunch(vjp);
  });
}

std::shared_ptr<const AttentionForm> cpu::stencilForm(const CpuTileModel &model) {
  return std::make_shared<StencilForm>(model);
}
