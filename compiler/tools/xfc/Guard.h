//===- Guard.h - Work in a child process with limits ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_GUARD_H
#define XF_COMPILER_TOOLS_XFC_GUARD_H

#include "mlir/Support/LLVM.h"

namespace mlir::xf {

/// How work in a child process ended.
struct GuardedEnd {
  int code;
  int signal = 0;      ///< the signal that ended the child; 0 where the child returned `code`
  int interrupted = 0; ///< a signal that was to end this process meanwhile; the caller ends with it after cleaning up
};

/// Runs `work` in a forked child with a limit on memory and processor time. This process must have only one thread.
/// Signals that would end this process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) end the child and the programs that it has
/// started instead. All of these have ended when this function returns. With `hasScratch`, they have a folder for
/// temporary files (ScratchFolder). It is removed before this function returns, even if a signal has come.
GuardedEnd runGuarded(function_ref<int()> work, bool hasScratch);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_GUARD_H
