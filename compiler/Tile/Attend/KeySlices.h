//===- KeySlices.h - Slices of the keys of a gradient -----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts the keys of a gradient into slices, each of which is a task. Without slices, a gradient with few heads has fewer
// tasks than a machine has workers. Slices add to the same rows of d_q. If rows only see keys around them, two
// neighbouring slices of consecutive keys share only a few rows, the halo.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_ATTEND_KEYSLICES_H
#define XF_COMPILER_TILE_ATTEND_KEYSLICES_H

#include "compiler/Tile/Attend/Attention.h"
#include "dialects/xft/IR/XftKeySlices.h"

namespace mlir::xf {

/// Cuts the keys into at most `count` slices of consecutive keys, in whole blocks of `blockKeys`. Only looks at those
/// pieces of `groups` that have one residue. Returns nullopt if slices would share many rows, or if it is unknown how
/// many they share.
std::optional<xft::KeySlices> findKeySlices(ArrayRef<HeadsOfSolution> groups, const Buffer &q, const Buffer &k,
                                            int64_t count, int64_t blockKeys);

/// Allocates the second buffer of d_q, which holds the halos of slices (xft.attend_vjp).
Buffer allocateHalo(HostBuilder &host, const Buffer &dQ, const xft::KeySlices &slices);
/// Appends a launch that adds the rows in the buffer `halo` to those rows of `dQ` to which they belong.
void addHalo(HostBuilder &host, const Buffer &dQ, const Buffer &halo, const xft::KeySlices &slices);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_ATTEND_KEYSLICES_H
