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

/// How work in a child ended.
struct GuardedEnd {
  int code;
  int signal = 0;      ///< that ended the child; 0 where it returned `code`
  int interrupted = 0; ///< that was to end this process meanwhile, which its caller does when everything is cleaned up
};

/// Runs `work` in a forked child with a limit on memory and processor time. The process must have one thread. Signals
/// that end this process (SIGINT, SIGTERM, SIGHUP, SIGQUIT) end the child and the programs that it has started instead;
/// when this function returns none of them is left. With `hasScratch` they have a folder for temporary files
/// (ScratchFolder), which is gone then, too, whenever a signal comes.
GuardedEnd runGuarded(function_ref<int()> work, bool hasScratch);

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_GUARD_H
