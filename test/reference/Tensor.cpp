//===- Tensor.cpp - The reference interpreter's values --------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/Tensor.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

int64_t reference::count(ArrayRef<int64_t> shape) {
  int64_t product = 1;
  for (int64_t size : shape)
    product *= size;
  return product;
}

Tensor Tensor::zeros(Type elementType, ArrayRef<int64_t> shape) {
  Tensor result{elementType, SmallVector<int64_t>(shape), {}, {}};
  if (result.isReal())
    result.reals.resize(count(shape));
  else
    result.integers.resize(count(shape));
  return result;
}

Tensor Tensor::of(DenseElementsAttr elements) {
  Tensor result = zeros(elements.getElementType(), elements.getType().getShape());
  if (result.isReal()) {
    for (auto [real, value] : llvm::zip(result.reals, elements.getValues<APFloat>()))
      real = value.convertToDouble();
    return result;
  }
  unsigned width = result.elementType.getIntOrFloatBitWidth();
  for (auto [integer, value] : llvm::zip(result.integers, elements.getValues<APInt>()))
    integer = wrapTo(width, value.getSExtValue());
  return result;
}

SmallVector<int64_t> reference::coordinates(int64_t number, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    result[d] = number % shape[d];
    number /= shape[d];
  }
  return result;
}

int64_t reference::linearIndex(ArrayRef<int64_t> coordinates, ArrayRef<int64_t> shape) {
  int64_t number = 0;
  for (auto [coordinate, size] : llvm::zip(coordinates, shape))
    number = number * size + coordinate;
  return number;
}

int64_t reference::broadcastIndex(int64_t number, ArrayRef<int64_t> shape, ArrayRef<int64_t> operand) {
  int64_t result = 0, stride = 1;
  for (size_t d = 0; d < operand.size(); ++d) {
    int64_t size = operand[operand.size() - 1 - d], outer = shape[shape.size() - 1 - d];
    result += size == 1 ? 0 : number % outer * stride;
    number /= outer;
    stride *= size;
  }
  return result;
}

double reference::roundTo(Type type, double value) {
  if (type.isF64())
    return value;
  if (type.isF32())
    return static_cast<float>(value);
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(), APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.convertToDouble();
}

int64_t reference::wrapTo(unsigned width, int64_t value) {
  if (width == 1)
    return value & 1;
  unsigned unused = 64 - width;
  return static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
}

int64_t reference::truncateTo(unsigned width, double value) {
  double limit = std::ldexp(1.0, width - 1);
  if (std::isnan(value))
    return 0;
  if (value >= limit)
    return static_cast<int64_t>((uint64_t(1) << (width - 1)) - 1);
  return static_cast<int64_t>(std::max(value, -limit));
}
