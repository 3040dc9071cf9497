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

/// The kernels of a module, one per structural key. A kernel's name is its family and a hash of all that determines its
/// code, so that equal layers of a model share a kernel, and names do not depend on the order of launches.
class KernelLibrary {
public:
  explicit KernelLibrary(ModuleOp module) : module(module) {}

  using Body = function_ref<void(OpBuilder &b, Location loc, ArrayRef<BlockArgument> operands)>;
  /// Returns the kernel of this family, key and operand types; calls `body` to build it if there is none yet.
  func::FuncOp get(Location loc, StringRef family, StringRef key, TypeRange operands, Body body);

private:
  ModuleOp module;
  llvm::StringMap<func::FuncOp> kernels;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_HOST_KERNELLIBRARY_H
