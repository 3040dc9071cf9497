//===- SplitK.cpp - Split-K products --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Contract/SplitK.h"
#include "compiler/Tile/Rows/TileRows.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns a view in which dimension `dimension` is cut into `slices` equal slices. The first dimension of the view is
/// the index of the slice.
static Buffer cut(HostBuilder &host, const Buffer &buffer, int64_t dimension, int64_t slices) {
  int64_t length = *HostBuilder::constant(buffer.sizes[dimension]) / slices;
  Buffer view = host.split(buffer, dimension, host.size(length));
  SmallVector<int64_t> order = {dimension};
  for (int64_t d = 0; d < view.rank(); ++d)
    if (d != dimension)
      order.push_back(d);
  return host.permuted(view, order);
}

Product xf::splitTerms(HostBuilder &host, const Product &product, int64_t slices) {
  Product part{
      cut(host, product.a, product.a.rank() - 1, slices), cut(host, product.b, product.b.rank() - 2, slices), {}, {}};
  SmallVector<Size> sizes(product.outs.front().sizes);
  sizes.insert(sizes.begin(), host.size(slices));
  part.outs.push_back({Value(), host.b.getF32Type(), host.size(0), sizes, host.rowMajorStrides(sizes)});
  return part;
}

void xf::addSplitSums(HostBuilder &host, const Product &product, const Buffer &slices) {
  int64_t count = *HostBuilder::constant(slices.sizes.front());
  SmallVector<Buffer> ins;
  for (int64_t n = 0; n < count; ++n) {
    Buffer slice = slices;
    slice.offset = host.add(slice.offset, host.mul(host.size(n), slice.strides.front()));
    slice.sizes.erase(slice.sizes.begin());
    slice.strides.erase(slice.strides.begin());
    ins.push_back(slice);
  }
  llvm::append_range(ins, product.extras);
  launchElementwise(host, "contract_sum", ins, product.outs, [&](RowBody &, ScalarCode &code, ValueRange elements) {
    SmallVector<Value> arguments = {elements[0]};
    for (Value slice : elements.slice(1, count - 1))
      arguments[0] = arith::AddFOp::create(code.b, code.loc, arguments[0], slice);
    llvm::append_range(arguments, elements.drop_front(count));
    return product.epilogue ? product.epilogue(code.b, code.loc, arguments) : SmallVector<Value>(arguments);
  });
}
