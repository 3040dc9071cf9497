//===- XfShapes.cpp - Broadcasting and accumulator types -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/IR/XfOps.h"

using namespace mlir;

bool xf::compatible(int64_t a, int64_t b) { return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b); }

FloatType xf::accumulatorType(Type elementType) {
  return elementType.isF64() ? cast<FloatType>(elementType) : Float32Type::get(elementType.getContext());
}

FailureOr<SmallVector<int64_t>> xf::broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());
  SmallVector<int64_t> result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes)
    for (size_t d = 0; d < shape.size(); ++d) {
      int64_t &size = result[rank - shape.size() + d];
      if (shape[d] == 1)
        continue;
      if (size == 1 || ShapedType::isDynamic(size))
        size = size != 1 && ShapedType::isDynamic(shape[d]) ? size : shape[d];
      else if (!compatible(size, shape[d]))
        return failure();
    }
  return result;
}
