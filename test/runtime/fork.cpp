//===- fork.cpp - Handles in a child of their process ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace testmodel;

namespace {

/// Runs `child` in a child of this process and returns its answer; a signal's number + 1000, so that of the alarm where
/// it hangs.
int inChild(const std::function<int()> &child) {
  const pid_t id = fork();
  if (id == 0) {
    alarm(20);
    _exit(child());
  }
  int status = 0;
  EXPECT_EQ(waitpid(id, &status, 0), id);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/// Returns 0 where a call is right: the sums of the prefixes of rows of 3^3 / 3.
int cube(Handle &handle) {
  Array<float> x({200, 8}, 3), y({200, 8}, -1);
  if (handle.call(Chain, {x.buffer()}, {y.buffer()}) != XFRT_OK)
    return 1;
  for (size_t n = 0; n < y.values.size(); ++n)
    if (y.values[n] != 9 * float(n % 8 + 1))
      return 2;
  return 0;
}

TEST(Fork, ChildGoesOnWithItsParentsHandleAndMakesItsOwn) {
  Handle handle(4);
  for (int round = 0; round < 60; ++round) {
    ASSERT_EQ(cube(handle), 0); // its workers may be about to leave, or to sleep, when the process forks
    ASSERT_EQ(inChild([&] {
                if (cube(handle) || cube(handle))
                  return 3;
                Handle own(4);
                if (cube(own))
                  return 4;
                // What its parent's handle is to the child, both are to a child of the child.
                return inChild([&] { return cube(own) + 10 * cube(handle); });
              }),
              0)
        << "round " << round;
  }
  EXPECT_EQ(cube(handle), 0);
}

TEST(Fork, ChildDestroysItsParentsHandle) {
  for (int32_t threads : {1, 2, 4, 8}) {
    Handle handle(threads);
    for (int round = 0; round < 8; ++round) {
      ASSERT_EQ(cube(handle), 0);
      ASSERT_EQ(inChild([&] {
                  if (round % 2)
                    cube(handle);
                  xfrt_destroy(handle.context);
                  return 0;
                }),
                0);
    }
    EXPECT_EQ(cube(handle), 0);
  }
}

TEST(Fork, CallOfAnotherThreadIsBusyOrComplete) {
  Handle handle(3);
  std::atomic<bool> stops{false};
  std::thread caller([&] {
    while (!stops)
      EXPECT_EQ(cube(handle), 0);
  });
  for (int round = 0; round < 40; ++round)
    EXPECT_EQ(inChild([&] {
                Array<float> x({200, 8}, 3), y({200, 8});
                const xfrt_status status = handle.call(Chain, {x.buffer()}, {y.buffer()});
                xfrt_destroy(handle.context);
                return status == XFRT_OK || status == XFRT_BUSY ? 0 : 1;
              }),
              0);
  stops = true;
  caller.join();
}

TEST(Fork, TraceStaysTheParents) {
  const std::string path = testing::TempDir() + "/fork-trace-" + std::to_string(getpid()) + ".json";
  setenv("XFRT_TRACE", path.c_str(), 1);
  setenv("XFRT_PEAK", "100", 1);
  {
    Handle handle(2);
    ASSERT_EQ(cube(handle), 0);
    EXPECT_EQ(inChild([&] {
                const int answer = cube(handle);
                xfrt_destroy(handle.context);
                return answer;
              }),
              0);
    EXPECT_EQ(access(path.c_str(), F_OK), -1) << "the child has written it";
    ASSERT_EQ(cube(handle), 0);
  }
  unsetenv("XFRT_TRACE");
  unsetenv("XFRT_PEAK");
  std::ifstream file(path);
  std::string line;
  int calls = 0;
  while (std::getline(file, line))
    calls += line.find("\"cat\":\"call\"") != std::string::npos;
  EXPECT_EQ(calls, 2);
  unlink(path.c_str());
}

TEST(Fork, ChildrenHaveTracesOfTheirOwn) {
  const std::string name = "fork-children-" + std::to_string(getpid()) + ".json", folder = testing::TempDir();
  setenv("XFRT_TRACE", (folder + "/" + name).c_str(), 1);
  setenv("XFRT_PEAK", "100", 1);
  for (int child = 0; child < 2; ++child)
    EXPECT_EQ(inChild([] {
                Handle own(2);
                return cube(own);
              }),
              0);
  unsetenv("XFRT_TRACE");
  unsetenv("XFRT_PEAK");
  int found = 0;
  for (const auto &file : std::filesystem::directory_iterator(folder))
    if (file.path().filename().string().starts_with(name)) {
      EXPECT_TRUE(file.path().filename().string().starts_with(name + ".pid"));
      EXPECT_NE(file.file_size(), 0u);
      ++found;
      std::filesystem::remove(file);
    }
  EXPECT_EQ(found, 2);
}

} // namespace
