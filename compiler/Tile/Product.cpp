//===- Product.cpp - Launching a matrix product -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings any strided operands into a form that xft.contract takes, with as few dimensions as possible:
//   1. adjacent batch dimensions, and the last one with the rows of A, become one where every operand's strides allow;
//   2. C with unit stride in m instead of n is computed as its transpose, B^T A^T;
//   3. what still has no unit stride where the kernel wants one is copied.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Product.h"
#include "compiler/Tile/TileOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

Buffer xf::repeated(HostBuilder &host, const Buffer &buffer, ArrayRef<Size> leading) {
  Buffer view = buffer;
  view.sizes.insert(view.sizes.begin(), leading.begin(), leading.end());
  view.strides.insert(view.strides.begin(), leading.size(), host.size(0));
  return view;
}

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// A dimension of one element has whatever stride is wanted.
static bool hasStride(const Buffer &buffer, int64_t fromEnd, int64_t stride) {
  int64_t d = buffer.rank() - fromEnd;
  return HostBuilder::constant(buffer.sizes[d]) == 1 || HostBuilder::constant(buffer.strides[d]) == stride;
}

static void setStride(HostBuilder &host, Buffer &buffer, int64_t fromEnd, int64_t stride) {
  if (hasStride(buffer, fromEnd, stride))
    buffer.strides[buffer.rank() - fromEnd] = host.size(stride);
}

/// Merges dimension d of every operand with the next; false where strides forbid it.
static bool mergeDimension(HostBuilder &host, Product &product, int64_t d) {
  SmallVector<Buffer *> operands = {&product.a, &product.c};
  for (Buffer &extra : product.extra)
    operands.push_back(&extra);
  for (Buffer &more : product.more)
    operands.push_back(&more);
  bool withRows = d == product.a.rank() - 3;
  if (!withRows)
    operands.push_back(&product.b);
  else if (HostBuilder::constant(product.b.strides[d]) != 0 && HostBuilder::constant(product.b.sizes[d]) != 1)
    return false;
  SmallVector<Buffer, 0> merged;
  for (Buffer *operand : operands) {
    FailureOr<Buffer> view = host.collapsed(*operand, d, d + 1);
    if (failed(view))
      return false;
    merged.push_back(*view);
  }
  for (auto [operand, view] : llvm::zip_equal(operands, merged))
    *operand = view;
  if (withRows) {
    product.b.sizes.erase(product.b.sizes.begin() + d);
    product.b.strides.erase(product.b.strides.begin() + d);
  }
  return true;
}

static void mergeDimensions(HostBuilder &host, Product &product) {
  for (int64_t d = product.a.rank() - 3; d >= 0; --d)
    mergeDimension(host, product, d);
}

static Buffer transposed(Buffer buffer) {
  std::swap(buffer.sizes[buffer.rank() - 1], buffer.sizes[buffer.rank() - 2]);
  std::swap(buffer.strides[buffer.rank() - 1], buffer.strides[buffer.rank() - 2]);
  return buffer;
}

static void transposeProduct(Product &product) {
  Buffer a = transposed(product.b);
  product.b = transposed(product.a);
  product.a = a;
  product.c = transposed(product.c);
  for (Buffer &extra : product.extra)
    extra = transposed(extra);
  for (Buffer &more : product.more)
    more = transposed(more);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

namespace {
struct TileSizes {
  int64_t rows, columns, block, depth;
};
} // namespace

/// rows x registers sums, one register of B each and a broadcast of A fit the register file. Six rows stay below the
/// ways of the first-level cache, where rows a multiple of 4 KB apart meet in one set.
static TileSizes chooseTiles(const Machine &machine, Type sumType) {
  int64_t rows = 6, registers = machine.registers >= 32 ? 4 : 2;
  int64_t columns = registers * machine.lanes(sumType), columnBytes = columns * sumType.getIntOrFloatBitWidth() / 8;
  // A panel takes up to half of the second-level cache; the sum over k is cut no sooner.
  return {rows, columns, /*block=*/16 * rows, std::max<int64_t>(256, machine.l2Bytes / 2 / columnBytes)};
}

/// A kernel's operand type: what code generation uses of the strides is static, all else is a scalar of the launch.
static MemRefType operandType(const HostBuilder &host, const Buffer &buffer, bool repeatsAreStatic) {
  int64_t rank = buffer.rank();
  SmallVector<int64_t> sizes(rank, ShapedType::kDynamic), strides(rank, ShapedType::kDynamic);
  bool foundUnit = false;
  for (int64_t d = rank - 1; d >= 0; --d) {
    std::optional<int64_t> stride = HostBuilder::constant(buffer.strides[d]);
    if (repeatsAreStatic && stride == 0)
      strides[d] = 0;
    if (d >= rank - 2 && stride == 1 && !foundUnit) {
      strides[d] = 1;
      foundUnit = true;
    }
  }
  return host.operandType(buffer.element, sizes, strides);
}

static Type sumTypeOf(const Product &product) {
  Type type = product.a.element;
  return type.isF16() || type.isBF16() ? Float32Type::get(type.getContext()) : type;
}

static void buildKernel(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands, const Product &product,
                        const TileSizes &tiles) {
  Type sumType = sumTypeOf(product);
  size_t results = 1 + product.more.size();
  ArrayRef<BlockArgument> extra = operands.drop_front(2).drop_back(results);
  auto op = xft::ContractOp::create(b, loc, operands[0], operands[1], ValueRange(extra), ValueRange(operands.take_back(results)),
                                    tiles.rows, tiles.columns, tiles.block, tiles.depth);
  Block &region = op.getEpilogue().emplaceBlock();
  for (size_t n = 0; n <= extra.size(); ++n)
    region.addArgument(sumType, loc);
  OpBuilder inner = OpBuilder::atBlockBegin(&region);
  SmallVector<Value> values = {region.getArgument(0)};
  if (product.epilogue)
    values = product.epilogue(inner, loc, region.getArguments());
  xft::YieldOp::create(inner, loc, values);
  op->getParentOp()->setAttr(xft::scratchAttrName, b.getI64IntegerAttr(op.getScratchBytes()));
}

static Size gridOf(HostBuilder &host, const Product &product, const TileSizes &tiles) {
  ArrayRef<Size> sizes = product.c.sizes;
  Size rows = host.ceilDiv(sizes[sizes.size() - 2], tiles.block), panels = host.ceilDiv(sizes.back(), tiles.columns);
  return host.mul(host.product(sizes.drop_back(2)), host.mul(panels, rows));
}

/// Operations of the product, where its sizes are constants.
static void countWork(HostBuilder &host, const Product &product) {
  Size terms = host.mul(host.product(product.c.sizes), product.a.sizes.back());
  if (auto count = HostBuilder::constant(terms))
    host.count(2.0 * static_cast<double>(*count));
}

void xf::launchProduct(HostBuilder &host, const Machine &machine, Product product) {
  countWork(host, product);
  mergeDimensions(host, product);
  if (!hasStride(product.c, 1, 1) && hasStride(product.c, 2, 1))
    transposeProduct(product);
  SmallVector<std::pair<Buffer, Buffer>, 0> copies; // results that no kernel can write in place
  auto writable = [&](Buffer &result) {
    if (!hasStride(result, 1, 1)) {
      Buffer packed = host.allocate(result.element, result.sizes);
      copies.push_back({packed, result});
      result = packed;
    }
    setStride(host, result, 1, 1);
  };
  writable(product.c);
  for (Buffer &more : product.more)
    writable(more);
  if (!hasStride(product.b, 1, 1) && !hasStride(product.b, 2, 1))
    product.b = host.contiguous(product.b);
  for (Buffer &extra : product.extra)
    if (!hasStride(extra, 1, 1) && !hasStride(extra, 1, 0))
      extra = host.contiguous(extra);
  setStride(host, product.b, hasStride(product.b, 1, 1) ? 1 : 2, 1);
  for (Buffer &extra : product.extra)
    setStride(host, extra, 1, HostBuilder::constant(extra.strides.back()) == 0 ? 0 : 1);

  TileSizes tiles = chooseTiles(machine, sumTypeOf(product));
  SmallVector<Buffer, 0> operands = {product.a, product.b};
  llvm::append_range(operands, product.extra);
  operands.push_back(product.c);
  llvm::append_range(operands, product.more);
  SmallVector<Type> types;
  SmallVector<Value> actuals;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    types.push_back(operandType(host, operand, /*repeatsAreStatic=*/number >= 2 && number < 2 + product.extra.size()));
    actuals.push_back(host.memref(operand));
  }
  func::FuncOp kernel =
      host.kernel("contract", product.epilogueKey, types,
                  [&](OpBuilder &b, Location loc, auto arguments) { buildKernel(b, loc, arguments, product, tiles); });
  host.launch(kernel, gridOf(host, product, tiles), actuals);
  for (auto &[from, to] : copies)
    tileCopy(host, machine, from, to);
}
