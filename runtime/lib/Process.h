//===- Process.h - Which process made a handle ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Detects whether a process is a child (fork) of the one that made a handle. A child has its parent's memory but none
// of its threads. The driver of a GPU and a transport do not work in it.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PROCESS_H
#define XFRT_LIB_PROCESS_H

#include <atomic>
#include <stdint.h>

namespace xfrt {

/// Identifies the process that made an object, so that children of fork() can tell that they did not make it.
class Process {
public:
  /// Identifies the calling process. The first object registers countFork with the C library, which calls it in each
  /// child of fork().
  Process();

  /// Returns whether the calling process descends from this one by fork.
  bool isAncestor() const { return generation != forks.load(std::memory_order_relaxed); }

  /// Returns a number that no ancestor of this process has. Processes that do not descend from each other may have the
  /// same number.
  int64_t number() const { return generation; }

private:
  static std::atomic<int64_t> forks; // between the first process and this one
  static void countFork();

  int64_t generation;
};

} // namespace xfrt

#endif // XFRT_LIB_PROCESS_H
