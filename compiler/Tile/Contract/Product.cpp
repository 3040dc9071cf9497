//===- Product.cpp - A matrix product of buffers --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Contract/Product.h"

using namespace mlir;
using namespace mlir::xf;

Buffer xf::repeated(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> leading) {
  Buffer view = buffer;
  view.sizes.insert(view.sizes.begin(), leading.begin(), leading.end());
  view.strides.insert(view.strides.begin(), leading.size(), host.size(0));
  return view;
}

bool xf::hasStride(const Buffer &buffer, int64_t fromEnd, int64_t stride) {
  int64_t d = buffer.rank() - fromEnd;
  return HostBuilder::constant(buffer.sizes[d]) == 1 || HostBuilder::constant(buffer.strides[d]) == stride;
}

bool xf::rowsArePacked(const Product &product) { return !hasStride(product.a, 1, 1) && hasStride(product.a, 2, 1); }

bool xf::rowsAreShared(const Product &product) {
  ArrayRef<Size> batch = ArrayRef<Size>(product.a.strides).drop_back(2);
  auto isZero = [](Size stride) { return HostBuilder::constant(stride) == 0; };
  return rowsArePacked(product) && !batch.empty() && llvm::all_of(batch, isZero) &&
         !llvm::all_of(ArrayRef<Size>(product.b.strides).drop_back(2), isZero);
}

Type xf::sumTypeOf(const Product &product) {
  Type type = product.a.element;
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

ProductSizes xf::sizesOf(const Product &product) {
  ArrayRef<Size> sizes = product.outs.front().sizes;
  return {HostBuilder::constant(sizes[sizes.size() - 2]), HostBuilder::constant(sizes.back()),
          HostBuilder::constant(product.a.sizes.back())};
}
