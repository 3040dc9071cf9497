//===- affinity.cpp - The CPUs of a handle's threads ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/Affinity.h"
#include "TestModel.h"
#include "lib/cpu/ThreadPool.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

using namespace testmodel;
using namespace xfrt::cpu;

namespace {

cpu_set_t setOf(std::initializer_list<int> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : cpus)
    CPU_SET(cpu, &set);
  return set;
}

std::vector<int> listOf(const cpu_set_t &set) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set))
      cpus.push_back(cpu);
  return cpus;
}

/// Restores the CPUs that this thread may use at the end of a test.
struct KeptCpus {
  cpu_set_t set = usableCpus();
  ~KeptCpus() { sched_setaffinity(0, sizeof(set), &set); }
};

TEST(Affinity, Lists) {
  std::vector<int> cpus = listOf(usableCpus());
  std::string first = std::to_string(cpus[0]), list = first + "," + first + "-" + first + "," + first;
  EXPECT_EQ(countCpus(list.c_str()), 3);
  EXPECT_EQ(cpuOfList(list.c_str(), 2), cpus[0]);
  EXPECT_EQ(cpuOfList("4-6,2,8-9", 0), 4);
  EXPECT_EQ(cpuOfList("4-6,2,8-9", 2), 6);
  EXPECT_EQ(cpuOfList("4-6,2,8-9", 3), 2);
  EXPECT_EQ(cpuOfList("4-6,2,8-9", 5), 9);
  for (std::string bad :
       {"", ",", "x", "-", "1-", "1 ", "2-1", "0,", ",0", "0,,0", "0-0-0", "99999999999999999999", "1023", "+0"})
    EXPECT_EQ(countCpus(bad.c_str()), 0) << bad;
}

TEST(Affinity, MistakesAreErrors) {
  setenv("XFRT_AFFINITY", "0-", 1);
  Handle handle(2);
  unsetenv("XFRT_AFFINITY");
  EXPECT_EQ(handle.status, XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(handle.context, nullptr);
  EXPECT_STREQ(xfrt_message(nullptr),
               "expected XFRT_AFFINITY to be a list of CPUs that this process may use, as in 0-3,8, got '0-'");
}

/// Tiles that say where worker 1 runs. The caller's tile waits until worker 1 has had one.
struct Tiles {
  std::atomic<int> cpu{-1}, usable{0};
  std::atomic<long> thread{0};

  static void run(void *data, int64_t, int64_t, int32_t worker) {
    auto &tiles = *static_cast<Tiles *>(data);
    if (worker == 1) {
      tiles.usable = CPU_COUNT(&static_cast<const cpu_set_t &>(usableCpus()));
      tiles.thread = gettid();
      tiles.cpu = sched_getcpu();
    }
    while (tiles.cpu < 0)
      sched_yield();
  }
};

TEST(Affinity, ListPinsWorkers) {
  std::string last = std::to_string(listOf(usableCpus()).back());
  std::vector<char> storage(ThreadPool::storageBytes(2));
  ThreadPool pool;
  ASSERT_TRUE(pool.start(2, storage.data(), last.c_str()));
  Tiles tiles;
  pool.parallelFor(64, Tiles::run, &tiles);
  pool.stop();
  EXPECT_EQ(tiles.usable, 1);
  EXPECT_EQ(std::to_string(tiles.cpu), last);
}

TEST(Affinity, WorkersLeaveTheCallersCpu) {
  KeptCpus kept;
  std::vector<int> cpus = listOf(kept.set);
  if (cpus.size() < 2)
    GTEST_SKIP() << "one CPU";
  cpu_set_t both = setOf({cpus[0], cpus[1]}), callers = setOf({cpus[0]}), others = setOf({cpus[1]});
  ASSERT_EQ(sched_setaffinity(0, sizeof(both), &both), 0);
  std::vector<char> storage(ThreadPool::storageBytes(2));
  ThreadPool pool;
  ASSERT_TRUE(pool.start(2, storage.data()));
  ASSERT_EQ(sched_setaffinity(0, sizeof(callers), &callers), 0);
  // Another program keeps the other CPU busy, so that the scheduler has no reason to move the worker there.
  std::atomic<bool> done{false};
  std::thread busy([&] {
    sched_setaffinity(0, sizeof(others), &others);
    while (!done)
      ;
  });
  Tiles first;
  pool.parallelFor(64, Tiles::run, &first);
  int moved = 0, rounds = 20;
  for (int round = 0; round < rounds; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3)); // the worker sleeps, and has not moved lately
    ASSERT_EQ(sched_setaffinity(first.thread, sizeof(callers), &callers), 0);
    ASSERT_EQ(sched_setaffinity(first.thread, sizeof(both), &both), 0);
    Tiles tiles;
    pool.parallelFor(64, Tiles::run, &tiles);
    moved += tiles.cpu == cpus[1];
    EXPECT_EQ(tiles.usable, 2);
  }
  done = true;
  busy.join();
  pool.stop();
  EXPECT_GE(moved, rounds / 2);
}

} // namespace
