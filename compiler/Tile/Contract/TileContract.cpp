//===- TileContract.cpp - Matrix products to launches ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %y = xf.linear %x, %w bias(%b : tensor<32xf32>)
//              : (tensor<2x5x16xf32>, tensor<32x16xf32>) -> tensor<2x5x32xf32>
// After:   xft.launch @contract_.. tiles(%n) (%x, %w, %b, %y)
//              with x as 10x16, W^T as 16x32, b as 10x32 with stride 0
//
// Transposed operands are views: the kernel reads A by any strides and packs B from either order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/WidenedScalars.h"
#include "compiler/Tile/Contract/Product.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "compiler/Tile/TileFamilies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::xf;

/// Returns a vector as a matrix of one row, and any other buffer as it is.
static Buffer asRows(HostBuilder &host, const Buffer &buffer) {
  return buffer.rank() == 1 ? repeated(host, buffer, host.size(1)) : buffer;
}

//===----------------------------------------------------------------------===//
// xf.linear
//===----------------------------------------------------------------------===//

static SmallVector<Value> addBias(OpBuilder &b, Location loc, ValueRange elements) {
  return {arith::AddFOp::create(b, loc, elements[0], elements[1])};
}

static LogicalResult tileLinear(LinearOp op, HostBuilder &host) {
  Buffer x = asRows(host, host.buffer(op.getX())), weight = host.buffer(op.getWeight());
  if (failed(host.requireEqual(x.sizes.back(), weight.sizes[1])))
    return failure();
  Buffer y = asRows(host, host.result(op.getY()));
  ArrayRef<Size> rows = ArrayRef<Size>(x.sizes).drop_back();
  Product product{x, repeated(host, host.permuted(weight, {1, 0}), rows.drop_back()), {y}, {}};
  if (op.getBias()) {
    Buffer bias = host.buffer(op.getBias());
    if (failed(host.requireEqual(bias.sizes[0], weight.sizes[0])))
      return failure();
    product.extras.push_back(repeated(host, bias, rows));
    product.epilogue = addBias;
    product.epilogueKey = "bias";
  }
  launchProduct(host, std::move(product));
  return success();
}

//===----------------------------------------------------------------------===//
// xf.matmul and xf.product
//===----------------------------------------------------------------------===//

/// Returns a view with the last two dimensions swapped.
static Buffer transposed(const HostBuilder &host, const Buffer &buffer) {
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, buffer.rank()));
  std::swap(permutation.end()[-1], permutation.end()[-2]);
  return host.permuted(buffer, permutation);
}

/// Returns the factors of xf.matmul or xf.product as A [batch.., M, K] and B [batch.., K, N]; the product has no
/// results yet. Fails after an error if sizes differ.
template <typename OpTy>
static FailureOr<Product> factorsOf(OpTy op, HostBuilder &host) {
  Buffer a = asRows(host, host.buffer(op.getA())), b = host.buffer(op.getB());
  if (op.getTransposeA())
    a = transposed(host, a);
  if (op.getTransposeB())
    b = transposed(host, b);
  if (failed(host.requireEqual(a.sizes.back(), b.sizes[b.rank() - 2])))
    return failure();
  Buffer &few = a.rank() < b.rank() ? a : b, &many = a.rank() < b.rank() ? b : a;
  few = repeated(host, few, ArrayRef<Size>(many.sizes).drop_back(few.rank()));
  for (auto [x, y] : llvm::zip(ArrayRef<Size>(a.sizes).drop_back(2), b.sizes))
    if (failed(host.requireEqual(x, y)))
      return failure();
  return Product{a, b, {}, {}};
}

static LogicalResult tileMatmul(MatmulOp op, HostBuilder &host) {
  FailureOr<Product> product = factorsOf(op, host);
  if (failed(product))
    return failure();
  product->outs.push_back(host.result(op.getY()));
  launchProduct(host, std::move(*product));
  return success();
}

/// Returns `buffer` broadcast to `sizes` by numpy's rules: aligned at the last dimension, sizes of 1 repeated. Fails
/// after an error.
static FailureOr<Buffer> broadcastTo(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes) {
  Buffer view = repeated(host, buffer, sizes.drop_back(buffer.rank()));
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (HostBuilder::constant(view.sizes[d]) == 1)
      view.strides[d] = host.size(0);
    else if (failed(host.requireEqual(view.sizes[d], size)))
      return failure();
    view.sizes[d] = size;
  }
  return view;
}

/// Returns the text of an epilogue. Products whose epilogues have the same text share a kernel.
static std::string textOf(Block &region) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (Operation &op : region) {
    op.print(os, OpPrintingFlags().useLocalScope());
    os << ';';
  }
  return text;
}

static LogicalResult tileProduct(ProductOp op, HostBuilder &host) {
  FailureOr<Product> product = factorsOf(op, host);
  if (failed(product))
    return failure();
  for (Value output : op.getOutputs())
    product->outs.push_back(asRows(host, host.resultOver(output, op.getExtras())));
  for (Value extra : op.getExtras()) {
    FailureOr<Buffer> view = broadcastTo(host, host.buffer(extra), product->outs.front().sizes);
    if (failed(view))
      return failure();
    product->extras.push_back(*view);
  }
  Block &region = op.getEpilogue().front();
  auto clone = [&](OpBuilder &b, Location, ValueRange elements) {
    IRMapping mapping;
    mapping.map(region.getArguments(), elements);
    for (Operation &inner : region.without_terminator())
      b.clone(inner, mapping);
    SmallVector<Value> results;
    for (auto [value, output] : llvm::zip(region.getTerminator()->getOperands(), op.getOutputs()))
      results.push_back(withoutLastRounding(mapping.lookup(value), getElementTypeOrSelf(output)));
    return results;
  };
  product->epilogue = clone;
  product->epilogueKey = textOf(region);
  launchProduct(host, std::move(*product));
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

namespace {
struct LinearModel : TileableModel<tileLinear, LinearModel> {
  SmallVector<Size> resultSizes(Operation *base, HostBuilder &host, OpResult) const {
    auto op = cast<LinearOp>(base);
    SmallVector<Size> sizes = host.sizes(op.getX());
    sizes.back() = host.sizes(op.getWeight())[0];
    return sizes;
  }
};

/// The model of xf.matmul and of xf.product. Derives the sizes of the result from the two factors.
template <auto tiling>
struct MatmulModel : TileableModel<tiling, MatmulModel<tiling>> {
  SmallVector<Size> resultSizes(Operation *base, HostBuilder &host, OpResult) const {
    auto op = cast<TiledOp<tiling>>(base);
    SmallVector<Size> a = host.sizes(op.getA()), b = host.sizes(op.getB());
    if (op.getTransposeA())
      std::swap(a[a.size() - 1], a[a.size() - 2]);
    Size rows = a[a.size() - 2], columns = op.getTransposeB() ? b[b.size() - 2] : b.back();
    SmallVector<Size> sizes = a.size() < b.size() ? b : a; // the one with more matrices
    sizes[sizes.size() - 2] = rows;
    sizes.back() = columns;
    return sizes;
  }
};
} // namespace

void xf::attachContractTilings(MLIRContext &context) {
  LinearOp::attachInterface<LinearModel>(context);
  MatmulOp::attachInterface<MatmulModel<tileMatmul>>(context);
  ProductOp::attachInterface<MatmulModel<tileProduct>>(context);
}
