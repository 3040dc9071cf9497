//===- SizeAgreement.cpp - Run-time checks of dynamic sizes ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult xf::requireSizes(HostBuilder &host, Value tensor, ArrayRef<Size> expected) {
  if (!tensor)
    return success();
  for (auto [size, other] : llvm::zip(host.sizes(tensor), expected))
    if (failed(host.requireEqual(size, other)))
      return failure();
  return success();
}

LogicalResult xf::requireAtMost(HostBuilder &host, Size size, Size limit) {
  return host.requireEqual(host.min(size, limit), size);
}

void xf::nameAtMost(HostBuilder &host, const SizeExpression &size, Value tensor, int64_t d) {
  const SizeExpressions *sizes = host.expressions(tensor);
  if (!sizes)
    return;
  SizeExpression rest = (*sizes)[d] - size;
  if (rest.isValid() && !rest.constant())
    host.requireNotNegative(rest);
}

LogicalResult xf::requireMultiple(HostBuilder &host, Size size, Size factor) {
  return host.requireEqual(host.mul(host.floorDiv(size, factor), factor), size);
}

Size xf::endOf(HostBuilder &host, Size first, int64_t stride, Size count) {
  Size steps = host.mul(host.sub(count, host.size(1)), host.size(stride));
  return host.add(host.mul(host.min(count, host.size(1)), host.add(first, host.size(1))),
                  host.max(steps, host.size(0)));
}

LogicalResult xf::requireResultSizes(Operation *op, HostBuilder &host) {
  for (Value result : op->getResults())
    if (failed(host.requireStaticSizes(result)))
      return failure();
  return success();
}
