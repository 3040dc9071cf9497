//===- parameters_memory.cpp - Parameters' files where memory lacks -------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores on ranks that are threads, of which one lacks memory from some allocation on, or writes to a disk that fails.
//
// This program stands in front of the C library's malloc, write and fsync.
//
//===----------------------------------------------------------------------===//

#include "SharedParameters.h"

#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace sharedparameters;

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define XF_OWN_MALLOC
#endif
#endif

namespace {
/// What of a kind still succeeds on this thread. 1 is the next that fails, after which all fail; below 0 none does.
struct Countdown {
  int64_t next = -1;
  bool succeeds() {
    if (next < 0)
      return true;
    next -= next > 0;
    return next > 0;
  }
};
thread_local Countdown allocations, writes;
} // namespace

#ifndef XF_OWN_MALLOC
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *malloc(size_t bytes) { return allocations.succeeds() ? __libc_malloc(bytes) : nullptr; }
void *calloc(size_t count, size_t bytes) { return allocations.succeeds() ? __libc_calloc(count, bytes) : nullptr; }
void *realloc(void *memory, size_t bytes) { return allocations.succeeds() ? __libc_realloc(memory, bytes) : nullptr; }

static long failOfDisk() {
  errno = EIO;
  return -1;
}
ssize_t write(int file, const void *data, size_t bytes) {
  return writes.succeeds() ? syscall(SYS_write, file, data, bytes) : failOfDisk();
}
int fsync(int file) { return int(writes.succeeds() ? syscall(SYS_fsync, file) : failOfDisk()); }
}
#endif

namespace {

/// What `work` returns, whose allocations succeed.
template <typename Work>
auto having(const Work &work) {
  const Countdown left = std::exchange(allocations, {});
  auto result = work();
  allocations = left;
  return result;
}

/// A communicator whose own allocations succeed.
struct WithMemory {
  explicit WithMemory(const xfrt_communicator &of) : inner(of), outer(of) {
    outer.context = this;
    outer.start = [](void *self, const xfrt_peer_message *sends, int32_t sendCount, const xfrt_peer_message *receives,
                     int32_t receiveCount, void *stream, int32_t *ticket) {
      const xfrt_communicator &to = static_cast<WithMemory *>(self)->inner;
      return having([&] { return to.start(to.context, sends, sendCount, receives, receiveCount, stream, ticket); });
    };
    outer.wait = [](void *self, int32_t ticket, int64_t timeout) {
      const xfrt_communicator &to = static_cast<WithMemory *>(self)->inner;
      return having([&] { return to.wait(to.context, ticket, timeout); });
    };
    outer.message = [](void *self) {
      const xfrt_communicator &to = static_cast<WithMemory *>(self)->inner;
      return having([&] { return to.message(to.context); });
    };
  }
  const xfrt_communicator &inner;
  xfrt_communicator outer;
};

/// What four ranks say, of which one lacks memory from its allocation number `failing` on.
struct LackingMemory {
  template <typename Work>
  LackingMemory(const ShareModel &of, int32_t lacks, int64_t failing, const Work &work) : statuses(4) {
    LocalNetwork network({.ranks = 4});
    network.run([&](const xfrt_communicator &communicator) {
      WithMemory with(communicator);
      xfrt_options given{};
      given.communicator = &with.outer;
      given.timeout_ms = 1000;
      xfrt_parameters *store = nullptr;
      ASSERT_EQ(xfrt_parameters_create(&of.model, &given, &store), XFRT_OK);
      allocations.next = communicator.rank == lacks ? failing : -1;
      statuses[size_t(communicator.rank)] = work(store, communicator.rank);
      if (communicator.rank == lacks)
        hadEnough = allocations.next > 0;
      allocations.next = writes.next = -1;
      xfrt_parameters_destroy(store);
    });
  }
  std::vector<xfrt_status> statuses;
  bool hadEnough = false; ///< it took fewer allocations
};

/// A rank without memory from some allocation on: all ranks say so, and the file is the old one.
TEST_F(SharedParameters, TellWhichRankLacksMemory) {
#ifdef XF_OWN_MALLOC
  GTEST_SKIP() << "the sanitizer has a malloc of its own";
#endif
  ShareModel of(2, 2);
  write(of, "old");
  const std::string old = read("old"), file = path("old");
  for (bool saves : {true, false})
    for (int32_t lacks : {0, 3}) {
      bool isDone = false;
      int64_t failing = 1;
      for (; !isDone && failing < 200; ++failing) {
        const LackingMemory found(of, lacks, failing, [&](xfrt_parameters *store, int32_t) {
          return saves ? xfrt_parameters_save(store, file.c_str(), XFRT_WEIGHTS | XFRT_STATES, nullptr, 0)
                       : xfrt_parameters_load(store, file.c_str(), XFRT_WEIGHTS | XFRT_STATES);
        });
        isDone = found.hadEnough;
        for (int32_t rank = 0; rank < 4; ++rank)
          EXPECT_EQ(found.statuses[size_t(rank)], isDone ? XFRT_OK : XFRT_OUT_OF_MEMORY)
              << "rank " << rank << " of rank " << lacks << ", allocation " << failing << (saves ? " saves" : "");
        if (!isDone) {
          EXPECT_EQ(read("old"), old);
        }
        EXPECT_EQ(files(), 1U);
      }
      EXPECT_TRUE(isDone);
      EXPECT_GT(failing, 10);
      if (saves)
        write(of, "old");
    }
}

/// Where the disk fails while rank 0 writes, and no memory is left to say so, no rank waits for it.
TEST_F(SharedParameters, TellOfADiskThatFailsWithoutMemory) {
#ifdef XF_OWN_MALLOC
  GTEST_SKIP() << "the sanitizer has a malloc of its own";
#endif
  ShareModel of(2, 2);
  write(of, "old");
  const std::string old = read("old"), file = path("old");
  for (int64_t call : {1, 2, 5, 6}) { // of the header, the first tensor and the last, and to make them durable
    bool isDone = false;
    for (int64_t failing = 1; !isDone && failing < 200; ++failing) {
      const LackingMemory found(of, 0, failing, [&](xfrt_parameters *store, int32_t rank) {
        writes.next = rank == 0 ? call : -1;
        return xfrt_parameters_save(store, file.c_str(), XFRT_WEIGHTS | XFRT_STATES, nullptr, 0);
      });
      isDone = found.hadEnough;
      for (int32_t rank = 0; rank < 4; ++rank)
        EXPECT_EQ(found.statuses[size_t(rank)], isDone ? XFRT_IO_ERROR : XFRT_OUT_OF_MEMORY)
            << "rank " << rank << ", call " << call << ", allocation " << failing;
      EXPECT_EQ(read("old"), old);
      EXPECT_EQ(files(), 1U);
    }
    EXPECT_TRUE(isDone);
  }
}

} // namespace
