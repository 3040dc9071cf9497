//===- XftWork.cpp - The work of the steps of a host program --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/xft/IR/XftWork.h"

using namespace mlir;
using namespace mlir::xft;

std::optional<int64_t> xft::bytesOf(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset, bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  if (!type.hasStaticShape() || failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides))
    bytes *= stride == 0 ? 1 : size;
  return bytes;
}

SmallVector<Value> xft::buffersOf(HostStep step) {
  SmallVector<Value> buffers = step.getReadBuffers();
  for (Value written : step.getWrittenBuffers())
    if (!llvm::is_contained(buffers, written))
      buffers.push_back(written);
  return buffers;
}

std::optional<double> xft::productFlop(LaunchOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal() || kernel.getOps<ContractOp>().empty())
    return std::nullopt;
  ContractOp product = *kernel.getOps<ContractOp>().begin();
  auto actual = [&](Value operand) -> MemRefType {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != &kernel.front())
      return {};
    return dyn_cast<MemRefType>(launch.getActuals()[argument.getArgNumber() - kernelPrefix].getType());
  };
  MemRefType a = actual(product.getA()), out = actual(product.getOuts().front());
  if (!a || !out || !a.hasStaticShape() || !out.hasStaticShape())
    return std::nullopt;
  double elements = 1;
  for (int64_t size : out.getShape())
    elements *= double(size);
  return 2 * elements * double(a.getShape().back());
}

void xft::recordWork(HostStep step) {
  Builder b(step->getContext());
  double bytes = 0;
  for (Value buffer : buffersOf(step)) {
    std::optional<int64_t> moved = bytesOf(cast<MemRefType>(buffer.getType()));
    if (!moved)
      return;
    bytes += double(*moved);
  }
  step->setAttr(bytesAttrName, b.getF64FloatAttr(bytes));
  auto launch = dyn_cast<LaunchOp>(step.getOperation());
  if (!launch || launch->hasAttr(flopAttrName))
    return;
  if (std::optional<double> flop = productFlop(launch))
    launch->setAttr(flopAttrName, b.getF64FloatAttr(*flop));
}

static std::optional<double> numberOf(HostStep step, StringRef name) {
  auto number = step->getAttrOfType<FloatAttr>(name);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

std::optional<double> xft::flopOf(HostStep step) { return numberOf(step, flopAttrName); }
std::optional<double> xft::bytesOf(HostStep step) { return numberOf(step, bytesAttrName); }
