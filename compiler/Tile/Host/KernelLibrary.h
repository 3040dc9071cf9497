//===- KernelLibrary.h - One kernel per structural key -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_HOST_KERNELLIBRARY_H
#define XF_COMPILER_TILE_HOST_KERNELLIBRARY_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// The kernels of a module, one for each structural key. The name of a kernel is its family and a hash of all that
/// determines its code. So equal layers of a model share a kernel, and the order of launches does not affect names.
class KernelLibrary {
public:
  explicit KernelLibrary(ModuleOp module) : module(module) {}

  using Body = function_ref<void(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands)>;
  /// Returns the kernel of this family, key and operand types. If it does not exist yet, calls `body` to build it.
  func::FuncOp get(Location loc, StringRef family, StringRef key, TypeRange operands, Body body);

private:
  ModuleOp module;
  llvm::StringMap<func::FuncOp> kernels;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_KERNELLIBRARY_H
