//===- BlocksForm.h - Attention by blocks of queries and keys ---*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes attention in blocks. A task keeps a block of queries and visits blocks of keys (xft.attend). A task of a
// gradient computes either all gradients (xft.attend_vjp) or the gradients of one side. Targets choose the schedules.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_FORMS_BLOCKSFORM_H
#define XF_COMPILER_TILE_ATTEND_FORMS_BLOCKSFORM_H

#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf {

/// What all forms of attention in blocks have in common: their launches and figures. The kernels that such a form
/// offers (AttentionChoice::kernels) are schedules.
class BlocksForm : public AttentionForm {
public:
  AttentionFigures figures(const AttentionSite &site, const AttentionChoice &choice) const override;
  SmallVector<std::string> reasons(const AttentionSite &site, const AttentionChoice &choice) const override;
  void launch(AttentionTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;
  void launchVjp(AttentionVjpTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;

protected:
  /// Returns the number of keys that a group of rows computes in one step.
  virtual int64_t stepColumns(xft::AttendTileAttr tile) const { return tile.getKeys(); }
  /// Returns the number of keys in a whole run. A kernel computes all keys of an aligned run, even if rows see only
  /// some of them.
  virtual int64_t wholeColumns(xft::AttendTileAttr tile) const { return tile.getKeys(); }
  /// Returns the reasons for the sizes of the tile of a query order, or of a gradient in one kernel. There is one line
  /// for the tile's rows, one for its block of keys and one for its block of queries.
  virtual SmallVector<std::string> tileReasons(const AttentionSite &site, const AttentionChoice &choice) const = 0;

  /// Returns the tile that the target chooses without regard to the pieces of a site (TileModel::attendTile,
  /// attendVjpTile).
  static xft::AttendTileAttr plainTile(const AttentionSite &site);
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_FORMS_BLOCKSFORM_H
