//===- SplitK.h - Split-K products ------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Split-K: if a product has few tiles and long sums, its terms are cut into slices. A batch of products writes their
// sums in f32; a second launch adds them in order and runs the epilogue. The target chooses the number of slices from
// the shape alone (TileModel::splitK), so that results are the same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_SPLITK_H
#define XF_COMPILER_TILE_CONTRACT_SPLITK_H

#include "compiler/Tile/Contract/Product.h"

namespace mlir::xf {

/// Returns the batch of products of slices; its result [slices, batch.., M, N] in f32 has sizes and strides, and no
/// memory yet. `product` is in the form that xft.contract takes; its number of terms is a constant, a multiple of
/// `slices`.
Product splitTerms(HostBuilder &host, const Product &product, int64_t slices);

/// Appends product.outs.. = epilogue(sum over slices, extras..).
void addSplitSums(HostBuilder &host, const Product &product, const Buffer &slices);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_SPLITK_H
