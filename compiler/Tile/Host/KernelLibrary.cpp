//===- KernelLibrary.cpp - One kernel per structural key ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tile/Host/KernelLibrary.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::xf;

func::FuncOp KernelLibrary::get(Location loc, StringRef family, StringRef key, TypeRange operands, Body body) {
  std::string full;
  llvm::raw_string_ostream os(full);
  os << family << '|' << key << '|';
  llvm::interleaveComma(operands, os);
  func::FuncOp &kernel = kernels[full];
  if (kernel)
    return kernel;
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(full));
  std::string name = (family + "_" + llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16)).str();
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> arguments = {b.getI64Type(), b.getI64Type(), LLVM::LLVMPointerType::get(b.getContext())};
  llvm::append_range(arguments, operands);
  kernel = func::FuncOp::create(b, loc, name, b.getFunctionType(arguments, {}));
  kernel.setPrivate();
  kernel->setAttr(xft::kernelAttrName, b.getUnitAttr());
  b.setInsertionPointToStart(kernel.addEntryBlock());
  body(b, loc, xft::kernelOperands(kernel));
  func::ReturnOp::create(b, loc);
  return kernel;
}
