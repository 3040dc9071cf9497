//===- Product.h - A matrix product of buffers -----------------*- C++ -*-===//
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

  /// Builds one element of each result from the sum and from one element of each extra operand. All elements have the
  /// type of sums (sumTypeOf). If the function is null, the sum is the result. launchProduct calls the function, but
  /// does not store it.
  using Epilogue = function_ref<SmallVector<Value>(OpBuilder &b, Location loc, ValueRange elements)>;
  Epilogue epilogue = nullptr;
  std::string epilogueKey = "sum"; ///< determines what `epilogue` builds
};

/// Returns a view of `buffer` repeated along new leading dimensions, with strides of 0.
Buffer repeated(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> leading);

/// Returns true if dimension `fromEnd`, counted from the end (1 is the last one), has stride `stride`. Also returns
/// true if its size is 1, because any stride is then valid.
bool hasStride(const Buffer &buffer, int64_t fromEnd, int64_t stride);

//===--- what targets choose tiles by ---===//

/// The sizes M, N and K of one product of the batch; nullopt for dynamic ones.
struct ProductSizes {
  std::optional<int64_t> rows, columns, terms;
};
ProductSizes sizesOf(const Product &product);
/// Returns true if A is transposed in memory (unit stride along m and not along k), so that the kernel packs its rows.
bool rowsArePacked(const Product &product);
/// Returns true if rowsArePacked() and if all products of the batch have the same A (see xft.contract).
bool rowsAreShared(const Product &product);
/// Returns the type in which a product's sums are computed: f32 for f16 and bf16, else the element type.
Type sumTypeOf(const Product &product);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_CONTRACT_PRODUCT_H
