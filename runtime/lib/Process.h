//===- Process.h - Which process made a handle ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A child of fork() has its parent's memory and none of its threads, and neither a GPU's driver nor a transport works
// in it any more. A handle therefore knows whether a fork came between its creation and now.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_PROCESS_H
#define XFRT_LIB_PROCESS_H

#include <atomic>
#include <stdint.h>

namespace xfrt {

/// The process that made something.
class Process {
public:
  /// Stands for this process. The first one made has the C library call countFork in each child of fork().
  Process();

  /// Returns whether this process is a child of the other one, or a child's child.
  bool isAncestor() const { return generation != forks.load(std::memory_order_relaxed); }

  /// Returns a number that differs from those of the processes that this one descends from.
  int64_t number() const { return generation; }

private:
  static std::atomic<int64_t> forks; // between the first process and this one
  static void countFork();

  int64_t generation;
};

} // namespace xfrt

#endif // XFRT_LIB_PROCESS_H
