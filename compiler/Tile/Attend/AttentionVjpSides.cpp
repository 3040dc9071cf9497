//===- AttentionVjpSides.cpp - Gradients side by side ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the target splits a gradient by side, queries, keys with values, and captured tensors have kernels of their
// own, each of which computes the probabilities again.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionVjpTiling.h"

using namespace mlir;
using namespace mlir::xf;

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
  for (xft::AttendSchedule schedule : chosen.schedules) {
    SideKernel kernel{side, residue, schedule, {}};
    if (chosen.flagsPerTile && !flags) {
      Size count = host.mul(tilesOf(group, piece, kernel), host.size(chosen.flagsPerTile));
      flags = host.allocate(host.b.getI32Type(), {count});
    }
    kernel.flags = flags;
    launchSideKernel(group, piece, tiles, assigns, kernel);
  }
}

Size AttentionVjpTiling::blocksOf(PieceAttr piece, const SideKernel &kernel) {
  return kernel.side == xft::VjpSide::keys
             ? host.ceilDiv(rankCount(host, piece.getKeys(), k.sizes[2]), xft::tileOf(kernel.schedule).getKeys())
             : host.ceilDiv(rankCount(host, piece.getQueries(), q.sizes[2]), xft::tileOf(kernel.schedule).getQueries());
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

/// Appends the launch of a kernel that computes the gradients of one side.
void AttentionVjpTiling::launchSideKernel(const HeadsOfSolution &group, PieceAttr piece, TilesAttr tiles, bool assigns,
                                          const SideKernel &kernel) {
  AttendOperands operands(host);
  SmallVector<unsigned> inputs = addInputs(operands), gradients, grid, flags;
  if (kernel.side == xft::VjpSide::rows)
    gradients = {operands.add(dQ.front(), 1)};
  if (kernel.side == xft::VjpSide::keys)
    gradients = {operands.add(dK, 1), operands.add(dV, 1)};
  if (kernel.side == xft::VjpSide::captures)
    for (const Buffer &gradient : dCaptures)
      gradients.push_back(operands.add(gradient, 0));
  if (kernel.side != xft::VjpSide::rows)
    grid.push_back(operands.add(host.size(groups)));
  grid.push_back(operands.add(blocksOf(piece, kernel)));
  if (kernel.residue)
    grid.push_back(operands.add(host.size(*kernel.residue)));
  GroupNumbers clauses = addAttendClauses(operands, op, captures(), *data, tiles);
  if (kernel.flags)
    flags = {operands.add(*kernel.flags, 0)};
  operands.launch(
      "attend_vjp", tilesOf(group, piece, kernel), [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> of = pick(arguments, inputs), to = pick(arguments, gradients), sizes = pick(arguments, grid);
        Value flag = flags.empty() ? Value() : Value(arguments[flags[0]]);
        UnitAttr assign = assigns ? b.getUnitAttr() : UnitAttr();
        auto order = xft::QueryOrderAttr::of(piece, withoutLists(tiles), group.first, group.step);
        PickedGroups clauseValues(arguments, clauses);
        auto finish = [&](auto vjp) {
          copyScore(getScore(), vjp.getScore());
          copyScore(getDerivative(), vjp.getDerivative());
          host.model.describeLaunch(vjp);
        };
        if (kernel.side == xft::VjpSide::rows)
          finish(xft::AttendVjpRowsOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], to[0], sizes,
                                              clauseValues, flag, assign, order, weightsAttr(), kernel.schedule));
        else if (kernel.side == xft::VjpSide::keys)
          finish(xft::AttendVjpKeysOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], to[0], to[1], sizes,
                                              clauseValues, flag, assign, order, weightsAttr(), kernel.schedule));
        else
          finish(xft::AttendVjpCapturesOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], to, sizes,
                                                  clauseValues, b.getDenseI64ArrayAttr(readsOfGradients()), order,
                                                  weightsAttr(), kernel.schedule));
      });
}
