//===- Product.h - Launching a matrix product ----------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_CONTRACT_PRODUCT_H
#define XF_COMPILER_TILE_CONTRACT_PRODUCT_H

#include "compiler/Tile/Host/HostBuilder.h"

namespace mlir::xf {

/// A product of buffers: outs[b, m, n].. = epilogue(sum_k A[b, m, k] B[b, k, n], extras[b, m, n]..), as xft.contract
/// computes it.
struct Product {
  Buffer a;                      ///< [batch.., M, K], any strides
  Buffer b;                      ///< [batch.., K, N], any strides; 0 repeats a matrix
  SmallVector<Buffer, 0> outs;   ///< [batch.., M, N], any strides
  SmallVector<Buffer, 0> extras; ///< [batch.., M, N]; strides of 0 repeat a value along m (bias) or n

  /// Builds one element of each result from the sum and one element of each extra operand, in the type that sums are
  /// computed in; null: the sum is the result. Called before launchProduct returns.
  using Epilogue = function_ref<SmallVector<Value>(OpBuilder &b, Location loc, ValueRange elements)>;
  Epilogue epilogue = nullptr;
  std::string epilogueKey = "sum"; ///< determines what `epilogue` builds
};

/// Returns a view of `buffer` repeated along new leading dimensions, with strides of 0.
Buffer repeated(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> leading);

/// Appends the launches of a product. Products of the same form share one kernel: sizes are scalars of the launch.
void launchProduct(HostBuilder &host, Product product);

//===--- what targets choose tiles by ---===//

/// The sizes of one product of the batch; nothing for dynamic ones.
struct ProductSizes {
  std::optional<int64_t> rows, columns, terms;
};
ProductSizes sizesOf(const Product &product);
/// True if a kernel packs A, which is transposed; and if, moreover, all matrices of B share one A (see xft.contract).
bool rowsArePacked(const Product &product);
bool rowsAreShared(const Product &product);
/// Returns the type that sums are computed in.
Type sumTypeOf(const Product &product);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_PRODUCT_H
