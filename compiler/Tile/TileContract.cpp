//===- TileContract.cpp - xf.linear and xf.matmul become launches -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %y = xf.linear %x, %w bias(%b : tensor<32xf32>) : (tensor<2x5x16xf32>, tensor<32x16xf32>) ->
// tensor<2x5x32xf32> After:   xft.launch @contract_.. tiles(%n) (%x, %w, %b, %y)   with x as 10x16, W^T as 16x32, b as
// 10x32 with stride 0
//
// Transposed operands are views: the kernel reads A by any strides and packs B from either order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Product.h"
#include "compiler/Tile/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::xf;

static SmallVector<Value> addBias(OpBuilder &b, Location loc, ValueRange elements) {
  return {arith::AddFOp::create(b, loc, elements[0], elements[1])};
}

LogicalResult xf::tileLinear(LinearOp op, HostBuilder &host, const Machine &machine) {
  Buffer x = host.buffer(op.getX()), weight = host.buffer(op.getWeight());
  if (failed(host.requireEqual(x.sizes.back(), weight.sizes[1])))
    return failure();
  bool isVector = x.rank() == 1;
  if (isVector) // one row
    x = repeated(host, x, host.size(1));
  Product product{x, host.permuted(weight, {1, 0}), host.result(op.getY())};
  if (isVector)
    product.c = repeated(host, product.c, host.size(1));
  ArrayRef<Size> batch = ArrayRef<Size>(x.sizes).drop_back(2);
  product.b = repeated(host, product.b, batch);
  if (op.getBias()) {
    Buffer bias = host.buffer(op.getBias());
    if (failed(host.requireEqual(bias.sizes[0], weight.sizes[0])))
      return failure();
    product.extra.push_back(repeated(host, bias, ArrayRef<Size>(x.sizes).drop_back()));
    product.epilogue = addBias;
    product.epilogueKey = "bias";
  }
  launchProduct(host, machine, std::move(product));
  return success();
}

/// The last two dimensions swapped.
static Buffer transposed(const HostBuilder &host, const Buffer &buffer) {
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, buffer.rank()));
  std::swap(permutation.end()[-1], permutation.end()[-2]);
  return host.permuted(buffer, permutation);
}

/// A view of an operand that broadcasts to `sizes`.
static Buffer broadcastTo(HostBuilder &host, Buffer buffer, ArrayRef<Size> sizes) {
  buffer = repeated(host, buffer, sizes.drop_back(buffer.rank()));
  for (int64_t d = 0; d < buffer.rank(); ++d)
    if (HostBuilder::constant(buffer.sizes[d]) == 1 && HostBuilder::constant(sizes[d]) != 1) {
      buffer.sizes[d] = sizes[d];
      buffer.strides[d] = host.size(0);
    }
  return buffer;
}

/// The text of a region: equal text, equal code.
static std::string textOf(Region &region) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (Operation &op : region.front())
    op.print(os, OpPrintingFlags().useLocalScope());
  return text;
}

LogicalResult xf::tileProduct(ProductOp op, HostBuilder &host, const Machine &machine) {
  Buffer a = host.buffer(op.getA()), b = host.buffer(op.getB());
  bool isVector = a.rank() == 1;
  if (isVector) // one row
    a = repeated(host, a, host.size(1));
  if (op.getTransposeA())
    a = transposed(host, a);
  if (op.getTransposeB())
    b = transposed(host, b);
  if (failed(host.requireEqual(a.sizes.back(), b.sizes[b.rank() - 2])))
    return failure();
  ArrayRef<Size> batch = ArrayRef<Size>(a.sizes).drop_back(2);
  if (b.rank() == 2)
    b = repeated(host, b, batch);
  for (auto [x, y] : llvm::zip(batch, b.sizes))
    if (failed(host.requireEqual(x, y)))
      return failure();
  SmallVector<Buffer, 0> results;
  for (Value output : op.getOutputs()) {
    Buffer result = host.result(output);
    results.push_back(isVector ? repeated(host, result, host.size(1)) : result);
  }
  Product product{a, b, results.front()};
  product.more.assign(results.begin() + 1, results.end());
  for (Value extra : op.getExtras())
    product.extra.push_back(broadcastTo(host, host.buffer(extra), results.front().sizes));
  auto epilogue = [&](OpBuilder &builder, Location, ValueRange elements) {
    IRMapping mapping;
    Block &body = op.getEpilogue().front();
    mapping.map(body.getArguments(), elements);
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping);
    return llvm::map_to_vector(body.getTerminator()->getOperands(), [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  std::string key = textOf(op.getEpilogue());
  product.epilogue = epilogue;
  product.epilogueKey = key;
  launchProduct(host, machine, std::move(product));
  return success();
}

LogicalResult xf::tileMatmul(MatmulOp op, HostBuilder &host, const Machine &machine) {
  Buffer a = host.buffer(op.getA()), b = host.buffer(op.getB());
  if (op.getTransposeA())
    a = transposed(host, a);
  if (op.getTransposeB())
    b = transposed(host, b);
  if (failed(host.requireEqual(a.sizes.back(), b.sizes[b.rank() - 2])))
    return failure();
  ArrayRef<Size> batch = ArrayRef<Size>(a.sizes).drop_back(2);
  if (b.rank() == 2)
    b = repeated(host, b, batch);
  for (auto [x, y] : llvm::zip(batch, b.sizes))
    if (failed(host.requireEqual(x, y)))
      return failure();
  launchProduct(host, machine, Product{a, b, host.result(op.getY())});
  return success();
}
