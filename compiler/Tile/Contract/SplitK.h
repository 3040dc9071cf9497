//===- SplitK.h - Long sums of few elements, in slices ----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A product with fewer tiles than a GPU has processors, as gradients of weights are, leaves some of them idle. Its
// terms are cut into slices: a batch of products writes their sums in f32, and a second launch adds them in order and
// runs the epilogue. How many is a matter of the shape alone, so that results are the same wherever they are computed.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_SPLITK_H
#define XF_COMPILER_TILE_CONTRACT_SPLITK_H

#include "compiler/Tile/Contract/Product.h"

namespace mlir::xf {

/// The products of slices, [slices, batch.., M, N], where they and their sum take less time than the whole; `product`
/// is in the form that xft.contract takes.
std::optional<Product> splitK(HostBuilder &host, const Machine &machine, const Product &product);

/// product.outs.. = epilogue(sum over slices, extras..).
void addSplitSums(HostBuilder &host, const Product &product, const Buffer &slices);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_SPLITK_H
