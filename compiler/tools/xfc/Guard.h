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

/// How the work in a child process ended.
struct GuardedEnd {
  int code;
  int signal = 0;      ///< the signal that ended the child; 0 if the child returned `code`
  int interrupted = 0; ///< a signal that this process got meanwhile; the caller cleans up and ends with it
};

/// Runs `work` in a forked child process with limits on memory and processor time. This process must have only one
/// thread. A signal that would end this process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) instead ends the child and the
/// programs that the child started. All of them have ended when this function returns. If `hasScratch` is set, the
/// child has a folder for temporary files (ScratchFolder). The folder is removed before this function returns, even
/// after a signal.
GuardedEnd runGuarded(function_ref<int()> work, bool hasScratch);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_GUARD_H
