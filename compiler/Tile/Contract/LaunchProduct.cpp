//===- LaunchProduct.cpp - Launching a matrix product ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches products. First brings strided operands into a form that xft.contract takes, with as few dimensions as
// possible:
//   1. adjacent batch dimensions are merged, and the last one with the rows of A, if strides of all operands allow it;
//   2. a result with unit stride in m instead of n is computed as its transpose, B^T A^T;
//   3. an operand without a unit stride that the kernel requires is copied.
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Contract/LaunchProduct.h"
#include "compiler/Tile/Contract/PrepackedWeights.h"
#include "compiler/Tile/Contract/SplitK.h"
#include "dialects/xft/IR/XftHeld.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>

using namespace mlir;
using namespace mlir::xf;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

static void setStride(HostBuilder &host, Buffer &buffer, int64_t fromEnd, int64_t stride) {
  if (hasStride(buffer, fromEnd, stride))
    buffer.strides[buffer.rank() - fromEnd] = host.size(stride);
}

/// Merges dimension d of every operand with dimension d + 1, with one exception. If dimension d + 1 holds the rows of
/// A, B has no such dimension. Then dimension d of B is dropped, which B must repeat. Returns false, and changes
/// nothing, if strides do not allow this.
static bool mergeDimension(HostBuilder &host, Product &product, int64_t d) {
  SmallVector<Buffer *> operands = {&product.a};
  for (Buffer &element : llvm::concat<Buffer>(product.outs, product.extras))
    operands.push_back(&element);
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
  for (Buffer &element : llvm::concat<Buffer>(product.outs, product.extras))
    element = transposed(element);
}

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

/// Returns the type of a kernel's operand. The unit stride of a matrix is static. If `repeatsAreStatic`, strides of 0
/// are static, too. All other strides and all sizes are scalars of the launch.
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

static void buildKernel(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands, const Product &product,
                        const ProductTile &tiles, const TileModel &model) {
  Type sumType = sumTypeOf(product);
  ArrayRef<BlockArgument> extras = operands.slice(2, product.extras.size());
  ArrayRef<BlockArgument> outs = operands.take_back(product.outs.size());
  auto op =
      xft::ContractOp::create(b, loc, operands[0], operands[1], ValueRange(extras), ValueRange(outs), tiles.rows,
                              tiles.columns, tiles.block, tiles.depth, tiles.panels, tiles.widened, tiles.warpgroups);
  Block &region = op.getEpilogue().emplaceBlock();
  for (size_t n = 0; n <= extras.size(); ++n)
    region.addArgument(sumType, loc);
  OpBuilder inner = OpBuilder::atBlockBegin(&region);
  SmallVector<Value> results = {region.getArgument(0)};
  if (product.epilogue)
    results = product.epilogue(inner, loc, region.getArguments());
  xft::YieldOp::create(inner, loc, results);
  model.describeLaunch(op);
}

static Size gridOf(HostBuilder &host, const Product &product, const ProductTile &tiles) {
  ArrayRef<Size> sizes = product.outs.front().sizes;
  Size rows = host.ceilDiv(sizes[sizes.size() - 2], tiles.block), panels = host.ceilDiv(sizes.back(), tiles.columns);
  if (rowsAreShared(product))
    return host.mul(host.ceilDiv(host.mul(host.product(sizes.drop_back(2)), panels), tiles.panels), rows);
  return host.mul(host.product(sizes.drop_back(2)), host.mul(host.ceilDiv(panels, tiles.panels), rows));
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

/// Adds the operations of the product to the work of the host program, if its sizes are constants.
static void countWork(HostBuilder &host, const Product &product) {
  Size terms = host.mul(host.product(product.outs.front().sizes), product.a.sizes.back());
  if (auto count = HostBuilder::constant(terms))
    host.count(2.0 * static_cast<double>(*count));
}

/// Gives all buffers of a product the unit strides that xft.contract requires. Copies factors and extra operands that
/// lack them. Replaces each result that lacks them by a new buffer. Returns pairs of a new buffer and the result that
/// it replaces, to which it must be copied after the product.
static SmallVector<std::pair<Buffer, Buffer>, 0> bringIntoForm(HostBuilder &host, Product &product) {
  SmallVector<std::pair<Buffer, Buffer>, 0> copies;
  for (Buffer &out : product.outs) {
    if (!hasStride(out, 1, 1)) {
      Buffer home = out;
      out = host.allocate(home.element, home.sizes);
      copies.push_back({out, home});
    }
    setStride(host, out, 1, 1);
  }
  if (!hasStride(product.b, 1, 1) && !hasStride(product.b, 2, 1))
    product.b = host.contiguous(product.b);
  setStride(host, product.b, hasStride(product.b, 1, 1) ? 1 : 2, 1);
  for (Buffer &extra : product.extras) {
    if (!hasStride(extra, 1, 1) && !hasStride(extra, 1, 0))
      extra = host.contiguous(extra);
    setStride(host, extra, 1, HostBuilder::constant(extra.strides.back()) == 0 ? 0 : 1);
  }
  return copies;
}

/// Appends the launch of an xft.contract kernel. `b` is the matrix B or its prepacked panels. `mark` is the unit
/// attribute that limits the launch to some calls (XftHeld.h). If `mark` is empty, every call runs the launch.
static void launchContract(HostBuilder &host, const Product &product, const ProductTile &tiles, const Buffer &b,
                           StringRef mark) {
  SmallVector<Type> types;
  SmallVector<Value> actuals;
  auto append = [&](const Buffer &operand, bool repeatsAreStatic) {
    types.push_back(operandType(host, operand, repeatsAreStatic));
    actuals.push_back(host.memref(operand));
  };
  bool hasGroups = tiles.warpgroups != nullptr; // TMA boxes have no dimension that repeats
  append(product.a, hasGroups || rowsAreShared(product));
  append(b, hasGroups);
  if (b.rank() > product.a.rank())
    types.back() = panelsType(host, b, tiles.columns);
  for (const Buffer &extra : product.extras)
    append(extra, true);
  for (const Buffer &out : product.outs)
    append(out, false);
  std::string key =
      llvm::formatv("{0}|{1}|{2}|{3}|{4}|{5}|{6}|{7}", tiles.rows, tiles.columns, tiles.panels, tiles.block,
                    tiles.depth, tiles.warpgroups, product.extras.size(), product.epilogueKey);
  if (tiles.widened)
    key += "|widened";
  auto kernel = host.kernel("contract", key, types, [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands) {
    buildKernel(b, loc, operands, product, tiles, host.model);
  });
  launchMarked(host, kernel, gridOf(host, product, tiles), actuals, mark);
}

/// Appends the launch of a product whose operands have unit strides (see bringIntoForm). If its weight may be
/// prepacked, appends two launches, one that reads B and one that reads the panels. Each call of the entry runs one of
/// the two.
static void launchWhole(HostBuilder &host, const Product &product) {
  ProductTile tiles = host.model.productTile(host, product);
  std::optional<Buffer> panels;
  if (host.model.prepacksWeights())
    panels = prepackPanels(host, product.b, tiles.panelElement ? tiles.panelElement : sumTypeOf(product), tiles.columns,
                           tiles.panelTerms);
  launchContract(host, product, tiles, product.b, panels ? xft::ifNotHeldAttrName : StringLiteral(""));
  if (panels)
    launchContract(host, product, tiles, *panels, xft::ifHeldAttrName);
}

void xf::launchProduct(HostBuilder &host, Product product) {
  countWork(host, product);
  mergeDimensions(host, product);
  if (!hasStride(product.outs.front(), 1, 1) && hasStride(product.outs.front(), 2, 1))
    transposeProduct(product);
  auto copies = bringIntoForm(host, product);
  if (int64_t slices = host.model.splitK(host, product); slices > 1) {
    Product part = splitTerms(host, product, slices);
    Buffer &sums = part.outs.front();
    sums = host.allocate(sums.element, sums.sizes);
    launchWhole(host, part);
    addSplitSums(host, product, sums);
  } else {
    launchWhole(host, product);
  }
  for (auto &[from, to] : copies)
    tileCopy(host, from, to);
}
