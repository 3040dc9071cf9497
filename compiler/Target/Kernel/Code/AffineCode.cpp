//===- AffineCode.cpp - Index maps and affine bounds as code --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/AffineCode.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

Value kernel::buildAffine(KernelBuilder &kb, AffineExpr expression, ValueRange dims, ValueRange symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return kb.integer(constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(expression))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  Value left = buildAffine(kb, binary.getLHS(), dims, symbols);
  if (expression.getKind() == AffineExprKind::Add)
    return kb.add(left, buildAffine(kb, binary.getRHS(), dims, symbols));
  if (expression.getKind() == AffineExprKind::Mul)
    return kb.mul(left, buildAffine(kb, binary.getRHS(), dims, symbols));
  int64_t divisor = cast<AffineConstantExpr>(binary.getRHS()).getValue(); // checked where patterns are verified
  switch (expression.getKind()) {
  case AffineExprKind::Mod:
    return kb.floorMod(left, divisor);
  case AffineExprKind::FloorDiv:
    return kb.floorDiv(left, divisor);
  default:
    return kb.ceilDiv(left, divisor);
  }
}

ResidueMap ResidueMap::of(KernelBuilder &kb, IndexMapAttr map, Value r) {
  Value turned = kb.add(kb.mul(r, map.getMultiplier()), map.getShift());
  Value start = kb.mul(kb.floorMod(turned, map.getResidues()), map.getCell());
  return {map, kb.add(start, map.getOffset())};
}

Value ResidueMap::at(KernelBuilder &kb, Value a) const {
  if (map.getPeriod() == map.getWidth())
    return kb.add(a, start);
  Value period = kb.mul(kb.floorDiv(a, map.getWidth()), map.getPeriod());
  return kb.add(kb.add(period, kb.floorMod(a, map.getWidth())), start);
}

Value ResidueMap::rank(KernelBuilder &kb, Value x) const {
  Value distance = kb.sub(x, start);
  if (map.getPeriod() == map.getWidth())
    return distance;
  Value whole = kb.mul(kb.floorDiv(distance, map.getPeriod()), map.getWidth());
  return kb.add(whole, kb.min(kb.floorMod(distance, map.getPeriod()), kb.integer(map.getWidth())));
}
