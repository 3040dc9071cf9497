//===- TensorSizes.cpp - Sizes of tensors, static and dynamic -------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/SizeAgreement.h"
#include "compiler/Tile/Host/TileableOp.h"
#include "dialects/xf/Factors/SizeArithmetic.h"

using namespace mlir;
using namespace mlir::xf;

#include "compiler/Tile/Host/TileableOp.cpp.inc"

namespace {
/// Arithmetic on sizes of a host program, for the functions that derive sizes of results.
class HostArithmetic : public SizesOf<Size> {
public:
  explicit HostArithmetic(HostBuilder &host) : host(host) {}

  std::optional<SizeIds> sizesOf(Value tensor) override { return keepAll(host.sizes(tensor)); }
  SizeId number(int64_t value) override { return keep(host.size(value)); }
  SizeId evaluate(const SizeExpression &expression) override { return keep(host.evaluate(expression)); }
  SizeId add(SizeId x, SizeId y) override { return keep(host.add(get(x), get(y))); }
  SizeId sub(SizeId x, SizeId y) override { return keep(host.sub(get(x), get(y))); }
  SizeId mul(SizeId x, SizeId y) override { return keep(host.mul(get(x), get(y))); }
  std::optional<SizeId> floorDiv(SizeId x, SizeId y) override { return keep(host.floorDiv(get(x), get(y))); }
  bool areEqual(SizeId x, SizeId y) override { return get(x) == get(y); }
  std::optional<int64_t> constant(SizeId size) override { return HostBuilder::constant(get(size)); }

private:
  HostBuilder &host;
};
} // namespace

/// Returns the sizes of `tensor` that follow from the operands of its op. Verified ops have such sizes.
static SmallVector<Size> derivedSizes(HostBuilder &host, Value tensor) {
  HostArithmetic arithmetic(host);
  auto result = cast<OpResult>(tensor);
  return arithmetic.get(*cast<DimensionFactorsOpInterface>(result.getOwner()).getResultSizes(arithmetic, result));
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

LogicalResult xf::requireAgreement(Operation *op, HostBuilder &host) {
  if (failed(requireResultSizes(op, host)))
    return failure();
  HostArithmetic arithmetic(host);
  SizeAgreements agreements = agreementsOf(op, arithmetic);
  for (auto [size, other] : agreements.equal)
    if (failed(host.requireEqual(arithmetic.get(size), arithmetic.get(other))))
      return failure();
  for (auto [size, divisor] : agreements.multiple)
    if (failed(requireMultiple(host, arithmetic.get(size), arithmetic.get(divisor))))
      return failure();
  return success();
}
