//===- BlocksFormVjp.cpp - Gradients by blocks of queries and keys --------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches the kernels of a gradient in blocks. Either one kernel computes all gradients, or the target splits the
// gradient by side. In the second case, queries, keys with values, and captured tensors have kernels of their own, and
// each kernel computes the probabilities again.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionVjpTiling.h"
#include "compiler/Tile/Attend/Forms/BlocksForm.h"

using namespace mlir;
using namespace mlir::xf;

/// Appends the launch of a kernel that computes the gradients of all sides.
static void launchAllGradients(AttentionVjpTiling &t, const AttentionSite &site, xft::AttendSchedule schedule) {
  HostBuilder &host = t.host;
  PieceAttr piece = site.order->pieces[0];
  TilesAttr tiles = site.order->tiles;
  AttendOperands operands(host);
  SmallVector<unsigned> inputs = t.addInputs(operands);
  GroupNumbers gradients(4);                // d_q, d_k, d_v, d_captures
  bool isSliced = piece.getResidues() == 1; // one residue: a task per slice; else one slice
  for (const Buffer &gradient : ArrayRef(t.dQ).take_front(isSliced ? t.dQ.size() : 1))
    gradients[0].push_back(operands.add(gradient, 1));
  std::optional<xft::KeySlices> consecutive = isSliced ? t.slices : std::nullopt;
  gradients[1] = {operands.add(t.dK, 1)};
  gradients[2] = {operands.add(t.dV, 1)};
  unsigned groupsNumber = operands.add(host.size(t.groups));
  GroupNumbers clauses = addAttendClauses(operands, t.op, t.captures(), *t.data, tiles);
  for (const Buffer &gradient : t.dCaptures)
    gradients[3].push_back(operands.add(gradient, 0));
  bool areApart = t.dCaptures.empty() && piece.getKeysDisjoint() && piece.getQueriesDisjoint();
  int64_t residues = areApart ? piece.getResidues() : 1;
  int64_t parts = consecutive ? consecutive->count : gradients[0].size();
  Size tasks = host.product({t.q.sizes[0], host.size(t.groups * residues * parts)});
  operands.launch("attend_vjp", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, inputs);
    auto vjp = xft::AttendVjpOp::create(
        b, loc, of[0], of[1], of[2], of[3], of[4], of[5], PickedGroups(arguments, gradients), arguments[groupsNumber],
        PickedGroups(arguments, clauses), b.getDenseI64ArrayAttr(t.readsOfGradients()),
        site.assigns ? b.getUnitAttr() : UnitAttr(),
        xft::QueryOrderAttr::of(piece, withoutLists(tiles), site.group.first, site.group.step), t.weightsAttr(),
        schedule);
    if (consecutive)
      consecutive->setOn(vjp);
    copyScore(t.getScore(), vjp.getScore());
    copyScore(t.getDerivative(), vjp.getDerivative());
    host.model.describeLaunch(vjp);
  });
}

//===----------------------------------------------------------------------===//
// Sides
//===----------------------------------------------------------------------===//

namespace {
/// One launch of a kernel that computes one side of a gradient.
struct SideKernel {
  const AttentionSite &site;
  xft::AttendSchedule schedule;
  std::optional<int64_t> residue; ///< the residue of this launch, if each has a launch of its own
  std::optional<Buffer> flags;    ///< as in #xft.warpgroup_tiles

  xft::VjpSide side() const { return *site.side; }
  PieceAttr piece() const { return site.order->pieces[0]; }
  Size blocks(AttentionVjpTiling &t) const;
  Size tiles(AttentionVjpTiling &t) const;
  void launch(AttentionVjpTiling &t) const;
};
} // namespace

Size SideKernel::blocks(AttentionVjpTiling &t) const {
  xft::AttendTileAttr tile = xft::tileOf(schedule);
  return side() == xft::VjpSide::keys
             ? t.host.ceilDiv(rankCount(t.host, piece().getKeys(), t.k.sizes[2]), tile.getKeys())
             : t.host.ceilDiv(rankCount(t.host, piece().getQueries(), t.q.sizes[2]), tile.getQueries());
}

Size SideKernel::tiles(AttentionVjpTiling &t) const {
  HostBuilder &host = t.host;
  if (side() == xft::VjpSide::captures)
    return host.mul(t.q.sizes[0], host.size(t.groups));
  Size heads = side() == xft::VjpSide::rows
                   ? host.ceilDiv(host.sub(t.q.sizes[1], host.size(site.group.first)), site.group.step)
                   : host.size(t.groups);
  Size residues = host.size(residue ? 1 : piece().getResidues());
  return host.product({t.q.sizes[0], heads, residues, blocks(t)});
}

void SideKernel::launch(AttentionVjpTiling &t) const {
  HostBuilder &host = t.host;
  TilesAttr tilesAttr = site.order->tiles;
  AttendOperands operands(host);
  SmallVector<unsigned> inputs = t.addInputs(operands), gradients, grid, flagsNumber;
  if (side() == xft::VjpSide::rows)
    gradients = {operands.add(t.dQ.front(), 1)};
  if (side() == xft::VjpSide::keys)
    gradients = {operands.add(t.dK, 1), operands.add(t.dV, 1)};
  if (side() == xft::VjpSide::captures)
    for (const Buffer &gradient : t.dCaptures)
      gradients.push_back(operands.add(gradient, 0));
  if (side() != xft::VjpSide::rows)
    grid.push_back(operands.add(host.size(t.groups)));
  grid.push_back(operands.add(blocks(t)));
  if (residue)
    grid.push_back(operands.add(host.size(*residue)));
  GroupNumbers clauses = addAttendClauses(operands, t.op, t.captures(), *t.data, tilesAttr);
  if (flags)
    flagsNumber = {operands.add(*flags, 0)};
  operands.launch("attend_vjp", tiles(t), [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, inputs), to = pick(arguments, gradients), sizes = pick(arguments, grid);
    Value flag = flags ? Value(arguments[flagsNumber[0]]) : Value();
    UnitAttr assign = site.assigns ? b.getUnitAttr() : UnitAttr();
    auto order = xft::QueryOrderAttr::of(piece(), withoutLists(tilesAttr), site.group.first, site.group.step);
    PickedGroups clauseValues(arguments, clauses);
    auto finish = [&](auto vjp) {
      copyScore(t.getScore(), vjp.getScore());
      copyScore(t.getDerivative(), vjp.getDerivative());
      host.model.describeLaunch(vjp);
    };
    if (side() == xft::VjpSide::rows)
      finish(xft::AttendVjpRowsOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], to[0], sizes, clauseValues,
                                          flag, assign, order, t.weightsAttr(), schedule));
    else if (side() == xft::VjpSide::keys)
      finish(xft::AttendVjpKeysOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], to[0], to[1], sizes,
                                          clauseValues, flag, assign, order, t.weightsAttr(), schedule));
    else
      finish(xft::AttendVjpCapturesOp::create(b, loc, of[0], of[1], of[2], of[3], of[4], of[5], to, sizes, clauseValues,
                                              b.getDenseI64ArrayAttr(t.readsOfGradients()), order, t.weightsAttr(),
                                              schedule));
  });
}

/// Appends the launches of the kernels of one side of a gradient. They compute residue `residue` of the piece or, if
/// `residue` is nullopt, all residues.
static void launchSide(AttentionVjpTiling &t, const AttentionSite &site, const AttentionChoice &choice,
                       std::optional<int64_t> residue) {
  std::optional<Buffer> flags;
  for (Attribute schedule : choice.kernels) {
    SideKernel kernel{site, cast<xft::AttendSchedule>(schedule), residue, flags};
    if (choice.flagsPerTile && !flags) {
      Size count = t.host.mul(kernel.tiles(t), t.host.size(choice.flagsPerTile));
      flags = kernel.flags = t.host.allocate(t.host.b.getI32Type(), {count});
    }
    kernel.launch(t);
  }
}

void BlocksForm::launchVjp(AttentionVjpTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  if (!site.side)
    return launchAllGradients(t, site, choice.schedule());
  PieceAttr piece = site.order->pieces[0];
  bool isApart = *site.side == xft::VjpSide::rows ? piece.getQueriesDisjoint() : piece.getKeysDisjoint();
  if (*site.side == xft::VjpSide::captures || isApart || piece.getResidues() == 1)
    return launchSide(t, site, choice, std::nullopt);
  for (int64_t residue = 0; residue < piece.getResidues(); ++residue) // residues share rows or keys
    launchSide(t, site, choice, residue);
}
