//===- KernelOperands.cpp - Scalars and buffers of a launch ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::xf;

SmallVector<kernel::ScalarSource> kernel::kernelScalars(TypeRange operands) {
  SmallVector<ScalarSource> scalars;
  for (auto [number, type] : llvm::enumerate(operands)) {
    unsigned operand = number;
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref) {
      scalars.push_back({operand, ScalarSource::Index, 0});
      continue;
    }
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memref.getStridesAndOffset(strides, offset);
    for (unsigned d = 0; d < strides.size(); ++d)
      if (memref.isDynamicDim(d))
        scalars.push_back({operand, ScalarSource::Size, d});
    for (unsigned d = 0; d < strides.size(); ++d)
      if (ShapedType::isDynamic(strides[d]))
        scalars.push_back({operand, ScalarSource::Stride, d});
  }
  return scalars;
}

static LogicalResult replaceMemref(BlockArgument operand, OpBuilder &b, function_ref<Value()> nextScalar,
                                   function_ref<Value()> nextBuffer) {
  Location loc = operand.getLoc();
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  Value pointer = nextBuffer();
  DenseMap<unsigned, Value> sizeOf, strideOf;
  for (unsigned d = 0; d < strides.size(); ++d)
    if (type.isDynamicDim(d))
      sizeOf[d] = nextScalar();
  for (unsigned d = 0; d < strides.size(); ++d)
    if (ShapedType::isDynamic(strides[d]))
      strideOf[d] = nextScalar();
  for (Operation *user : llvm::make_early_inc_range(operand.getUsers())) {
    if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(user)) {
      Value bits = LLVM::PtrToIntOp::create(b, loc, b.getI64Type(), pointer);
      address.replaceAllUsesWith(arith::IndexCastOp::create(b, loc, b.getIndexType(), bits).getResult());
    } else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(user)) {
      for (auto [d, value] : sizeOf)
        metadata.getSizes()[d].replaceAllUsesWith(value);
      for (auto [d, value] : strideOf)
        metadata.getStrides()[d].replaceAllUsesWith(value);
    } else {
      return user->emitError("expected only pointers, sizes and strides of a kernel's operands to be read, got ")
             << user->getName();
    }
    if (b.getInsertionPoint() == Block::iterator(user))
      b.setInsertionPointAfter(user);
    user->erase();
  }
  return success();
}

LogicalResult kernel::checkKernels(ModuleOp module) {
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!xft::isKernel(kernel))
      continue;
    if (kernel.isExternal())
      return kernel.emitError("expected a kernel with a body");
    Builder b(module.getContext());
    Type first[] = {b.getI64Type(), b.getI64Type(), LLVM::LLVMPointerType::get(b.getContext())};
    if (ArrayRef(kernel.getArgumentTypes()).take_front(xft::kernelPrefix) != ArrayRef(first))
      return kernel.emitError("expected a kernel with the arguments i64, i64, !llvm.ptr before its operands, got ")
             << kernel.getFunctionType();
  }
  return success();
}

LogicalResult kernel::replaceOperands(func::FuncOp kernel, unsigned prefix, OpBuilder &b,
                                      function_ref<Value()> nextScalar, function_ref<Value()> nextBuffer) {
  Block &body = kernel.getBody().front();
  for (BlockArgument operand : body.getArguments().drop_front(prefix)) {
    if (!isa<MemRefType>(operand.getType()))
      operand.replaceAllUsesWith(nextScalar());
    else if (failed(replaceMemref(operand, b, nextScalar, nextBuffer)))
      return failure();
  }
  body.eraseArguments(prefix, body.getNumArguments() - prefix);
  return success();
}
