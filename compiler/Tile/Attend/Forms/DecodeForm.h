//===- DecodeForm.h - Attention of few rows by split keys -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a head has few rows, as in decoding, a task computes all of them, and reads keys and values once, as they lie.
// Keys are split into slices, a task each (split-KV, flash-decoding); a second launch adds up the sums of slices.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_FORMS_DECODEFORM_H
#define XF_COMPILER_TILE_ATTEND_FORMS_DECODEFORM_H

#include "compiler/Tile/Attend/AttentionForm.h"

namespace mlir::xf {

/// The number of keys of a slice that takes all keys of a head, however many there are. Tiles may round it up.
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
  /// Returns the tile for heads of `rows` rows of an attention that may be decoded; null if the target has no kernel.
  virtual xft::DecodeTileAttr tile(AttentionOp op, int64_t rows) const = 0;
  /// Returns the length of an aligned run of keys that is computed as a whole, even if rows see only some of its keys.
  virtual int64_t wholeColumns(xft::DecodeTileAttr tile) const = 0;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_FORMS_DECODEFORM_H
