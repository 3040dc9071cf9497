//===- XftLaunchOps.cpp - Launches: verification -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftOps.h"

using namespace mlir;
using namespace mlir::xft;

#define GET_OP_CLASSES
#include "dialects/xft/IR/XftOps.cpp.inc"

/// Returns true if a launch may pass a memref of the type `given` for a kernel's operand of the type `wanted`. The
/// number of dimensions, the element type, and all static sizes and strides of `wanted` must agree.
static bool fits(MemRefType given, MemRefType wanted) {
  if (given.getRank() != wanted.getRank() || given.getElementType() != wanted.getElementType())
    return false;
  auto stated = [](int64_t wanted, int64_t given) { return ShapedType::isDynamic(wanted) || wanted == given; };
  SmallVector<int64_t> givenStrides, wantedStrides;
  int64_t offset;
  if (failed(given.getStridesAndOffset(givenStrides, offset)) ||
      failed(wanted.getStridesAndOffset(wantedStrides, offset)))
    return false;
  for (int64_t d = 0; d < given.getRank(); ++d)
    if (!stated(wanted.getDimSize(d), given.getDimSize(d)) || !stated(wantedStrides[d], givenStrides[d]))
      return false;
  return true;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getKernelAttr());
  if (!kernel || !isKernel(kernel)) // xft.launch C1
    return emitOpError("expected the name of a kernel, got ") << getKernelAttr();
  TypeRange wanted = TypeRange(kernel.getArgumentTypes()).drop_front(kernelPrefix);
  // Expansion appends a pointer for each tensor map, which the runtime passes.
  auto maps = kernel->getAttrOfType<ArrayAttr>(tensorMapsAttrName);
  if (maps && wanted.size() == getActuals().size() + maps.size())
    wanted = wanted.drop_back(maps.size());
  if (wanted.size() != getActuals().size()) // xft.launch C2
    return emitOpError("expected ") << wanted.size() << " operands, got " << getActuals().size();
  for (auto [number, types] : llvm::enumerate(llvm::zip(getActuals().getTypes(), wanted))) {
    auto [given, type] = types;
    auto memref = dyn_cast<MemRefType>(given);
    bool ok = memref && isa<MemRefType>(type) ? fits(memref, cast<MemRefType>(type)) : given == type;
    if (!ok)
      return emitOpError("expected operand ") << number << " of type " << type << ", got " << given;
  }
  return success();
}
