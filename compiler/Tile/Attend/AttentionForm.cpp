//===- AttentionForm.cpp - Choosing a way to compute attention ------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Attend/AttentionForm.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::xf;

void AttentionForm::launch(AttentionTiling &, const AttentionSite &, const AttentionChoice &) const {
  llvm_unreachable("expected a form that offers kernels of attention");
}
void AttentionForm::launchVjp(AttentionVjpTiling &, const AttentionSite &, const AttentionChoice &) const {
  llvm_unreachable("expected a form that offers kernels of a gradient");
}

std::optional<ChosenForm> xf::chooseForm(AttentionSite site) {
  for (const std::shared_ptr<const AttentionForm> &form : site.host.model.forms())
    if (std::optional<AttentionChoice> choice = form->offer(site))
      return ChosenForm{form.get(), std::move(site), *std::move(choice)};
  return std::nullopt;
}

std::vector<ChosenForm> xf::chooseForms(AttentionOp op, HostBuilder &host, const HeadsOfSolution &group,
                                        ArrayRef<Buffer> operands) {
  AttentionSite site{op, host, group, operands.vec()};
  if (std::optional<ChosenForm> whole = chooseForm(site))
    return {*whole};
  std::vector<ChosenForm> chosen;
  SmallVector<QueryOrder> orders = queryOrders(group.solution);
  for (auto [number, order] : llvm::enumerate(orders)) {
    site.order = order;
    site.resume = number > 0;
    site.save = number + 1 < orders.size();
    chosen.push_back(*chooseForm(site));
  }
  return chosen;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns what the launches of a chosen form state about the attention, for `xfc explain`. `number` is the number of
/// the attention.
static xft::LaunchedAttention describe(const ChosenForm &chosen, int64_t number) {
  xft::LaunchedAttention launched{chosen.figures(),
                                  number,
                                  chosen.form->name(),
                                  chosen.site.side,
                                  chosen.form->reasons(chosen.site, chosen.choice),
                                  SmallVector<PieceAttr>(chosen.site.pieces())};
  AttentionShape shape = AttentionShape::of(chosen.site);
  for (auto [what, size, block] :
       {std::tuple("queries", shape.queries, launched.queries), std::tuple("keys", shape.keys, launched.keys)})
    if (chosen.site.order && !chosen.site.side && !ShapedType::isDynamic(size) && size < block)
      launched.reasons.push_back(
          llvm::formatv("short: {0} {1} are less than a block, which ends with them", size, what));
  return launched;
}

/// Calls `launch`, then sets the attributes of `chosen` (describe) on all launches that it appended.
static void launchNumbered(const ChosenForm &chosen, function_ref<void()> launch) {
  Block &steps = *chosen.site.host.b.getInsertionBlock();
  Operation *last = steps.empty() ? nullptr : &steps.back();
  launch();
  std::optional<int64_t> number = xft::attentionNumber(chosen.site.op);
  bool hasPairs = !chosen.site.pieces().empty(); // others only start or end rows
  if (!number || !hasPairs)
    return;
  xft::LaunchedAttention launched = describe(chosen, *number);
  for (Operation *step = last ? last->getNextNode() : &steps.front(); step; step = step->getNextNode())
    if (auto launch = dyn_cast<xft::LaunchOp>(step))
      launched.setOn(launch);
}

void xf::launchForm(const ChosenForm &chosen, AttentionTiling &tiling) {
  launchNumbered(chosen, [&] { chosen.form->launch(tiling, chosen.site, chosen.choice); });
}
void xf::launchForm(const ChosenForm &chosen, AttentionVjpTiling &tiling) {
  launchNumbered(chosen, [&] { chosen.form->launchVjp(tiling, chosen.site, chosen.choice); });
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

AttentionShape AttentionShape::of(const AttentionSite &site) {
  auto number = [](Size size) { return HostBuilder::constant(size).value_or(ShapedType::kDynamic); };
  const Buffer &q = site.operands[0], &k = site.operands[1], &v = site.operands[2];
  AttentionShape shape{number(q.sizes[2]), number(k.sizes[2]), number(k.sizes[3]), number(v.sizes[3])};
  if (!site.order || !site.order->tiles)
    llvm::append_range(shape.pieces, site.pieces());
  if (!ShapedType::isDynamic(number(q.sizes[0])) && !ShapedType::isDynamic(number(q.sizes[1])))
    shape.heads = number(q.sizes[0]) * number(q.sizes[1]);
  return shape;
}

std::string xf::bytesText(int64_t bytes) {
  return bytes < (1 << 20) ? llvm::formatv("{0} KiB", bytes >> 10).str()
                           : llvm::formatv("{0:f1} MiB", double(bytes) / (1 << 20)).str();
}
