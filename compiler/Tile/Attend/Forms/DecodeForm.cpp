//===- DecodeForm.cpp - Attention of few rows by split keys ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/Forms/DecodeForm.h"
#include "compiler/Tile/Attend/AttentionTiling.h"

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Returns true if a solution has no predicate, and each row sees intervals of consecutive keys.
static bool seesIntervals(SolutionAttr solution) {
  auto isInOrder = [](PieceAttr piece) {
    return piece.getQueries().isIdentity() && piece.getKeys().isIdentity() && piece.getResidues() == 1;
  };
  return !solution.getTiles() && !solution.getPieces().empty() && llvm::all_of(solution.getPieces(), isInOrder);
}

/// Returns true if each head has few rows, compared to its keys. Then it pays to read keys and values only once, in
/// place.
static bool hasFewRows(AttentionOp op, int64_t rows) {
  // More rows gain from blocks of rows, and so do more than a few rows if keys are few.
  constexpr int64_t mostRows = 64, alwaysRows = 8, keysPerRow = 8;
  int64_t keys = op.getK().getType().getDimSize(2);
  bool areManyKeys = rows <= alwaysRows || ShapedType::isDynamic(keys) || keys >= keysPerRow * rows;
  return rows >= 1 && rows <= mostRows && areManyKeys;
}

std::optional<AttentionChoice> DecodeForm::offer(const AttentionSite &site) const {
  auto op = dyn_cast<AttentionOp>(site.op);
  auto rows = HostBuilder::constant(site.operands[0].sizes[2]);
  if (!op || site.order || !rows || site.group.step != 1 || !hasFewRows(op, *rows) || !hasPlainScores(op) ||
      !seesIntervals(site.group.solution))
    return std::nullopt;
  xft::DecodeTileAttr found = tile(op, *rows);
  return found ? std::optional(AttentionChoice{{found}}) : std::nullopt;
}

static xft::DecodeTileAttr tileOf(const AttentionChoice &choice) {
  return cast<xft::DecodeTileAttr>(choice.kernels[0]);
}

/// Returns the sizes of a tile of decoding. A step computes all rows of one head of queries. A task computes the rows
/// of all heads of queries that are folded into one head.
AttentionFigures DecodeForm::figures(const AttentionSite &site, const AttentionChoice &choice) const {
  xft::DecodeTileAttr tile = tileOf(choice);
  int64_t all = *HostBuilder::constant(site.operands[0].sizes[2]);
  int64_t ofHead = cast<AttentionOp>(site.op).getQ().getType().getDimSize(2);
  return {ShapedType::isDynamic(ofHead) ? all : ofHead, tile.getKeys(), wholeColumns(tile), all, tile.getKeys()};
}

/// Returns the number of slices into which `keys` keys are cut. It is 1 if `tile` does not limit the keys of a slice
/// (unslicedKeys).
static Size slicesOf(HostBuilder &host, Size keys, xft::DecodeTileAttr tile) {
  return tile.getSlice() < unslicedKeys ? host.ceilDiv(keys, tile.getSlice()) : host.size(1);
}

SmallVector<std::string> DecodeForm::reasons(const AttentionSite &site, const AttentionChoice &choice) const {
  xft::DecodeTileAttr tile = tileOf(choice);
  bool isOne = HostBuilder::constant(slicesOf(site.host, site.operands[1].sizes[2], tile)) == 1;
  return {"rows: all of a head at once, so that keys and values are read once, as they lie",
          isOne ? "keys: all of a head, one task"
                : "keys: slices of " + std::to_string(tile.getSlice()) + ", each a task"};
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void DecodeForm::launch(AttentionTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  HostBuilder &host = t.host;
  xft::DecodeTileAttr tile = tileOf(choice);
  Size slices = slicesOf(host, t.k.sizes[2], tile), heads = host.mul(t.q.sizes[0], t.q.sizes[1]);
  bool save = HostBuilder::constant(slices).value_or(2) > 1;
  if (save)
    t.allocateState(slices);
  AttendOperands operands(host);
  SmallVector<unsigned> matrices = t.addMatrices(operands, /*staticSizes=*/2);
  GroupNumbers rowState =
      t.addRowState(operands, t.addLse(operands, /*isLast=*/!save), /*usesState=*/save, /*isLast=*/!save);
  GroupNumbers clauses = addAttendClauses(operands, t.op, {}, t.data, {});
  operands.launch("attend_decode", save ? host.mul(heads, slices) : heads,
                  [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
                    SmallVector<Value> of = pick(arguments, matrices);
                    auto attend = xft::AttendDecodeOp::create(
                        b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, rowState),
                        PickedGroups(arguments, clauses), orderOf(site.group.solution.getPieces(), site.group),
                        attendWeights(t.op, t.scale), tile, save);
                    host.model.describeLaunch(attend);
                  });
  if (!save)
    return;
  AttendOperands sums(host);
  unsigned target = sums.add(t.o, 1);
  GroupNumbers merged = t.addRowState(sums, t.addLse(sums, /*isLast=*/true), /*usesState=*/true, /*isLast=*/true);
  sums.launch("merge_slices", host.mul(heads, t.q.sizes[2]),
              [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
                host.model.describeLaunch(
                    xft::MergeSlicesOp::create(b, loc, arguments[target], PickedGroups(arguments, merged)));
              });
}
