//===- ThreadPool.h - The default parallel loop ----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pool of threads for parallel loops. Workers stay alive between loops. They spin for a moment, because the loops of
// a call are a few microseconds apart, and then sleep. The caller is worker 0. It closes a loop when all tiles are
// taken, and waits only for workers that have joined the loop. So a worker that sleeps or is preempted delays no loop
// that it has not joined.
//
// On a busy machine the scheduler may leave a worker on the caller's CPU for many calls, where it gains nothing. A
// worker that joins a loop on the caller's CPU first moves to another CPU.
//
// Only pthreads and lock-free atomics are used, so that a program which links the static library needs no C++ runtime.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_THREADPOOL_H
#define XFRT_LIB_CPU_THREADPOOL_H

#include "xfrt/xfrt.h"

#include <atomic>
#include <pthread.h>

namespace xfrt::cpu {

/// Runs parallel loops on a fixed number of threads. The caller is one of them.
class ThreadPool {
public:
  /// Starts `threads - 1` workers. Keeps their data in `storage` (storageBytes(threads) bytes), which must outlive the
  /// pool. With `cpus`, a list that countCpus accepts, each worker runs only on one of these CPUs. If a thread could
  /// not be started, returns false, and the pool has no worker.
  bool start(int32_t threads, void *storage, const char *cpus = nullptr);
  void stop();
  /// Makes the pool go on without workers. Must be called in a child of the process that started them, because a child
  /// has none of its parent's threads.
  void forgetWorkers() { workerCount = 0; }
  static size_t storageBytes(int32_t threads) { return sizeof(Worker) * (threads > 1 ? threads - 1 : 0); }

  /// Calls `tiles` for chunks of [0, count) on all threads, and returns when all calls have returned. A thread takes
  /// the next chunk whenever it is free. Not re-entrant.
  void parallelFor(int64_t count, xfrt_tiles tiles, void *task);

private:
  struct Worker {
    ThreadPool *pool;
    pthread_t thread;
    int32_t index;
    std::atomic<int32_t> cpu; ///< the CPU of the worker when it last joined a loop
    int64_t moved;            ///< when the worker last moved, in nanoseconds
  };

  static void *runWorker(void *worker);
  void leaveSharedCpu(Worker &worker);
  bool join(uint32_t &lastEpoch);
  void leave();
  void sleepUntilOpen(uint32_t lastEpoch);
  void close();
  void takeTiles(int32_t worker);

  // `state`: epoch of the loop (upper half), whether workers may join it, and how many are in it.
  static constexpr uint64_t open = uint64_t(1) << 31, activeMask = open - 1;
  static uint32_t epochOf(uint64_t word) { return uint32_t(word >> 32); }
  bool canJoin(uint64_t word, uint32_t lastEpoch) const { return (word & open) && epochOf(word) != lastEpoch; }

  alignas(64) std::atomic<uint64_t> state{0};
  alignas(64) std::atomic<int64_t> next{0}; // first tile that no thread has taken
  alignas(64) std::atomic<int32_t> sleepers{0};
  std::atomic<int32_t> callerCpu{-1};
  std::atomic<bool> callerSleeps{false}, stopping{false};

  // The current loop; written only while no worker is in a loop.
  int64_t count = 0, chunk = 1;
  xfrt_tiles tiles = nullptr;
  void *task = nullptr;

  bool isPinned = false;
  int32_t workerCount = 0;
  Worker *workers = nullptr;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t opened = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;
};

/// Returns the number of threads for a value of xfrt_options::threads. For 0, this is the number of CPUs on which the
/// process may run, but no more than its quota of CPU time allows and at most maxThreads. Returns -1 for a negative
/// number or one above maxThreads.
int32_t resolveThreads(int32_t threads);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_THREADPOOL_H
