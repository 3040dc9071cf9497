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
// Transposed operands are views: the kernel reads A with any strides, and packs B from either order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/WidenedScalars.h"
#include "compiler/Tile/Contract/LaunchProduct.h"
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
  Buffer y = asRows(host, host.result(op.getY()));
  ArrayRef<Size> rows = ArrayRef<Size>(x.sizes).drop_back();
  Product product{x, repeated(host, host.permuted(weight, {1, 0}), rows.drop_back()), {y}, {}};
  if (op.getBias()) {
    product.extras.push_back(repeated(host, host.buffer(op.getBias()), rows));
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

/// Returns xf.matmul or xf.product as a product A [batch.., M, K] by B [batch.., K, N] that has no results yet.
template <typename OpTy>
static Product factorsOf(OpTy op, HostBuilder &host) {
  Buffer a = asRows(host, host.buffer(op.getA())), b = host.buffer(op.getB());
  if (op.getTransposeA())
    a = transposed(host, a);
  if (op.getTransposeB())
    b = transposed(host, b);
  Buffer &few = a.rank() < b.rank() ? a : b, &many = a.rank() < b.rank() ? b : a;
  few = repeated(host, few, ArrayRef<Size>(many.sizes).drop_back(few.rank()));
  return Product{a, b, {}, {}};
}

static LogicalResult tileMatmul(MatmulOp op, HostBuilder &host) {
  Product product = factorsOf(op, host);
  product.outs.push_back(host.result(op.getY()));
  launchProduct(host, std::move(product));
  return success();
}

/// Returns `buffer` broadcast to `sizes` by numpy's rules: aligned at the last dimension, with sizes of 1 repeated.
static Buffer broadcastTo(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> sizes) {
  Buffer view = repeated(host, buffer, sizes.drop_back(buffer.rank()));
  for (auto [d, size] : llvm::enumerate(sizes)) {
    if (HostBuilder::constant(view.sizes[d]) == 1)
      view.strides[d] = host.size(0);
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
  Product product = factorsOf(op, host);
  for (Value output : op.getOutputs())
    product.outs.push_back(asRows(host, host.resultOver(output, op.getExtras())));
  for (Value extra : op.getExtras())
    product.extras.push_back(broadcastTo(host, host.buffer(extra), product.outs.front().sizes));
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
  product.epilogue = clone;
  product.epilogueKey = textOf(region);
  launchProduct(host, std::move(product));
  return success();
}

void xf::attachContractTilings(MLIRContext &context) {
  attachTiling<tileLinear>(context);
  attachTiling<tileMatmul>(context);
  attachTiling<tileProduct>(context);
}
