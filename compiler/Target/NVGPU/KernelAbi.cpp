//===- KernelAbi.cpp - Operands become kernel parameters ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces the operands of expanded kernels by the parameters that the runtime passes.
//
// Before, with operands as memrefs and indices whose metadata the body reads:
//   func.func private @k(%begin: i64, %end: i64, %scratch: !llvm.ptr, %x: memref<?x8xf32, strided<[?, 1]>>, %n: index)
// After, in this order: dynamic sizes and strides of each operand and indices; buffers in global memory; tensor maps,
// which the expansion has appended as pointers; the number of tiles.
//   func.func private @k(%x_size0: i64, %x_stride0: i64, %n: i64, %x: !llvm.ptr<1>, %tiles: i64)
//
// The structured op of a kernel must have been expanded. Of %begin, %end and %scratch, the code uses only %end, as the
// number of tiles. A thread block runs the tiles blockIdx.x, blockIdx.x + gridDim.x, .., or takes one after the other
// (TileQueue.h).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/NVGPU/KernelAbi.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;

LogicalResult nvgpu::lowerKernelAbi(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  Location loc = kernel.getLoc();
  OpBuilder b(&body, body.begin());
  auto generic = LLVM::LLVMPointerType::get(b.getContext()), global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  auto maps = kernel->getAttrOfType<ArrayAttr>(xft::tensorMapsAttrName);
  unsigned mapCount = maps ? maps.size() : 0, firstMap = kernel.getNumArguments() - mapCount;
  if (mapCount > kernel.getNumArguments() - xft::kernelPrefix ||
      !llvm::all_of(kernel.getArgumentTypes().drop_front(firstMap), llvm::IsaPred<LLVM::LLVMPointerType>))
    return kernel.emitError("expected a pointer for each tensor map behind the operands, as expansion adds them");
  TypeRange operands = TypeRange(kernel.getArgumentTypes()).slice(xft::kernelPrefix, firstMap - xft::kernelPrefix);
  unsigned next = 0;
  for (size_t n = xf::kernel::kernelScalars(operands).size(); n > 0; --n)
    body.insertArgument(next++, b.getI64Type(), loc);
  unsigned firstBuffer = next;
  for (Type type : operands)
    if (isa<MemRefType>(type))
      body.insertArgument(next++, global, loc);
  unsigned firstMapParameter = next;
  for (unsigned n = 0; n < mapCount; ++n)
    body.insertArgument(next++, generic, loc);
  for (unsigned n = 0; n < mapCount; ++n)
    body.getArgument(next + firstMap + n).replaceAllUsesWith(body.getArgument(firstMapParameter + n));
  body.eraseArguments(next + firstMap, mapCount);
  unsigned tiles = next;
  body.insertArgument(next++, b.getI64Type(), loc);
  unsigned scalar = 0, buffer = firstBuffer;
  auto nextScalar = [&]() -> Value {
    return arith::IndexCastOp::create(b, loc, b.getIndexType(), body.getArgument(scalar++));
  };
  auto nextBuffer = [&]() -> Value {
    return LLVM::AddrSpaceCastOp::create(b, loc, generic, body.getArgument(buffer++));
  };
  if (failed(xf::kernel::replaceOperands(kernel, next + xft::kernelPrefix, b, nextScalar, nextBuffer)))
    return failure();
  body.getArgument(next + 1).replaceAllUsesWith(body.getArgument(tiles));
  for (unsigned n = 0; n < xft::kernelPrefix; ++n)
    if (!body.getArgument(next + n).use_empty())
      return kernel.emitError("expected code for a GPU to use no scratch memory of a worker");
  body.eraseArguments(next, xft::kernelPrefix);
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), body.getArgumentTypes(), {}));
  for (unsigned n = firstMapParameter; n < firstMapParameter + mapCount; ++n) {
    auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), 128);
    kernel.setArgAttr(n, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    kernel.setArgAttr(n, LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(64));
  }
  return success();
}
