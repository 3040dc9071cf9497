//===- SplitK.cpp - Long sums of few elements, in slices -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Contract/SplitK.h"
#include "compiler/Tile/Contract/ProductWarpgroups.h"
#include "compiler/Tile/Rows/TileRows.h"

using namespace mlir;
using namespace mlir::xf;

static constexpr int64_t sumBytes = 4;

/// Cycles until the sums of slices are added: a launch, and what it reads and writes at the rate of the second-level
/// cache.
static double addingCycles(const Machine &machine, int64_t slices, int64_t elements) {
  constexpr double launchCycles = 5000, bytesPerCycle = 20;
  double bytes = static_cast<double>((2 * slices + 1) * elements * sumBytes); // written, read; results
  return launchCycles + bytes / (bytesPerCycle * static_cast<double>(machine.processors));
}

/// As many as take the least time; 1 where sizes are values of the call.
static int64_t chooseSlices(MLIRContext *context, const Machine &machine, const ProductShape &shape) {
  constexpr int64_t mostSlices = 16, mostBytes = 64 << 20;
  if (!shape.rows || !shape.columns || !shape.terms || !shape.count)
    return 1;
  int64_t elements = *shape.rows * *shape.columns * *shape.count, best = 1;
  double least = 0;
  for (int64_t slices = 1; slices <= mostSlices; slices *= 2) {
    if (*shape.terms % (slices * xft::ContractOp::stageTerms) != 0 ||
        (slices > 1 && slices * elements * sumBytes > mostBytes))
      break;
    ProductShape part{shape.rows, shape.columns, *shape.terms / slices, *shape.count * slices};
    double cycles = productWarpgroupCycles(*productWarpgroupTile(context, machine, part), machine, part);
    if (slices > 1)
      cycles += addingCycles(machine, slices, elements);
    if (slices == 1 || cycles < least) {
      least = cycles;
      best = slices;
    }
  }
  return best;
}

/// A dimension cut into `slices`, which come first.
static Buffer cut(HostBuilder &host, const Buffer &buffer, int64_t dimension, int64_t slices) {
  int64_t length = *HostBuilder::constant(buffer.sizes[dimension]) / slices;
  Buffer view = host.split(buffer, dimension, host.size(length));
  SmallVector<int64_t> order = {dimension};
  for (int64_t d = 0; d < view.rank(); ++d)
    if (d != dimension)
      order.push_back(d);
  return host.permuted(view, order);
}

std::optional<Product> xf::splitK(HostBuilder &host, const Machine &machine, const Product &product) {
  std::optional<ProductShape> shape = productWarpgroupShape(host, machine, product);
  int64_t slices = shape ? chooseSlices(host.b.getContext(), machine, *shape) : 1;
  if (slices == 1)
    return std::nullopt;
  Product part{
      cut(host, product.a, product.a.rank() - 1, slices), cut(host, product.b, product.b.rank() - 2, slices), {}, {}};
  SmallVector<Size> sizes(product.outs.front().sizes);
  sizes.insert(sizes.begin(), host.size(slices));
  part.outs.push_back({Value(), host.b.getF32Type(), host.size(0), sizes, host.rowMajorStrides(sizes)});
  if (!productWarpgroupShape(host, machine, part)) // one dimension more than boxes have
    return std::nullopt;
  part.outs.front() = host.allocate(host.b.getF32Type(), sizes);
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
