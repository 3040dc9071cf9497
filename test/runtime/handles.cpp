//===- handles.cpp - Making handles, workspaces and hooks -----------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

using namespace testmodel;

namespace {

std::string createMessage(const xfrt_model *of, xfrt_status expected, xfrt_options options = {}) {
  Handle handle(options, of);
  EXPECT_EQ(handle.status, expected);
  EXPECT_EQ(handle.context, nullptr);
  return xfrt_message(nullptr);
}

//===----------------------------------------------------------------------===//
// Objects that cannot run here
//===----------------------------------------------------------------------===//

TEST(Create, OtherAbiVersion) {
  // Nothing behind the number may be looked at: it may lie elsewhere.
  xfrt_model old{};
  old.abi_version = XFRT_ABI_VERSION + 1;
  old.entry_count = 1;
  EXPECT_EQ(createMessage(&old, XFRT_ABI_MISMATCH), "expected an object with ABI version " +
                                                        std::to_string(XFRT_ABI_VERSION) + ", got version " +
                                                        std::to_string(XFRT_ABI_VERSION + 1) + "; compile it again");
  EXPECT_EQ(xfrt_find_entry(&old, "add"), -1);
  old.abi_version = XFRT_ABI_VERSION - 1;
  createMessage(&old, XFRT_ABI_MISMATCH);
}

TEST(Create, MissingFeaturesAreListed) {
  xfrt_model future = model;
  future.features = "avx1024,sse2,quantum";
  std::string message = createMessage(&future, XFRT_MISSING_FEATURES);
  std::string expected = "model 'test': expected a processor with avx1024, quantum, got one with ";
  EXPECT_EQ(message.substr(0, expected.size()), expected);
  EXPECT_NE(message.find("compile for older ones too, as by --mcpu="), std::string::npos) << message;
}

TEST(Create, MissingFeaturesStopTheSizeOfTheWorkspaceToo) { // `prepare` is code of the object
  xfrt_model future = model;
  future.features = "quantum";
  size_t bytes = 0;
  EXPECT_EQ(xfrt_workspace_size(&future, Add, nullptr, 0, 1, &bytes), XFRT_MISSING_FEATURES);
}

//===----------------------------------------------------------------------===//
// Code for several processors
//===----------------------------------------------------------------------===//

TEST(Select, TheLastThatTheProcessorCanRun) {
  xfrt_model best = model, better = model, base = model;
  best.features = "quantum";
  better.next = &best;
  base.next = &better;
  Handle handle({}, &base);
  EXPECT_EQ(xfrt_selected_model(handle.context), &better);
}

TEST(Select, OnlyALaterOne) {
  xfrt_model later = model, base = model;
  base.features = "quantum";
  base.next = &later;
  EXPECT_EQ(xfrt_selected_model(Handle({}, &base).context), &later);
}

TEST(Select, NoneListsWhatTheFirstNeeds) {
  xfrt_model later = model, base = model;
  base.features = "quantum";
  later.features = "quantum,gravity";
  base.next = &later;
  std::string message = createMessage(&base, XFRT_MISSING_FEATURES);
  EXPECT_NE(message.find("expected a processor with quantum, got"), std::string::npos) << message;
}

TEST(Select, WorkspaceOfWhatRuns) {
  xfrt_entry hungry[EntryCount];
  std::copy(entries, entries + EntryCount, hungry);
  hungry[Add].scratch_bytes += 1024;
  xfrt_model later = model, base = model;
  later.entries = hungry;
  size_t small = 0, large = 0;
  ASSERT_EQ(xfrt_workspace_size(&base, Add, nullptr, 0, 2, &small), XFRT_OK);
  base.next = &later;
  ASSERT_EQ(xfrt_workspace_size(&base, Add, nullptr, 0, 2, &large), XFRT_OK);
  EXPECT_EQ(large, small + 2048);
}

TEST(Select, OtherEntries) {
  xfrt_model later = model, base = model;
  later.entry_count = 1;
  base.next = &later;
  createMessage(&base, XFRT_BAD_MODEL);
}

TEST(Select, NullHandle) { EXPECT_EQ(xfrt_selected_model(nullptr), nullptr); }

TEST(Create, PresentFeaturesAreAccepted) {
  xfrt_model present = model;
  present.features = "64bit,sse,sse2,fxsr,cx8";
  EXPECT_EQ(Handle({}, &present).status, XFRT_OK) << xfrt_message(nullptr);
}

TEST(Create, FeaturesAgreeWithTheCompiler) {
  const std::pair<const char *, bool> features[] = {
      {"avx", __builtin_cpu_supports("avx")},           {"avx2", __builtin_cpu_supports("avx2")},
      {"fma", __builtin_cpu_supports("fma")},           {"bmi2", __builtin_cpu_supports("bmi2")},
      {"lzcnt", __builtin_cpu_supports("lzcnt")},       {"avx512f", __builtin_cpu_supports("avx512f")},
      {"avx512vl", __builtin_cpu_supports("avx512vl")}, {"avx512bf16", __builtin_cpu_supports("avx512bf16")}};
  for (auto [name, present] : features) {
    xfrt_model needy = model;
    needy.features = name;
    EXPECT_EQ(Handle({}, &needy).status, present ? XFRT_OK : XFRT_MISSING_FEATURES) << name;
  }
}

TEST(Create, NullModel) {
  EXPECT_EQ(createMessage(nullptr, XFRT_INVALID_ARGUMENT), "expected a model, got a null pointer");
}

TEST(Create, NullPlace) { EXPECT_EQ(xfrt_create(&model, nullptr, nullptr), XFRT_INVALID_ARGUMENT); }

TEST(Create, TablesThatContradictThemselves) {
  auto spoiled = [](auto spoil) {
    xfrt_entry entry = entries[Add];
    xfrt_launch launch = addLaunches[0];
    entry.launches = &launch;
    xfrt_model bad = model;
    bad.entries = &entry;
    bad.entry_count = 1;
    spoil(entry, launch);
    return createMessage(&bad, XFRT_BAD_MODEL);
  };
  EXPECT_EQ(spoiled([](xfrt_entry &, xfrt_launch &launch) { launch.grid = 3; }), "entry 'add': launch 0 is malformed");
  EXPECT_EQ(spoiled([](xfrt_entry &, xfrt_launch &launch) { launch.kernel = nullptr; }),
            "entry 'add': launch 0 is malformed");
  EXPECT_EQ(spoiled([](xfrt_entry &entry, xfrt_launch &) { entry.argument_count = 1; }),
            "entry 'add': launch 0 is malformed");
  EXPECT_EQ(spoiled([](xfrt_entry &entry, xfrt_launch &) { entry.scratch_bytes = 32; }),
            "entry 'add': expected a name, a frame and its sizes, scratch by 64 bytes");
  EXPECT_EQ(spoiled([](xfrt_entry &entry, xfrt_launch &) { entry.frame = nullptr; }),
            "entry 'add': expected either a constant frame or a function that fills one");
}

TEST(Create, Threads) {
  EXPECT_EQ(createMessage(&model, XFRT_INVALID_ARGUMENT, Handle::withThreads(-1)),
            "expected between 0 and 4096 threads, got -1");
  EXPECT_GE(xfrt_threads(Handle(0).context), 1);
  EXPECT_STREQ(xfrt_device_name(Handle(0).context), "CPU");
}

TEST(Create, ModelsForTheCpuAreChosenAmongOthers) {
  const xfrt_image image = {"sm_90a", XFRT_PTX, "", 1};
  xfrt_model gpu = model, cpu = model;
  gpu.device = XFRT_CUDA;
  gpu.features = "sm_90a";
  gpu.image_count = 1;
  gpu.images = &image;
  gpu.entry_count = 0;
  EXPECT_EQ(createMessage(&gpu, XFRT_MISSING_FEATURES),
            "model 'test': expected a handle for a GPU, the object has no code for the CPU");
  gpu.entry_count = cpu.entry_count;
  cpu.next = &gpu;
  Handle handle({}, &cpu);
  ASSERT_EQ(handle.status, XFRT_OK);
  EXPECT_EQ(xfrt_selected_model(handle.context), &cpu);
}

TEST(Create, ImagesThatContradictThemselves) {
  const xfrt_image good = {"sm_90a", XFRT_PTX, "", 1};
  auto spoiled = [&](auto spoil) {
    xfrt_image image = good;
    xfrt_model gpu = model;
    gpu.device = XFRT_CUDA;
    gpu.features = "sm_90a";
    gpu.image_count = 1;
    gpu.images = &image;
    gpu.entry_count = 0;
    spoil(gpu, image);
    return createMessage(&gpu, XFRT_BAD_MODEL);
  };
  const char *expected = "model 'test': expected an architecture and images of its kernels";
  EXPECT_EQ(spoiled([](xfrt_model &gpu, xfrt_image &) { gpu.image_count = 0; }), expected);
  EXPECT_EQ(spoiled([](xfrt_model &, xfrt_image &image) { image.arch = nullptr; }), expected);
  EXPECT_EQ(spoiled([](xfrt_model &, xfrt_image &image) { image.kind = 2; }), expected);
  EXPECT_EQ(spoiled([](xfrt_model &, xfrt_image &image) { image.data = "x"; }), expected);
  EXPECT_EQ(spoiled([](xfrt_model &gpu, xfrt_image &) { gpu.device = 2; }),
            "expected a model for the CPU or CUDA, got device 2");
}

TEST(FindEntry, ByName) {
  EXPECT_EQ(xfrt_find_entry(&model, "step"), Step);
  EXPECT_EQ(xfrt_find_entry(&model, "Step"), -1);
  EXPECT_EQ(xfrt_find_entry(&model, ""), -1);
  EXPECT_EQ(xfrt_find_entry(nullptr, "step"), -1);
}

TEST(Names, StatusAndTypes) {
  EXPECT_STREQ(xfrt_status_name(XFRT_OK), "ok");
  EXPECT_STREQ(xfrt_status_name(XFRT_PARAMETER_MISMATCH), "parameter_mismatch");
  EXPECT_STREQ(xfrt_status_name(XFRT_NO_DRIVER), "no_driver");
  EXPECT_STREQ(xfrt_status_name(XFRT_DEVICE_ERROR), "device_error");
  EXPECT_STREQ(xfrt_status_name(XFRT_TRANSPORT_ERROR), "transport_error");
  EXPECT_STREQ(xfrt_status_name(XFRT_FORKED), "forked");
  for (int32_t number : {99, -1, INT32_MIN, INT32_MAX, XFRT_FORKED + 1})
    EXPECT_STREQ(xfrt_status_name(number), "unknown");
  EXPECT_STREQ(xfrt_dtype_name(XFRT_BF16), "bf16");
  EXPECT_STREQ(xfrt_dtype_name(-1), "unknown");
  EXPECT_EQ(xfrt_dtype_size(XFRT_BOOL), 1u);
  EXPECT_EQ(xfrt_dtype_size(7), 0u);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An allocator that counts, and fails on demand.
struct Counting {
  std::map<void *, size_t> live;
  int allocations = 0;
  int failAt = -1;

  xfrt_options options(int32_t threads = 1) {
    xfrt_options options = Handle::withThreads(threads);
    options.allocate = [](void *user, size_t bytes, size_t alignment) -> void * {
      auto &self = *static_cast<Counting *>(user);
      if (self.allocations++ == self.failAt)
        return nullptr;
      EXPECT_GT(bytes, 0u);
      void *pointer = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
      self.live[pointer] = bytes;
      return pointer;
    };
    options.release = [](void *user, void *pointer, size_t bytes) {
      auto &self = *static_cast<Counting *>(user);
      EXPECT_EQ(self.live.at(pointer), bytes);
      self.live.erase(pointer);
      free(pointer);
    };
    options.memory_user = this;
    return options;
  }
};

/// Allocations of xfrt_create: the context and its device's state.
constexpr int blocksOfHandle = 2;

TEST(Memory, EverythingIsGivenBack) {
  Counting memory;
  {
    Handle handle(memory.options(3));
    Array<float> x({100, 8}, 1), y({100, 8});
    EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK);
    EXPECT_EQ(memory.live.size(), blocksOfHandle + 1u) << "with the workspace";
  }
  EXPECT_TRUE(memory.live.empty());
}

TEST(Memory, CallsAllocateOnlyToGrow) {
  Counting memory;
  Handle handle(memory.options(2));
  Array<float> small({10, 8}, 1), large({100, 8}, 1), y({10, 8}), z({100, 8});
  EXPECT_EQ(handle.call(Chain, {large.buffer()}, {z.buffer()}), XFRT_OK);
  int after = memory.allocations;
  EXPECT_EQ(handle.call(Chain, {small.buffer()}, {y.buffer()}), XFRT_OK);
  EXPECT_EQ(handle.call(Chain, {large.buffer()}, {z.buffer()}), XFRT_OK);
  EXPECT_EQ(memory.allocations, after);
}

TEST(Memory, ReserveSavesTheCallFromAllocating) {
  Counting memory;
  Handle handle(memory.options(2));
  int64_t rows = 100;
  EXPECT_EQ(xfrt_reserve(handle.context, Chain, &rows, 1), XFRT_OK) << handle.message();
  int after = memory.allocations;
  Array<float> x({100, 8}, 1), y({100, 8});
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK);
  EXPECT_EQ(memory.allocations, after);
}

TEST(Memory, ReserveChecksItsSizes) {
  Handle handle(1);
  int64_t rows = 5000;
  EXPECT_EQ(xfrt_reserve(handle.context, Chain, &rows, 1), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(handle.message(), "entry 'chain': expected size 'N' between 1 and 4096, got 5000");
  EXPECT_EQ(xfrt_reserve(handle.context, Chain, nullptr, 0), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(handle.message(), "entry 'chain': expected 1 sizes, got 0");
}

TEST(Memory, FailedAllocationIsAStatus) {
  Counting memory;
  for (memory.failAt = 0; memory.failAt < blocksOfHandle; ++memory.failAt) {
    memory.allocations = 0;
    EXPECT_EQ(createMessage(&model, XFRT_OUT_OF_MEMORY, memory.options()).find("cannot allocate a handle of "), 0u);
  }
  memory.allocations = 0;
  memory.failAt = blocksOfHandle;
  Handle handle(memory.options());
  Array<float> x({10, 8}, 1), y({10, 8}, -1);
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OUT_OF_MEMORY);
  EXPECT_EQ(y.values, std::vector<float>(80, -1));
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OK) << "the handle stays usable";
}

TEST(Memory, OneHookWithoutTheOther) {
  Counting memory;
  xfrt_options options = memory.options();
  options.release = nullptr;
  EXPECT_EQ(createMessage(&model, XFRT_INVALID_ARGUMENT, options),
            "expected both of the allocate and release hooks or neither");
}

TEST(Memory, WorkspaceSizeIsWhatACallNeeds) {
  int64_t rows = 100;
  for (int32_t threads : {1, 3}) {
    size_t bytes = 0;
    ASSERT_EQ(xfrt_workspace_size(&model, Chain, &rows, 1, threads, &bytes), XFRT_OK);
    EXPECT_EQ(bytes, 64 + 3200 + threads * 64u);
    void *memory = aligned_alloc(64, bytes);
    xfrt_options options = Handle::withThreads(threads);
    options.workspace = memory;
    Array<float> x({100, 8}, 1), y({100, 8});
    for (size_t given : {bytes, bytes - 1}) {
      options.workspace_bytes = given;
      Handle handle(options);
      EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), given == bytes ? XFRT_OK : XFRT_WORKSPACE_TOO_SMALL);
    }
    free(memory);
  }
}

TEST(Memory, StaticWorkspaceNeedsNoSizes) {
  size_t bytes = 1;
  EXPECT_EQ(xfrt_workspace_size(&model, Add, nullptr, 0, 1, &bytes), XFRT_OK);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(xfrt_workspace_size(&model, 9, nullptr, 0, 1, &bytes), XFRT_INVALID_ARGUMENT);
}

TEST(Memory, MisalignedWorkspaceIsRefused) {
  alignas(64) static char memory[256];
  xfrt_options options{};
  options.workspace = memory + 32;
  options.workspace_bytes = 128;
  EXPECT_NE(createMessage(&model, XFRT_INVALID_ARGUMENT, options).find("expected a workspace aligned to 64 bytes"),
            std::string::npos);
}

TEST(Memory, WorkspaceBeyond63BitsIsRefused) {
  static const int64_t hugeFrame[] = {2, 3, INT64_MAX - 63};
  xfrt_entry entry = entries[Add];
  entry.frame = hugeFrame;
  xfrt_model huge = model;
  huge.entries = &entry;
  huge.entry_count = 1;
  size_t bytes;
  EXPECT_EQ(xfrt_workspace_size(&huge, 0, nullptr, 0, 1, &bytes), XFRT_INVALID_ARGUMENT);
}

//===----------------------------------------------------------------------===//
// Traces and profiles
//===----------------------------------------------------------------------===//

TEST(Records, ThatCannotBeWrittenAreAStatusOrPrinted) {
  for (const char *variable : {"XFRT_TRACE", "XFRT_PROFILE"}) {
    setenv(variable, "/dev/full", 1);
    setenv("XFRT_PEAK", "100", 1);
    std::string text = std::string("expected to write the ") +
                       (variable == std::string("XFRT_TRACE") ? "trace" : "profile") +
                       ", '/dev/full': No space left on device";
    {
      Handle handle(1);
      EXPECT_EQ(xfrt_write_records(handle.context), XFRT_IO_ERROR);
      EXPECT_EQ(handle.message(), text);
      EXPECT_EQ(xfrt_write_records(handle.context), XFRT_OK) << "nothing is left";
    }
    testing::internal::CaptureStderr();
    {
      Handle handle(1);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "xfrt: " + text + "\n");
    unsetenv(variable);
    unsetenv("XFRT_PEAK");
  }
  EXPECT_EQ(xfrt_write_records(nullptr), XFRT_INVALID_ARGUMENT);
}

TEST(Records, ToAPipeWhoseReaderHasGoneAreAStatus) {
  const std::string path = testing::TempDir() + "/records-" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  for (const char *variable : {"XFRT_TRACE", "XFRT_PROFILE"}) {
    setenv(variable, path.c_str(), 1);
    setenv("XFRT_PEAK", "100", 1);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    Handle handle(1);
    close(reader);
    EXPECT_EQ(xfrt_write_records(handle.context), XFRT_IO_ERROR); // and not SIGPIPE
    EXPECT_NE(handle.message().find("Broken pipe"), std::string::npos) << handle.message();
    unsetenv(variable);
    unsetenv("XFRT_PEAK");
  }
  unlink(path.c_str());
}

} // namespace
