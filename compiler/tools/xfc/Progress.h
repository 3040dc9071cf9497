//===- Progress.h - What a long compilation is doing ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TOOLS_XFC_PROGRESS_H
#define XF_COMPILER_TOOLS_XFC_PROGRESS_H

#include "compiler/Pipeline/StageClock.h"
#include <condition_variable>
#include <thread>

namespace mlir::xf {

/// Shows the running stage in a line of the terminal, from one second after its construction to its destruction, which
/// erases the line. Shows nothing if stderr is not a terminal. Errors that are printed meanwhile overwrite the line.
class Progress {
public:
  /// `clock` must outlive this object.
  explicit Progress(const StageClock &clock);
  ~Progress();

private:
  void show();

  const StageClock &clock;
  std::mutex mutex;
  std::condition_variable ended;
  bool hasEnded = false;
  std::thread thread;
};

} // namespace mlir::xf

#endif // XF_COMPILER_TOOLS_XFC_PROGRESS_H
