//===- Guard.h - Work in a child process with limits -------------*- C++ -*- -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_GUARD_H
#define XF_COMPILER_TOOLS_XFC_GUARD_H

#include "mlir/Support/LLVM.h"

namespace mlir::xf {

/// How work in a child ended: `signal` is 0 where it returned `code`.
struct GuardedEnd {
  int code, signal;
};

/// Runs `work` in a forked child with a limit on memory and processor time. The process must have one thread.
GuardedEnd runGuarded(function_ref<int()> work);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_GUARD_H
