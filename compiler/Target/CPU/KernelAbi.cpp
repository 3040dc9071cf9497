//===- KernelAbi.cpp - The runtime's kernel signature ---------------------===//
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
// Runs after the structured op was expanded; then code reads only the pointer, sizes and strides of memrefs.
//
// A shared function gets the arrays of the kernel that calls it. Before, and after:
//   call @shared(%begin, %end, %scratch, %number, %x, %n)
//   call @shared(%scalars, %buffers, %begin, %end, %scratch, %number)
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/CPU/KernelAbi.h"
#include "compiler/Target/CPU/Operands/SharedKernels.h"
#include "compiler/Target/Kernel/Code/KernelOperands.h"
#include "dialects/xft/IR/XftOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

namespace {
/// Builds the loads of a kernel's operands from the arrays of scalars and buffers, at the head of its body.
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

/// Replaces `call`, a call of a shared function. The old call passes operands that the kernel loaded from its arrays of
/// scalars and buffers. The new call passes these two arrays themselves.
static void passOnOperands(func::CallOp call, ValueRange arguments) {
  OpBuilder b(call);
  SmallVector<Value> passed(arguments.take_front(2 + xft::kernelPrefix)); // scalars, buffers, begin, end, scratch
  passed.push_back(call.getOperand(xft::kernelPrefix));                   // the number of the kernel
  func::CallOp::create(b, call.getLoc(), call.getCallee(), TypeRange(), passed);
  SmallVector<Operation *> casts; // of operands in another form than the function's, which finds them by the arrays too
  for (Value operand : call.getOperands())
    if (auto cast = operand.getDefiningOp<UnrealizedConversionCastOp>())
      casts.push_back(cast);
  call.erase();
  for (Operation *cast : casts)
    cast->erase();
}

/// Returns the call in a kernel that only calls a shared function (SharedKernels.h); null if the kernel has code of its
/// own.
static func::CallOp callOfShared(func::FuncOp kernel) {
  auto calls = kernel.getBody().front().getOps<func::CallOp>();
  if (calls.empty())
    return nullptr;
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, (*calls.begin()).getCalleeAttr());
  return callee && callee->hasAttr(cpu::sharedAttrName) ? *calls.begin() : nullptr;
}

LogicalResult cpu::lowerKernelAbi(func::FuncOp kernel) {
  unsigned prefix = xft::kernelPrefix + kernel->hasAttr(sharedAttrName);
  func::CallOp call = callOfShared(kernel);
  Block &body = kernel.getBody().front();
  auto pointer = LLVM::LLVMPointerType::get(kernel.getContext());
  Value scalars = body.insertArgument(0u, pointer, kernel.getLoc());
  Value buffers = body.insertArgument(1u, pointer, kernel.getLoc());
  if (call) {
    passOnOperands(call, body.getArguments());
    body.eraseArguments(2 + prefix, body.getNumArguments() - 2 - prefix);
  }
  OperandLoader loader{OpBuilder(&body, body.begin()), kernel.getLoc(), scalars, buffers};
  if (failed(replaceOperands(
          kernel, 2 + prefix, loader.b, [&] { return loader.scalar(); }, [&] { return loader.buffer(); })))
    return failure();
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), body.getArgumentTypes(), {}));
  return success();
}
