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

/// outs[b, m, n].. = epilogue(sum_k A[b, m, k] B[b, k, n], extras[b, m, n]..): what xft.contract computes, over
/// buffers.
struct Product {
  Buffer a;                      ///< [batch.., M, K], any strides
  Buffer b;                      ///< [batch.., K, N], any strides; 0 repeats a matrix
  SmallVector<Buffer, 0> outs;   ///< [batch.., M, N], any strides
  SmallVector<Buffer, 0> extras; ///< [batch.., M, N]; strides of 0 repeat a value along m (bias) or n

  /// Builds one element of each result from the sum and one element of each extra operand, in the type that is computed
  /// in; null: the sum is the result. Called before launchProduct returns.
  using Epilogue = function_ref<SmallVector<Value>(OpBuilder &b, Location loc, ValueRange elements)>;
  Epilogue epilogue = nullptr;
  std::string epilogueKey = "sum"; ///< determines what `epilogue` builds
};

/// A buffer repeated along new leading dimensions.
Buffer repeated(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> leading);

/// Appends the launches of a product. Equal forms share one kernel: sizes are scalars of the launch.
void launchProduct(HostBuilder &host, Product product);

//===--- what targets choose tiles by ---===//

/// Sizes of one product of the batch; unknown where they are values of the call.
struct ProductSizes {
  std::optional<int64_t> rows, columns, terms;
};
ProductSizes sizesOf(const Product &product);
/// Whether a kernel packs A, which is transposed, and whether one A meets all matrices of B (see xft.contract).
bool rowsArePacked(const Product &product);
bool rowsAreShared(const Product &product);
/// The type that sums are computed in.
Type sumTypeOf(const Product &product);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_PRODUCT_H
