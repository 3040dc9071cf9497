//===- DecodeForm.h - Attention of few rows by split keys -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes attention of heads with few rows, as in decoding. A task computes all rows of a head, and reads keys and
// values once, in place. Keys are cut into slices, and each slice is a task (split-KV, flash-decoding). A second launch
// adds the sums of slices.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_FORMS_DECODEFORM_H
#define XF_COMPILER_TILE_ATTEND_FORMS_DECODEFORM_H

#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf {

/// A number of keys in a slice that no head exceeds. With at least this number, the keys of a head are one slice. Tiles
/// may round the number up.
constexpr int64_t unslicedKeys = int64_t(1) << 40;

/// The launches and figures of decoding. The kernel of a choice is an xft::DecodeTileAttr.
class DecodeForm : public AttentionForm {
public:
  StringRef name() const override { return "decode"; }
  std::optional<AttentionChoice> offer(const AttentionSite &site) const override;
  AttentionFigures figures(const AttentionSite &site, const AttentionChoice &choice) const override;
  SmallVector<std::string> reasons(const AttentionSite &site, const AttentionChoice &choice) const override;
  void launch(AttentionTiling &tiling, const AttentionSite &site, const AttentionChoice &choice) const override;

protected:
  /// Returns the tile for heads of `rows` rows, for an attention in the form of decoding. Returns null if the target
  /// has no kernel.
  virtual xft::DecodeTileAttr tile(AttentionOp op, int64_t rows) const = 0;
  /// Returns the number of keys in a whole run. A kernel computes all keys of an aligned run, even if rows see only
  /// some of them.
  virtual int64_t wholeColumns(xft::DecodeTileAttr tile) const = 0;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_FORMS_DECODEFORM_H
