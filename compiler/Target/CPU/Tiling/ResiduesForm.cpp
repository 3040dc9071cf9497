//===- ResiduesForm.cpp - Residues in lanes -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The form of attention with residues in lanes. If the residues of a piece lie next to each other, each lane computes
// one of them. A register holds an element of one row, or of one key, of each residue.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/Machine/ProductForms.h"
#include "compiler/Target/CPU/Tiling/CpuTileModel.h"
#include "compiler/Tile/Attend/AttentionTiling.h"
#include "compiler/Tile/Attend/AttentionVjpTiling.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;
using cpu::CpuTileModel;
using cpu::productForm;

namespace {
/// The form of attention with residues in lanes. Its choices hold a xft::ResiduesTileAttr.
class ResiduesForm : public AttentionForm {
public:
  explicit ResiduesForm(const cpu::CpuMachine &machine) : machine(machine) {}

  StringRef name() const override { return "residues in lanes"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override;
  AttentionFigures figures(const AttentionSite &site, const AttentionChoice &choice) const override;
  SmallVector<std::string> reasons(const AttentionSite &site, const AttentionChoice &choice) const override;
  void launch(AttentionTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;
  void launchVjp(AttentionVjpTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;
  bool writesResults() const override { return false; }

private:
  const cpu::CpuMachine &machine;
};
} // namespace

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

template <typename OpTy>
static xft::ResiduesTileAttr findTile(OpTy op, PieceAttr piece, const cpu::CpuMachine &machine) {
  auto k = cast<RankedTensorType>(op.getK().getType()), v = cast<RankedTensorType>(op.getV().getType());
  Type real = accumulatorType(k.getElementType());
  int64_t lanes = machine.lanes(real), residues = piece.getResidues(), bytes = real.getIntOrFloatBitWidth() / 8;
  bool isPlain = !op.getPart() && op.getScore().empty() && !op.getDropout() && !isLinear(op) && !k.isDynamicDim(2);
  if (!isPlain || lanes < 4 || !piece.hasAdjacentResidues() || residues < lanes)
    return {};
  // A tile of accumulators, one register per row and one of a key must fit the register file.
  int64_t keys = 4, rows = std::min<int64_t>(productForm(machine, real).columnsThatFit(machine.registers, keys), 4);
  int64_t queries = 4 * rows;
  int64_t ranks = llvm::alignTo(std::max<int64_t>(1, llvm::divideCeil(k.getDimSize(2), residues)), keys);
  // Longer residues are slower than tiles of one residue: with 128 ranks of 64 columns, the gradient takes 1.2 times as
  // long.
  if (4 * ranks * (k.getDimSize(3) + v.getDimSize(3)) * lanes * bytes > machine.l2Bytes)
    return {};
  return xft::ResiduesTileAttr::get(op.getContext(), rows, keys, lanes, queries, ranks);
}

/// Offers no choice for rows whose softmax an earlier kernel has begun: this form can save a softmax state, but cannot
/// resume it.
std::optional<AttentionChoice> ResiduesForm::offer(const AttentionSite &site) const {
  if (!site.order || site.resume || site.order->tiles || site.order->pieces.size() != 1)
    return std::nullopt;
  PieceAttr piece = site.order->pieces[0];
  auto vjp = dyn_cast<AttentionVjpOp>(site.op);
  xft::ResiduesTileAttr tile =
      vjp ? findTile(vjp, piece, machine) : findTile(cast<AttentionOp>(site.op), piece, machine);
  return tile ? std::optional(AttentionChoice{{tile}}) : std::nullopt;
}

static xft::ResiduesTileAttr tileOf(const AttentionChoice &choice) {
  return cast<xft::ResiduesTileAttr>(choice.kernels[0]);
}

AttentionFigures ResiduesForm::figures(const AttentionSite &, const AttentionChoice &choice) const {
  xft::ResiduesTileAttr tile = tileOf(choice);
  int64_t rows = tile.getRows(), keys = tile.getKeys();
  return {rows, keys, keys, int64_t(tile.getQueries()), int64_t(tile.getRanks())};
}

SmallVector<std::string> ResiduesForm::reasons(const AttentionSite &site, const AttentionChoice &choice) const {
  xft::ResiduesTileAttr tile = tileOf(choice);
  int64_t rows = tile.getRows(), keys = tile.getKeys();
  return {llvm::formatv("residues r < {0}: one in each of {1} lanes, {2} x {3} pairs of each; {4} accumulators, {2} of "
                        "queries and 1 of a key are {5} of the {6} registers",
                        site.order->pieces[0].getResidues(), tile.getLanes(), rows, keys, rows * keys,
                        rows * keys + rows + 1, machine.registers)};
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void ResiduesForm::launch(AttentionTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  xft::ResiduesTileAttr tile = tileOf(choice);
  PieceAttr piece = site.order->pieces[0];
  bool save = site.save;
  AttendOperands operands(t.host);
  SmallVector<unsigned> matrices = t.addMatrices(operands);
  GroupNumbers rowState =
      t.addRowState(operands, t.addLse(operands, /*isLast=*/!save), /*usesState=*/save, /*isLast=*/!save);
  GroupNumbers clauses = addAttendClauses(operands, t.op, {}, t.data, {});
  Size ofHead = t.host.size(llvm::divideCeil(piece.getResidues(), tile.getLanes()));
  Size tasks = t.host.product({t.q.sizes[0], t.headsOf(site.group), ofHead});
  operands.launch("attend_residues", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, matrices);
    auto attend = xft::AttendResiduesOp::create(b, loc, of[0], of[1], of[2], of[3], PickedGroups(arguments, rowState),
                                                PickedGroups(arguments, clauses),
                                                xft::QueryOrderAttr::of(piece, {}, site.group.first, site.group.step),
                                                attendWeights(t.op, t.scale), tile, save);
    t.host.model.describeLaunch(attend);
  });
}

void ResiduesForm::launchVjp(AttentionVjpTiling &t, const AttentionSite &site, const AttentionChoice &choice) const {
  xft::ResiduesTileAttr tile = tileOf(choice);
  PieceAttr piece = site.order->pieces[0];
  AttendOperands operands(t.host);
  SmallVector<unsigned> numbers = t.addMatrices(operands);
  GroupNumbers clauses = addAttendClauses(operands, t.op, {}, *t.data, {});
  int64_t lanes = llvm::divideCeil(piece.getResidues(), tile.getLanes());
  Size tasks = t.host.product({t.q.sizes[0], t.host.size(t.groups * lanes)});
  operands.launch("attend_residues_vjp", tasks, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> arguments) {
    SmallVector<Value> of = pick(arguments, numbers);
    auto vjp = xft::AttendResiduesVjpOp::create(
        b, loc, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9], PickedGroups(arguments, clauses),
        xft::QueryOrderAttr::of(piece, {}, site.group.first, site.group.step), t.weightsAttr(), tile, site.assigns);
    t.host.model.describeLaunch(vjp);
  });
}

std::shared_ptr<const AttentionForm> cpu::residuesForm(const CpuTileModel &model) {
  return std::make_shared<ResiduesForm>(model.machine);
}
