//===- ThreadPool.cpp - The default parallel loop -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadPool.h"
#include "../Context.h"
#include "Affinity.h"
#include "Quota.h"

#include <algorithm>
#include <new>
#include <signal.h>
#include <time.h>

using namespace xfrt;
using namespace xfrt::cpu;

/// Number of iterations of a spin loop before a thread goes to sleep: some tens of microseconds, as long as the gap
/// between two kernels.
static constexpr int spinLimit = 2000;

/// Number of chunks into which a loop's tiles are cut, per thread. More than one, so that threads with cheaper tiles
/// take more chunks.
static constexpr int64_t chunksPerThread = 32;

/// Executes a pause instruction: a hint to the core that the thread spins.
static void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

namespace {
class Lock {
public:
  explicit Lock(pthread_mutex_t &mutex) : mutex(mutex) { pthread_mutex_lock(&mutex); }
  ~Lock() { pthread_mutex_unlock(&mutex); }

private:
  pthread_mutex_t &mutex;
};

/// An RAII guard that blocks all signals, so that workers inherit a full signal mask and the application's handlers run
/// on its own threads only.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &saved, nullptr); }

private:
  sigset_t saved;
};
} // namespace

/// Returns the number of CPUs that this process may use at once: those on which it may run, but no more than its quota
/// of CPU time allows. It is at least 1.
static int32_t availableCpus() {
  cpu_set_t set = usableCpus();
  return std::clamp(CPU_COUNT(&set), 1, cpusOfQuota());
}

int32_t cpu::resolveThreads(int32_t threads) {
  if (threads == 0)
    return std::min(availableCpus(), maxThreads);
  return threads > 0 && threads <= maxThreads ? threads : -1;
}

//===----------------------------------------------------------------------===//
// Workers
//===----------------------------------------------------------------------===//

/// Starts a thread that calls `run(argument)`. If `cpu` is not negative, the thread runs only on this CPU. Returns
/// false if the thread could not be started.
static bool startThread(pthread_t &thread, void *(*run)(void *), void *argument, int32_t cpu) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return false;
  bool started = true;
  if (cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    started = pthread_attr_setaffinity_np(&attributes, sizeof(set), &set) == 0;
  }
  started = started && pthread_create(&thread, &attributes, run, argument) == 0;
  pthread_attr_destroy(&attributes);
  return started;
}

bool ThreadPool::start(int32_t threads, void *storage, const char *cpus) {
  workers = static_cast<Worker *>(storage);
  isPinned = cpus != nullptr;
  int32_t cpuCount = cpus ? countCpus(cpus) : 0;
  BlockedSignals blocked;
  for (int32_t i = 0; i + 1 < threads; ++i) {
    auto *worker = new (&workers[i]) Worker{this, {}, i + 1, {-1}, 0};
    int32_t cpu = cpuCount > 0 ? cpuOfList(cpus, worker->index % cpuCount) : -1;
    if (!startThread(worker->thread, runWorker, worker, cpu)) {
      stop();
      return false;
    }
    ++workerCount;
  }
  return true;
}

void ThreadPool::stop() {
  if (workerCount == 0) // of a pool that forgot them, one may have held the mutex
    return;
  stopping.store(true);
  {
    Lock lock(mutex);
    pthread_cond_broadcast(&opened);
  }
  for (int32_t i = 0; i < workerCount; ++i)
    pthread_join(workers[i].thread, nullptr);
  workerCount = 0;
}

void *ThreadPool::runWorker(void *data) {
  auto *worker = static_cast<Worker *>(data);
  ThreadPool &pool = *worker->pool;
  uint32_t lastEpoch = 0;
  while (pool.join(lastEpoch)) {
    if (!pool.isPinned)
      pool.leaveSharedCpu(*worker);
    pool.takeTiles(worker->index);
    pool.leave();
  }
  return nullptr;
}

static int64_t now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

/// Moves a worker away from the caller's CPU, if it runs there: to a CPU that no thread of the pool uses or, if there
/// is none, to any other CPU. A move takes some tens of microseconds, so a worker moves at most once in a few
/// milliseconds.
void ThreadPool::leaveSharedCpu(Worker &worker) {
  constexpr int64_t pause = 2000000; // nanoseconds
  int32_t cpu = sched_getcpu(), callers = callerCpu.load(std::memory_order_relaxed);
  worker.cpu.store(cpu, std::memory_order_relaxed);
  if (cpu < 0 || cpu >= CPU_SETSIZE || cpu != callers)
    return;
  int64_t time = now();
  if (time - worker.moved < pause)
    return;
  worker.moved = time;
  cpu_set_t avoided;
  CPU_ZERO(&avoided);
  CPU_SET(cpu, &avoided);
  cpu_set_t callersAlone = avoided;
  for (int32_t i = 0; i < workerCount; ++i)
    if (int32_t other = workers[i].cpu.load(std::memory_order_relaxed); other >= 0 && other < CPU_SETSIZE)
      CPU_SET(other, &avoided);
  leaveCpus(avoided);
  if (sched_getcpu() == callers) // the pool uses all CPUs
    leaveCpus(callersAlone);
  worker.cpu.store(sched_getcpu(), std::memory_order_relaxed);
}

/// Waits until the pool opens a loop that this worker has not joined before, and joins it. `lastEpoch` identifies the
/// loop that the worker joined last. Returns false when the pool stops.
bool ThreadPool::join(uint32_t &lastEpoch) {
  for (int spins = 0; !stopping.load(std::memory_order_relaxed);) {
    uint64_t word = state.load(std::memory_order_acquire);
    if (!canJoin(word, lastEpoch)) {
      if (spins++ < spinLimit)
        relax();
      else
        sleepUntilOpen(lastEpoch);
      continue;
    }
    if (state.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) {
      lastEpoch = epochOf(word);
      return true;
    }
  }
  return false;
}

/// Sleeps until the worker can join a loop or the pool stops. No wakeup is lost. The worker increments `sleepers`
/// before it reads `state`, and parallelFor opens `state` before it reads `sleepers`. All of these accesses are
/// sequentially consistent, so at least one thread sees the other's write.
void ThreadPool::sleepUntilOpen(uint32_t lastEpoch) {
  Lock lock(mutex);
  sleepers.fetch_add(1);
  while (!stopping.load() && !canJoin(state.load(), lastEpoch))
    pthread_cond_wait(&opened, &mutex);
  sleepers.fetch_sub(1);
}

void ThreadPool::leave() {
  uint64_t before = state.fetch_sub(1);
  bool last = (before & activeMask) == 1 && !(before & open);
  if (!last || !callerSleeps.load())
    return;
  Lock lock(mutex);
  pthread_cond_signal(&finished);
}

//===----------------------------------------------------------------------===//
// The caller
//===----------------------------------------------------------------------===//

void ThreadPool::takeTiles(int32_t worker) {
  for (;;) {
    int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
    if (begin >= count)
      return;
    tiles(task, begin, chunk < count - begin ? begin + chunk : count, worker);
  }
}

/// Ends the current loop: prevents further workers from joining it, and waits until those that have joined it leave.
void ThreadPool::close() {
  uint64_t word = state.fetch_and(~open);
  for (int spins = 0; (word & activeMask) != 0; word = state.load(std::memory_order_acquire)) {
    if (spins++ < spinLimit) {
      relax();
      continue;
    }
    Lock lock(mutex);
    callerSleeps.store(true);
    while ((state.load() & activeMask) != 0)
      pthread_cond_wait(&finished, &mutex);
    callerSleeps.store(false);
  }
}

void ThreadPool::parallelFor(int64_t newCount, xfrt_tiles newTiles, void *newTask) {
  if (workerCount == 0 || newCount == 1)
    return newTiles(newTask, 0, newCount, 0);
  count = newCount;
  tiles = newTiles;
  task = newTask;
  int64_t chunks = (workerCount + 1) * chunksPerThread;
  chunk = count > chunks ? count / chunks : 1;
  next.store(0, std::memory_order_relaxed);
  callerCpu.store(sched_getcpu(), std::memory_order_relaxed);
  uint64_t epoch = epochOf(state.load(std::memory_order_relaxed)) + 1;
  state.store((epoch & UINT32_MAX) << 32 | open);
  if (sleepers.load() > 0) {
    Lock lock(mutex);
    pthread_cond_broadcast(&opened);
  }
  takeTiles(0);
  close();
}
