//===- XftKeySlices.h - Slices of consecutive keys --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides the keys of an xft.attend_vjp into slices. Each slice is a task. Tasks do not add to the same memory, so d_q
// has several buffers. There are two ways:
//
// Without the attribute `xft.key_slices`, slices get blocks of keys in turn, and the op has one d_q for each slice.
//
// With it, slices have consecutive keys. This is for rows that see only keys around them. Slice n of `count` slices has
// `keys` keys from n `keys` on, and the last slice has all keys that follow. Rows before haloBegin + n `keys` see no
// key behind slice n. Rows from haloBegin + n `keys` + `halo` on see no key of slice n or before. The `halo` rows in
// between see keys of slices n and n + 1. They are the halo of slice n.
//
// d_q then has two buffers. Slice n adds to the first buffer from the halo of slice n - 1 (included) to its own halo
// (excluded). What it adds to its own halo goes to the second buffer, [B, H, (count - 1) halo, D], from row n halo on.
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XFT_IR_XFTKEYSLICES_H
#define XF_DIALECTS_XFT_IR_XFTKEYSLICES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xft {

/// The attribute `xft.key_slices` of a gradient. Each of `count` slices has `keys` keys, and shares `halo` rows of q
/// with the next slice. The halo of slice n begins at row n * keys + haloBegin.
struct KeySlices {
  int64_t count, keys, haloBegin, halo;

  /// Reads the attribute of `op`. Returns nullopt if `op` has none, so that slices get blocks of keys in turn.
  static std::optional<KeySlices> of(Operation *op);
  /// Sets the attribute of `op`.
  void setOn(Operation *op) const;
};

/// Returns the number of slices of the keys of `op`.
int64_t sliceCount(AttendVjpOp op);

} // namespace mlir::xft

#endif // XF_DIALECTS_XFT_IR_XFTKEYSLICES_H
