//===- LineTiles.cpp - Tiles of attention over boxes of a grid ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows in neighbouring lanes compute only the pairs of a box, but read a register of keys at any address, and transpose
// all matrices. Whether that is less work than tiles of whole registers of keys is estimated in pairs.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Tile/Attend/AttentionWork.h"
#include "compiler/Tile/Attend/GridBox.h"
#include "dialects/xft/IR/XftAttendScratch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;

/// Returns a tile whose accumulators, one register per row and one of a key fit the register file. Sums of `columns`
/// shifts of a line of keys are as many for each part of the line.
static xft::LineTileAttr makeTile(const GridBox &box, int64_t lanes, int64_t registers, MLIRContext *context) {
  constexpr int64_t mostRows = 3, mostColumns = 8;
  int64_t rows = std::min(mostRows, box.lines), columns = std::min(mostColumns, (registers - 1) / rows - 1);
  return xft::LineTileAttr::get(context, rows, columns, lanes, box.length, box.firstLine, box.lines, box.firstShift,
                                box.shifts);
}

/// Returns what products of a row cost, in pairs of a register tile that waits for nothing. A load at any address takes
/// as long as two multiply-adds.
static double productCost(xft::LineTileAttr tile) {
  int64_t rows = tile.getRows(), lines = tile.getLines(), cost = 0;
  for (int64_t line = 0; line < tile.getKeyLines(); ++line) {
    int64_t seeing = std::min(line, rows - 1) - std::max<int64_t>(0, line - lines + 1) + 1;
    cost += tile.getShifts() * std::max<int64_t>(seeing, 2) + seeing;
  }
  double filled = double(tile.getLength()) / double(llvm::alignTo(tile.getLength(), tile.getLanes()));
  return double(cost) / double(rows) / filled;
}

/// Returns how many elements of a column of the grid a task keeps in scratch.
static int64_t keptColumns(xft::LineTileAttr tile, int64_t depths, bool isGradient) {
  int64_t seeing = isGradient ? tile.getSeeingLines() : 0;
  return (tile.getKeyLines() + seeing) * depths + 2 * seeing * tile.getPairs();
}

template <typename OpTy>
static xft::LineTileAttr findLineTile(OpTy op, SolutionAttr solution, const cpu::CpuMachine &machine,
                                      const CpuTileModel &model) {
  constexpr bool isGradient = std::is_same_v<OpTy, AttentionVjpOp>;
  // Of a row of each matrix, in pairs: of q, k, v and o for two products, of q, k, v, d_o, d_q, d_k and d_v for five.
  constexpr double transposition = isGradient ? 16. * 7 / 4 * 2 / 5 : 16;
  constexpr int64_t mostCaches = isGradient ? 4 : 2;
  auto q = op.getQ().getType(), k = op.getK().getType(), v = op.getV().getType();
  Type element = q.getElementType();
  bool isKnown = !q.isDynamicDim(2) && !k.isDynamicDim(2);
  if (!isKnown || !hasPlainScores(op))
    return {};
  std::optional<GridBox> box = findGridBox(solution);
  Type real = accumulatorType(element);
  int64_t lanes = machine.lanes(real), bytes = real.getIntOrFloatBitWidth() / 8;
  if (!box || lanes < 4 || box->length < lanes)
    return {};
  xft::LineTileAttr tile = makeTile(*box, lanes, machine.registers, op.getContext());
  int64_t depth = q.getDimSize(3), valueDepth = v.getDimSize(3);
  int64_t kept = keptColumns(tile, depth + valueDepth, isGradient);
  if (kept * xft::LineSizes(tile).stride * bytes > mostCaches * machine.l2Bytes)
    return {};
  xft::AttendTileAttr other = isGradient ? model.attendVjpTile(xft::VjpSide::rows, element, depth, valueDepth)
                                         : model.attendTile(element, depth, valueDepth);
  auto noLanes = [](SolutionAttr, PieceAttr) { return xft::LaneTileAttr(); };
  auto work = countWork(solution, q.getDimSize(2), k.getDimSize(2), other, model, noLanes);
  // Lanes widen 16-bit elements as they transpose them; register tiles may multiply several terms at once.
  double terms = double(productForm(machine, productElement(op)).terms);
  if (!work || productCost(tile) + transposition > work->executedPairs / terms / double(q.getDimSize(2)))
    return {};
  return tile;
}

xft::LineTileAttr CpuTileModel::lineTile(Operation *attention, SolutionAttr solution) const {
  if (auto vjp = dyn_cast<AttentionVjpOp>(attention))
    return vjp.getPart() ? xft::LineTileAttr() : findLineTile(vjp, solution, machine, *this);
  auto op = cast<AttentionOp>(attention);
  return op.getPart() ? xft::LineTileAttr() : findLineTile(op, solution, machine, *this);
}

std::string CpuTileModel::lineReason(xft::LineTileAttr tile) const {
  int64_t rows = tile.getRows(), columns = tile.getColumns();
  return llvm::formatv(
      "lines of {0}: {1} x {2} keys around each query, {3} neighbouring queries in lanes, {4} lines at "
      "a time; {5} accumulators, {4} of queries and 1 of a key are {6} of the {7} registers",
      tile.getLength(), tile.getLines(), tile.getShifts(), tile.getLanes(), rows, rows * columns,
      rows * columns + rows + 1, machine.registers);
}
