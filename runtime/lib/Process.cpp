//===- Process.cpp - Which process made a handle --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"

#include <pthread.h>

using namespace xfrt;

std::atomic<int64_t> Process::forks{0};

/// Makes the library count forks from the moment it is loaded, not only from the first handle on. So a process and its
/// child have different numbers even if both make their first handle after the fork.
static const Process loaded;

void Process::countFork() { forks.fetch_add(1, std::memory_order_relaxed); }

Process::Process() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { pthread_atfork(nullptr, nullptr, countFork); });
  generation = forks.load(std::memory_order_relaxed);
}
