//===- AttentionForm.h - A way to compute attention -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A form is one way to compute attention. It has kernels, and decides when they are the best ones. A target lists its
// forms in order of preference (TileModel::forms). A tiling takes the first form that offers kernels, and the form
// launches them. The form also describes its kernels. The work of the entry and the output of `xfc explain` come from
// this description, so that nothing is chosen a second time.
//
// To add a form, write a class beside the tile model of its target, and add it to the target's list. The folder Forms
// has two forms that several targets share: attention in blocks, and decoding.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_ATTENTIONFORM_H
#define XF_COMPILER_TILE_ATTEND_ATTENTIONFORM_H

#include "compiler/Tile/Attend/Attention.h"
#include "dialects/xft/IR/XftWork.h"

namespace mlir::xf {

struct AttentionTiling;
struct AttentionVjpTiling;

/// The work for which a form is asked to offer kernels. For an xf.attention, this is one query order, or all query
/// orders of a solution. For an xf.attention_vjp, it is one piece, or all pieces of a solution.
struct AttentionSite {
  Operation *op;
  HostBuilder &host;
  HeadsOfSolution group;
  std::vector<Buffer> operands;          ///< q, k, v and o; of a gradient q, k, v, d_o and the gradients of the side
  std::optional<QueryOrder> order = {};  ///< of a gradient, one with a single piece; nullopt: the whole solution
  bool resume = false, save = false;     ///< as in xft.attend
  std::optional<xft::VjpSide> side = {}; ///< the side of a gradient; nullopt: all gradients at once
  bool assigns = false;                  ///< kernels assign a gradient instead of adding to it

  bool isGradient() const { return isa<AttentionVjpOp>(op); }
  Type element() const { return operands[0].element; }
  int64_t depth() const { return *HostBuilder::constant(operands[0].sizes[3]); }
  int64_t valueDepth() const { return *HostBuilder::constant(operands[2].sizes[3]); }
  /// Returns the pieces to compute: the pieces of `order` or, without an order, all pieces of the solution.
  ArrayRef<PieceAttr> pieces() const { return order ? ArrayRef(order->pieces) : group.solution.getPieces(); }
};

/// The kernels that a form offers for a site.
struct AttentionChoice {
  SmallVector<Attribute, 2> kernels; ///< a schedule or a tile for each kernel; they run one after the other
  /// The number of flags (i32) for each tile, or 0 if kernels use no flags. The first kernel sets flags for the tiles
  /// that the second kernel must compute again.
  int64_t flagsPerTile = 0;

  /// Returns the schedule of the first kernel.
  xft::AttendSchedule schedule() const { return cast<xft::AttendSchedule>(kernels[0]); }
};

using xft::AttentionFigures;

/// One way in which a target computes attention.
class AttentionForm {
public:
  virtual ~AttentionForm() = default;
  /// Returns the name of the form. Launches of explained programs carry it.
  virtual StringRef name() const = 0;
  /// Returns the kernels for a site. Returns nullopt if the form has none, or if other forms of the target are faster.
  virtual std::optional<AttentionChoice> offer(const AttentionSite &site) const = 0;
  virtual AttentionFigures figures(const AttentionSite &site, const AttentionChoice &choice) const = 0;
  /// Returns the reasons for the sizes of the tile in `choice`, as lines for `xfc explain`.
  virtual SmallVector<std::string> reasons(const AttentionSite &site, const AttentionChoice &choice) const = 0;
  /// Appends the launches of an attention. `choice` is what offer() returned for `site`.
  virtual void launch(AttentionTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const;
  /// Appends the launches of a gradient. `choice` is what offer() returned for `site`.
  virtual void launchVjp(AttentionVjpTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const;
  /// Returns true if kernels of a gradient may write gradients in the element types of the op's results. Returns false
  /// if they can write only the type of sums.
  virtual bool writesResults() const { return true; }
};

/// A form, the site that it computes, and the kernels that it offers for this site.
struct ChosenForm {
  const AttentionForm *form;
  AttentionSite site;
  AttentionChoice choice;

  AttentionFigures figures() const { return form->figures(site, choice); }
};

/// Returns the first form of the target that offers kernels for `site`; nullopt if none does.
std::optional<ChosenForm> chooseForm(AttentionSite site);
/// Returns the forms that compute the heads of `group`: either one form for all query orders, or one form for each
/// query order. `operands` are q, k, v and o.
std::vector<ChosenForm> chooseForms(AttentionOp op, HostBuilder &host, const HeadsOfSolution &group,
                                    ArrayRef<Buffer> operands);

/// Appends the launches of the kernels that `chosen` offers. If the attention has a number (xft::numberAttentions),
/// each launch carries this number, the name of the form and the form's figures.
void launchForm(const ChosenForm &chosen, AttentionTiling &tiling);
void launchForm(const ChosenForm &chosen, AttentionVjpTiling &tiling);

/// The sizes of a query order on which tiles depend. They may be ShapedType::kDynamic.
struct AttentionShape {
  int64_t queries, keys, depth, valueDepth;
  SmallVector<PieceAttr> pieces = {};   ///< none if a predicate decides at run time which keys rows see
  int64_t heads = ShapedType::kDynamic; ///< the heads of all batch entries

  static AttentionShape of(const AttentionSite &site);
};

/// Formats a number of bytes: "48 KiB", "1.5 MiB".
std::string bytesText(int64_t bytes);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_ATTENTIONFORM_H
