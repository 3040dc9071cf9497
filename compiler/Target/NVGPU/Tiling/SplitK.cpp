//===- SplitK.cpp - How many slices the terms of a product are cut into ---===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Contract/SplitK.h"
#include "compiler/Target/NVGPU/Tiling/ProductWarpgroups.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::nvgpu;

static constexpr int64_t sumBytes = 4;

/// Estimates the cycles of adding the sums of slices in a launch of its own: the overhead of the launch, and the memory
/// traffic of the sums at the L2 bandwidth. `elements` is the number of elements of the result.
static double addingCycles(const NvgpuMachine &machine, int64_t slices, int64_t elements) {
  constexpr double launchCycles = 5000, bytesPerCycle = 20;
  double bytes = static_cast<double>((2 * slices + 1) * elements * sumBytes); // sums: written, read; results
  return launchCycles + bytes / (bytesPerCycle * static_cast<double>(machine.processors));
}

/// Returns the number of slices with the lowest estimated cycles. Returns 1 for dynamic sizes.
static int64_t chooseSlices(MLIRContext *context, const NvgpuMachine &machine, const ProductShape &shape) {
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

int64_t nvgpu::splitKSlices(HostBuilder &host, const NvgpuMachine &machine, const Product &product) {
  std::optional<ProductShape> shape = productWarpgroupShape(host, machine, product);
  int64_t slices = shape ? chooseSlices(host.b.getContext(), machine, *shape) : 1;
  // The slices add a batch dimension, with which a matrix may have more dimensions than a tensor map.
  bool isComputed = slices > 1 && productWarpgroupShape(host, machine, splitTerms(host, product, slices));
  return isComputed ? slices : 1;
}
