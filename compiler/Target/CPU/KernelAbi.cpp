//===- KernelAbi.cpp - Kernels get the signature that the runtime calls -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before, with operands as memrefs and indices whose metadata the body reads:
//   func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x8xf32, strided<[?, 1]>>, %n: index)
// After (xfrt_kernel of xfrt/model.h): the dynamic sizes and strides of each operand, then indices, come from the array
// of scalars, in order.
//   func.func private @k(%scalars: !llvm.ptr, %buffers: !llvm.ptr, %begin: i64, %end: i64, %scratch: !llvm.ptr)
//
// Runs after the structured op was expanded; then memrefs are only asked for their pointer, sizes and strides.
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/KernelAbi.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

SmallVector<cpu::ScalarSource> cpu::kernelScalars(TypeRange operands) {
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

namespace {
/// Loads of one kernel's operands, at the head of its body.
struct OperandLoader {
  OpBuilder b;
  Location loc;
  Value scalars, buffers;
  unsigned nextScalar = 0, nextBuffer = 0;

  Value element(Type type, Value array, unsigned index) {
    auto pointer = LLVM::LLVMPointerType::get(b.getContext());
    Value address =
        LLVM::GEPOp::create(b, loc, pointer, type, array, ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    return LLVM::LoadOp::create(b, loc, type, address);
  }
  Value scalar() {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), element(b.getI64Type(), scalars, nextScalar++));
  }
  Value buffer() { return element(LLVM::LLVMPointerType::get(b.getContext()), buffers, nextBuffer++); }
};
} // namespace

static LogicalResult replaceMemref(OperandLoader &loader, BlockArgument operand) {
  auto type = cast<MemRefType>(operand.getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  Value pointer = loader.buffer();
  DenseMap<unsigned, Value> sizeOf, strideOf;
  for (unsigned d = 0; d < strides.size(); ++d)
    if (type.isDynamicDim(d))
      sizeOf[d] = loader.scalar();
  for (unsigned d = 0; d < strides.size(); ++d)
    if (ShapedType::isDynamic(strides[d]))
      strideOf[d] = loader.scalar();
  for (Operation *user : llvm::make_early_inc_range(operand.getUsers())) {
    if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(user)) {
      Value bits = LLVM::PtrToIntOp::create(loader.b, loader.loc, loader.b.getI64Type(), pointer);
      address.replaceAllUsesWith(
          arith::IndexCastOp::create(loader.b, loader.loc, loader.b.getIndexType(), bits).getResult());
    } else if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(user)) {
      for (auto [d, value] : sizeOf)
        metadata.getSizes()[d].replaceAllUsesWith(value);
      for (auto [d, value] : strideOf)
        metadata.getStrides()[d].replaceAllUsesWith(value);
    } else {
      return user->emitError("expected only pointers, sizes and strides of a kernel's operands to be read, got ")
             << user->getName();
    }
    user->erase();
  }
  return success();
}

LogicalResult cpu::lowerKernelAbi(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  Value scalars = body.insertArgument(0u, pointer, kernel.getLoc());
  Value buffers = body.insertArgument(1u, pointer, kernel.getLoc());
  OperandLoader loader{OpBuilder(&body, body.begin()), kernel.getLoc(), scalars, buffers};
  unsigned prefix = 2 + xft::kernelPrefix;
  for (BlockArgument operand : body.getArguments().drop_front(prefix)) {
    if (!isa<MemRefType>(operand.getType()))
      operand.replaceAllUsesWith(loader.scalar());
    else if (failed(replaceMemref(loader, operand)))
      return failure();
  }
  body.eraseArguments(prefix, body.getNumArguments() - prefix);
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), body.getArgumentTypes(), {}));
  return success();
}
