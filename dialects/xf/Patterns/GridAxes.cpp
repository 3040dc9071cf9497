//===- GridAxes.cpp - Grids of tokens in row-major order ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xf/Patterns/GridAxes.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult xf::verifyExtents(EmitError emitError, ArrayRef<int64_t> extents) {
  if (extents.empty()) // C1
    return emitError() << "expected at least one extent, got none";
  int64_t tokens = 1;
  for (int64_t extent : extents)
    if (failed(verifyAtLeast(emitError, "extent", extent, 1)) ||
        failed(verifyAtLeast(emitError, "product of the extents", tokens *= extent, 1))) // C1
      return failure();
  return success();
}

LogicalResult xf::verifyPerAxis(EmitError emitError, StringRef name, ArrayRef<int64_t> values, size_t axes,
                                int64_t minimum) {
  if (values.size() != axes) // C2
    return emitError() << "expected " << axes << " values of " << name << ", got " << values.size();
  for (int64_t value : values)
    if (failed(verifyAtLeast(emitError, name, value, minimum))) // C2
      return failure();
  return success();
}

AffineExpr xf::coordinate(AffineExpr n, ArrayRef<int64_t> extents, unsigned axis) {
  int64_t inner = 1;
  for (int64_t extent : extents.drop_front(axis + 1))
    inner *= extent;
  AffineExpr rows = n.floorDiv(inner);
  return axis == 0 ? rows : rows % extents[axis];
}

void xf::addCases(SetBuilder &set, ArrayRef<Cases> axes, ArrayRef<AffineExpr> zeros, Conjunctions &out,
                  SmallVectorImpl<AffineExpr> &chosen) {
  if (axes.empty()) {
    for (AffineExpr form : zeros)
      set.equal(form, set.number(0));
    for (AffineExpr form : chosen)
      set.ge(form, set.number(0));
    out.push_back(set.take());
    return;
  }
  for (ArrayRef<AffineExpr> oneCase : axes.front()) {
    size_t before = chosen.size();
    chosen.append(oneCase.begin(), oneCase.end());
    addCases(set, axes.drop_front(), zeros, out, chosen);
    chosen.truncate(before);
  }
}
