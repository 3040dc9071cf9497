//===- TensorSizes.cpp - Sizes of tensors, static and dynamic -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/TileableOp.h"

using namespace mlir;
using namespace mlir::xf;

#include "compiler/Tile/Host/TileableOp.cpp.inc"

/// Returns the sizes that follow from the operands of the tensor's op.
static SmallVector<Size> derivedSizes(HostBuilder &host, Value tensor) {
  auto result = cast<OpResult>(tensor);
  return cast<TileableOpInterface>(result.getOwner()).resultSizes(host, result);
}

SmallVector<Size> HostBuilder::sizes(Value tensor) {
  auto found = buffers.find(tensor);
  if (found != buffers.end())
    return found->second.sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Size> result;
  for (int64_t extent : type.getShape())
    result.push_back(size(extent));
  if (type.hasStaticShape())
    return result;
  auto listed = tensor.getDefiningOp() ? tensor.getDefiningOp()->getAttrOfType<ArrayAttr>("sizes") : ArrayAttr();
  SmallVector<Size> derived = listed ? SmallVector<Size>() : derivedSizes(*this, tensor);
  size_t taken = 0;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      result[d] = listed ? evaluate(cast<SizeAttr>(listed[taken++]).getExpression()) : derived[d];
  return result;
}

LogicalResult HostBuilder::requireStaticSizes(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Size> derived = derivedSizes(*this, tensor);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (!type.isDynamicDim(d) && !constant(derived[d]) && failed(requireEqual(derived[d], size(type.getDimSize(d)))))
      return failure();
  return success();
}
