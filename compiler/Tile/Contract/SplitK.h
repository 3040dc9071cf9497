//===- SplitK.h - Split-K products ------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Split-K: cuts the terms of a product into slices, if the product has few tiles and long sums. A batch of products,
// one for each slice, writes its sums in f32. A second launch adds them in order and runs the epilogue. The target
// chooses the number of slices from the shape alone (TileModel::splitK), so that results are the same on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_SPLITK_H
#define XF_COMPILER_TILE_CONTRACT_SPLITK_H

#include "compiler/Tile/Contract/Product.h"

namespace mlir::xf {

/// Returns a batch of products, one for each slice of the terms of `product`. Its result [slices, batch.., M, N] is f32
/// and has sizes and strides, but no memory yet. The operands of `product` must have the unit strides that xft.contract
/// requires, and its number of terms must be a constant multiple of `slices`.
Product splitTerms(HostBuilder &host, const Product &product, int64_t slices);

/// Appends the launch that adds the sums of all slices in order, and runs the epilogue of `product`: outs.. =
/// epilogue(sum over slices, extras..). `slices` is the result of the product of splitTerms().
void addSplitSums(HostBuilder &host, const Product &product, const Buffer &slices);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_SPLITK_H
