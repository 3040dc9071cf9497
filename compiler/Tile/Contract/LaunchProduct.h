//===- LaunchProduct.h - Launching a matrix product -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_LAUNCHPRODUCT_H
#define XF_COMPILER_TILE_CONTRACT_LAUNCHPRODUCT_H

#include "compiler/Tile/Contract/Product.h"

namespace mlir::xf {

/// Appends the launches of a product. Products with the same types, tiles and epilogue share a kernel, because sizes
/// are scalars of the launch.
void launchProduct(HostBuilder &host, Product product);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_LAUNCHPRODUCT_H
