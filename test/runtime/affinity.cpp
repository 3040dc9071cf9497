//===- affinity.cpp - The CPUs of a handle's threads ----------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/Affinity.h"
#include "TestModel.h"
#include "lib/cpu/Quota.h"
#include "lib/cpu/ThreadPool.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
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

//===----------------------------------------------------------------------===//
// Quotas of control groups
//===----------------------------------------------------------------------===//

using Files = std::map<std::string, std::string>;

/// The quota in a system that has these files.
int32_t quotaWith(const Files &files) {
  const std::filesystem::path root =
      std::filesystem::path(testing::TempDir()) / ("xf-quota-" + std::to_string(getpid()));
  for (const auto &[name, text] : files) {
    const std::filesystem::path path = root.string() + name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  const int32_t cpus = cpusOfQuota(root.c_str());
  std::filesystem::remove_all(root);
  return cpus;
}

/// Version 2, mounted at /sys/fs/cgroup as `mounted`.
Files version2(const std::string &group, const std::string &mounted, Files files) {
  files["/proc/self/cgroup"] = "0::" + group + "\n";
  files["/proc/self/mountinfo"] = "24 1 0:22 / /proc rw shared:5 - proc proc rw\n"
                                  "30 24 0:26 " +
                                  mounted + " /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
  return files;
}

/// Version 1, as systems mount it; the quota is of the group "cpu,cpuacct".
Files version1(const std::string &group, const std::string &mounted, Files files) {
  files["/proc/self/cgroup"] = "5:cpuset:/elsewhere\n4:cpu,cpuacct:" + group + "\n1:name=systemd:/\n0::/\n";
  files["/proc/self/mountinfo"] = "31 24 0:27 " + mounted + " /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" +
                                  "32 24 0:28 " + mounted +
                                  " /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";
  return files;
}

TEST(Quota, OfAContainer) {
  const std::string v2 = "/sys/fs/cgroup", v1 = "/sys/fs/cgroup/cpu,cpuacct";
  EXPECT_EQ(quotaWith(version2("/", "/", {{v2 + "/cpu.max", "200000 100000\n"}})), 2);
  EXPECT_EQ(quotaWith(version2("/", "/", {{v2 + "/cpu.max", "150000 100000\n"}})), 2) << "a part of a CPU is one";
  EXPECT_EQ(quotaWith(version2("/", "/", {{v2 + "/cpu.max", "1000 100000\n"}})), 1);
  EXPECT_EQ(quotaWith(version2("/docker/abc", "/docker/abc", {{v2 + "/cpu.max", "300000 100000\n"}})), 3);
  EXPECT_EQ(quotaWith(version2("/a/../../b", "/", {{v2 + "/cpu.max", "300000 100000\n"}})), 3) << "another name space";
  EXPECT_EQ(quotaWith(version1("/docker/abc", "/docker/abc",
                               {{v1 + "/cpu.cfs_quota_us", "250000\n"}, {v1 + "/cpu.cfs_period_us", "50000\n"}})),
            5);
  EXPECT_EQ(
      quotaWith(version1("/", "/", {{v1 + "/cpu.cfs_quota_us", "-1\n"}, {v1 + "/cpu.cfs_period_us", "100000\n"}})),
      INT32_MAX);
}

TEST(Quota, OfTheGroupsAroundIt) {
  const std::string top = "/sys/fs/cgroup";
  auto nested = [&](const char *outer, const char *middle, const char *inner) {
    return quotaWith(
        version2("/pod/box", "/",
                 {{top + "/cpu.max", outer}, {top + "/pod/cpu.max", middle}, {top + "/pod/box/cpu.max", inner}}));
  };
  EXPECT_EQ(nested("max 100000", "400000 100000", "max 100000"), 4);
  EXPECT_EQ(nested("max 100000", "400000 100000", "300000 100000"), 3);
  EXPECT_EQ(nested("200000 100000", "400000 100000", "300000 100000"), 2);
  EXPECT_EQ(nested("max 100000", "max 100000", "max 100000"), INT32_MAX);
  EXPECT_EQ(quotaWith(version2("/pod/box", "/", {{top + "/pod/cpu.max", "400000 100000"}})), 4)
      << "no file is no quota";
  const std::string v1 = top + "/cpu,cpuacct/pod";
  EXPECT_EQ(quotaWith(version1("/pod/box", "/",
                               {{v1 + "/cpu.cfs_quota_us", "600000\n"},
                                {v1 + "/cpu.cfs_period_us", "100000\n"},
                                {v1 + "/box/cpu.cfs_quota_us", "-1\n"},
                                {v1 + "/box/cpu.cfs_period_us", "100000\n"}})),
            6);
}

TEST(Quota, NoneWithoutGroupsOrWithOthersFiles) {
  EXPECT_EQ(quotaWith({}), INT32_MAX);
  EXPECT_EQ(quotaWith({{"/proc/self/cgroup", "0::/\n"}}), INT32_MAX);
  for (const char *text : {"", "\n", "maximum", "-5 100000", "0 100000", "100000 0", "x y"})
    EXPECT_EQ(quotaWith(version2("/", "/", {{"/sys/fs/cgroup/cpu.max", text}})), INT32_MAX) << text;
  EXPECT_EQ(quotaWith(version2("/", "/", {{"/sys/fs/cgroup/cpu.max", "9223372036854775807 1"}})), INT32_MAX);
  EXPECT_EQ(
      quotaWith({{"/proc/self/cgroup", "nonsense\n::::\n0:\n"}, {"/proc/self/mountinfo", " - \na b\n - cgroup2\n"}}),
      INT32_MAX);
}

TEST(Quota, LimitsTheDefaultNumberOfThreads) {
  EXPECT_LE(xfrt_threads(Handle(0).context), cpusOfQuota());
  EXPECT_EQ(xfrt_threads(Handle(7).context), 7) << "what is asked for is had";
}

//===----------------------------------------------------------------------===//
// Where workers run
//===----------------------------------------------------------------------===//

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
