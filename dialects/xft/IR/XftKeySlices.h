//===- XftKeySlices.h - Slices of consecutive keys --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices of the keys of an xft.attend_vjp, each a task with rows of d_q of its own. The op has one d_q for each slice,
// which get blocks of keys in turn. Or, where rows see few keys around them, it has the attribute
// `xft.key_slices`, and slices have consecutive keys: slice n of `count` has the keys from n `keys` on, as many, and
// the last one all that follow. Rows before haloBegin + n `keys` see no key behind slice n, and those from haloBegin +
// n `keys` + `halo` on see none of slice n or before. The halo, the `halo` rows in between, sees keys of slices n and
// n + 1. Then d_q has two buffers: slice n owns the rows of the first one from the halo of slice n - 1 up to its own
// halo, which goes to the second one, [B, H, (count - 1) halo, D], from row n halo on.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTKEYSLICES_H
#define XF_DIALECTS_XFT_IR_XFTKEYSLICES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// Slices of consecutive keys for a gradient, as the attribute `xft.key_slices` of an op. Each of `count` slices has
/// `keys` keys, and shares `halo` rows of q with the next one. The halo of slice s begins at row s * keys + haloBegin.
struct KeySlices {
  int64_t count, keys, haloBegin, halo;

  /// Reads the attribute of `op`. Returns nullopt if `op` has none: then slices get blocks of keys in turn.
  static std::optional<KeySlices> of(Operation *op);
  /// Sets the attribute of `op`.
  void setOn(Operation *op) const;
};

/// Returns the number of slices of the keys of `op`.
int64_t sliceCount(AttendVjpOp op);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTKEYSLICES_H
