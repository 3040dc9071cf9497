//===- driver.cpp - Drivers and devices that cannot run a model -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"

#include <algorithm>

using namespace gpumodel;

namespace {

class Create : public OnGpu {
protected:
  /// The text with which a handle is refused; nothing of it is left.
  std::string refusal(xfrt_status expected, const xfrt_model *model, xfrt_options options = onGpu()) {
    xfrt_context *context = nullptr;
    EXPECT_EQ(xfrt_create(model, &options, &context), expected);
    EXPECT_EQ(context, nullptr);
    EXPECT_EQ(xfSimCurrent(), nullptr);
    EXPECT_EQ(xfSimUsedBytes(), 0u);
    return xfrt_message(nullptr);
  }

  /// What a handle runs of a list of models; null when it is refused.
  const xfrt_model *chosen(const xfrt_model *list, xfrt_options options = onGpu()) {
    xfrt_context *context = nullptr;
    if (xfrt_create(list, &options, &context) != XFRT_OK)
      return nullptr;
    const xfrt_model *model = xfrt_selected_model(context);
    xfrt_destroy(context);
    return model;
  }

  Model model;
};

TEST_F(Create, StreamOfEachThread) {
  xfrt_options options = onGpu();
  options.stream = reinterpret_cast<void *>(2); // CU_STREAM_PER_THREAD
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, &model.table, options),
            "expected a stream that is the same one in all threads, got CU_STREAM_PER_THREAD");
}

TEST_F(Create, StubLibrary) {
  settings.fail("cuInit", "1", 34);
  EXPECT_EQ(refusal(XFRT_NO_DRIVER, &model.table),
            "the CUDA driver does not start: cuInit: CUDA_ERROR_STUB_LIBRARY (CUDA driver is a stub library)");
}

TEST_F(Create, DriverThatDoesNotFitItsKernelModule) {
  settings.fail("cuInit", "1", 803);
  refusal(XFRT_OLD_DRIVER, &model.table);
}

TEST_F(Create, NoDevice) {
  settings.set("XF_SIM_DEVICES", "0");
  EXPECT_EQ(refusal(XFRT_NO_DEVICE, &model.table),
            "the CUDA driver does not start: cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)");
}

TEST_F(Create, DeviceNumbers) {
  settings.set("XF_SIM_DEVICES", "2");
  xfrt_options options = onGpu();
  options.device_number = 2;
  EXPECT_EQ(refusal(XFRT_NO_DEVICE, &model.table, options), "expected a device below 2, got 2");
  options.device_number = 1;
  EXPECT_EQ(chosen(&model.table, options), &model.table);
  options.device_number = -1;
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, &model.table, options),
            "expected a device between 0 and 2 and its number, got 1 and -1");
  options.device = 3;
  options.device_number = 0;
  EXPECT_EQ(refusal(XFRT_INVALID_ARGUMENT, &model.table, options),
            "expected a device between 0 and 2 and its number, got 3 and 0");
}

TEST_F(Create, DevicesCanBeAskedFor) {
  settings.set("XF_SIM_CAPABILITY", "8.9");
  int32_t architecture = -1;
  EXPECT_EQ(xfrt_find_device(XFRT_CUDA, 0, &architecture), XFRT_OK);
  EXPECT_EQ(architecture, 89);
  EXPECT_EQ(xfrt_find_device(XFRT_CPU, 0, &architecture), XFRT_OK);
  EXPECT_EQ(architecture, 0);
  EXPECT_EQ(xfrt_find_device(XFRT_CUDA, 1, nullptr), XFRT_NO_DEVICE);
  EXPECT_STREQ(xfrt_message(nullptr), "expected a device below 1, got 1");
  EXPECT_EQ(xfrt_find_device(XFRT_CUDA_OR_CPU, 0, nullptr), XFRT_INVALID_ARGUMENT);
}

TEST_F(Create, DevicesHaveNames) {
  settings.set("XF_SIM_DEVICES", "2");
  auto nameOfSecond = [&] {
    xfrt_options options = onGpu();
    options.device_number = 1;
    xfrt_context *context = nullptr;
    EXPECT_EQ(xfrt_create(&model.table, &options, &context), XFRT_OK) << xfrt_message(nullptr);
    std::string name = xfrt_device_name(context);
    xfrt_destroy(context);
    return name;
  };
  EXPECT_EQ(nameOfSecond(), "simulated GPU 1");
  settings.fail("cuDeviceGetName", "*", 1);
  EXPECT_EQ(nameOfSecond(), "");
  EXPECT_STREQ(xfrt_device_name(nullptr), "");
}

TEST_F(Create, OldDriver) {
  settings.set("XF_SIM_DRIVER", "10020");
  EXPECT_EQ(refusal(XFRT_OLD_DRIVER, &model.table), "expected a CUDA driver of version 11.0 or later, got 10.2");
}

TEST_F(Create, DriverThatDoesNotKnowTheVersionOfThePtx) {
  settings.set("XF_SIM_DRIVER", "11040");
  EXPECT_EQ(refusal(XFRT_OLD_DRIVER, &model.table),
            "model 'gpu': device 0 refuses the kernels for sm_90a: CUDA_ERROR_UNSUPPORTED_PTX_VERSION (the provided "
            "PTX was compiled with an unsupported toolchain.)");
}

TEST_F(Create, WrongArchitecture) {
  settings.set("XF_SIM_CAPABILITY", "7.5");
  Model first("sm_80", &model.table);
  EXPECT_EQ(refusal(XFRT_WRONG_ARCHITECTURE, &first.table),
            "model 'gpu': expected a device of sm_80 or sm_90a, got sm_75");
}

TEST_F(Create, ObjectForTheCpu) {
  EXPECT_EQ(refusal(XFRT_WRONG_ARCHITECTURE, &testmodel::model), "model 'test': the object has no code for GPUs");
}

/// Whatever the order of the models, each device runs the one that uses most of it.
TEST_F(Create, ChoosesTheBestModelThatTheDeviceRuns) {
  Model hopper("sm_90a"), anyHopper("sm_90"), ada("sm_89"), ampere("sm_80");
  Model *models[] = {&hopper, &ada, &ampere, &anyHopper};
  const std::pair<const char *, const Model *> cases[] = {
      {"7.5", nullptr}, {"8.0", &ampere},    {"8.6", &ampere},     {"8.9", &ada},
      {"9.0", &hopper}, {"9.1", &anyHopper}, {"10.0", &anyHopper}, {"12.0", &anyHopper}};
  for (Model *model : models)
    model->table.entry_count = 0;
  xfrt_model cpu = testmodel::model;
  cpu.entry_count = 0;
  std::sort(std::begin(models), std::end(models));
  do {
    cpu.next = &models[0]->table;
    for (int i = 0; i < 4; ++i)
      models[i]->table.next = i < 3 ? &models[i + 1]->table : nullptr;
    for (auto [capability, expected] : cases) {
      settings.set("XF_SIM_CAPABILITY", capability);
      EXPECT_EQ(chosen(&cpu), expected ? &expected->table : nullptr) << capability;
    }
  } while (std::next_permutation(std::begin(models), std::end(models)));
}

TEST_F(Create, ArchitecturesOfAFamilyAndUnknownOnes) {
  settings.set("XF_SIM_CAPABILITY", "10.3");
  for (auto [name, runs] : {std::pair("sm_100f", true),
                            {"sm_103f", true},
                            {"sm_110f", false},
                            {"sm_100a", false},
                            {"sm_103a", true},
                            {"sm_103x", false},
                            {"sm_", false},
                            {"gfx90a", false},
                            {"", false}}) {
    xfrt_model table = model.table;
    Model sm80("sm_80"); // an image that the device takes
    table.images = sm80.images;
    table.features = name;
    EXPECT_EQ(chosen(&table) != nullptr, runs) << name;
  }
}

TEST_F(Create, FallsBackToTheCpu) {
  xfrt_options options = onGpu();
  options.device = XFRT_CUDA_OR_CPU;
  xfrt_model cpu = testmodel::model;
  Model gpu("sm_90a");
  gpu.table.entry_count = cpu.entry_count;
  cpu.next = &gpu.table;
  EXPECT_EQ(chosen(&cpu, options), &gpu.table);
  settings.fail("cuInit", "*", 34);
  xfrt_context *context = nullptr;
  ASSERT_EQ(xfrt_create(&cpu, &options, &context), XFRT_OK);
  EXPECT_EQ(xfrt_selected_model(context), &cpu);
  EXPECT_STREQ(xfrt_message(context),
               "the CUDA driver does not start: cuInit: CUDA_ERROR_STUB_LIBRARY (CUDA driver is a stub library)");
  xfrt_destroy(context);
  settings.heal();
  settings.fail("cuDevicePrimaryCtxRetain", "*", 2);
  EXPECT_EQ(chosen(&cpu, options), nullptr); // a lack of memory is nobody's wish to run elsewhere
}

TEST_F(Create, MachineCodeBeforePtx) {
  Model gpu;
  const char machineCode[] = "\x7f"
                             "ELF and so on";
  const xfrt_image images[] = {gpu.images[0], {"sm_90a", XFRT_CUBIN, machineCode, sizeof(machineCode)}};
  gpu.table.images = images;
  gpu.table.image_count = 2;
  settings.set("XF_SIM_DEVICES", "1"); // counts anew
  EXPECT_EQ(chosen(&gpu.table), &gpu.table);
  EXPECT_EQ(xfSimCalls("cuModuleLoadDataEx"), 2);
  gpu.table.images = images + 1;
  gpu.table.image_count = 1;
  EXPECT_EQ(refusal(XFRT_WRONG_ARCHITECTURE, &gpu.table),
            "model 'gpu': device 0 refuses the kernels for sm_90a: CUDA_ERROR_NO_BINARY_FOR_GPU (no kernel image is "
            "available for execution on the device)");
}

TEST_F(Create, PtxThatDoesNotCompile) {
  Model gpu;
  gpu.images[0].data = "nothing of the kind";
  gpu.images[0].bytes = sizeof("nothing of the kind");
  std::string text = refusal(XFRT_JIT_FAILED, &gpu.table);
  EXPECT_EQ(text.find("model 'gpu': device 0 refuses the kernels for sm_90a: CUDA_ERROR_INVALID_PTX (a PTX JIT "
                      "compilation failed): image.ptx:1: "),
            0u)
      << text;
}

/// A model of which one launch is spoiled.
struct Spoiled : Model {
  Spoiled(void (*spoil)(xfrt_launch &)) : launch(addLaunches[0]), entry(entries[Add]) {
    spoil(launch);
    entry.launches = &launch;
    table.entries = &entry;
    table.entry_count = 1;
  }
  xfrt_launch launch;
  xfrt_entry entry;
};

TEST_F(Create, KernelThatTheImageLacks) {
  Spoiled gpu([](xfrt_launch &launch) { launch.name = "subtract"; });
  EXPECT_EQ(refusal(XFRT_BAD_MODEL, &gpu.table),
            "entry 'add': kernel 'subtract': expected a function of the image, got none");
}

/// The model whose entry `add` has a kernel with so much shared memory.
struct Spacious : Model {
  explicit Spacious(int32_t bytes) : Model("sm_80"), launch(addLaunches[0]) {
    launch.shared_bytes = bytes;
    std::copy_n(entries, EntryCount, changed);
    changed[Add].launches = &launch;
    table.entries = changed;
  }
  xfrt_launch launch;
  xfrt_entry changed[EntryCount];
};

/// The answer to a call of `add`, and its message.
static std::string callAdd(xfrt_context *context) {
  Array<float> x({2, 3}, 1), y({2, 3}, 2), sum({2, 3});
  xfrt_buffer in[] = {x.buffer(), y.buffer()}, out = sum.buffer();
  xfrt_status status = xfrt_call(context, Add, in, 2, &out, 1);
  return status ? std::string(xfrt_status_name(status)) + ": " + xfrt_message(context) : "";
}

TEST_F(Create, SharedMemoryOfEachDevice) {
  for (auto [capability, most] :
       {std::pair("8.0", 163), {"8.6", 99}, {"8.9", 99}, {"9.0", 227}, {"10.0", 227}, {"12.0", 99}}) {
    settings.set("XF_SIM_CAPABILITY", capability);
    xfrt_options options = onGpu();
    for (int32_t bytes : {most * 1024, most * 1024 + 1}) {
      Spacious gpu(bytes);
      xfrt_context *context = nullptr;
      ASSERT_EQ(xfrt_create(&gpu.table, &options, &context), XFRT_OK) << xfrt_message(nullptr);
      EXPECT_EQ(callAdd(context).empty(), bytes == most * 1024) << capability;
      xfrt_destroy(context);
    }
  }
}

/// A device with too little shared memory for a kernel refuses its entry, and runs the others.
TEST_F(Create, EntriesThatDoNotFitTheDevice) {
  settings.set("XF_SIM_CAPABILITY", "8.6");
  Spacious gpu(109568);
  xfrt_options options = onGpu();
  xfrt_context *context = nullptr;
  ASSERT_EQ(xfrt_create(&gpu.table, &options, &context), XFRT_OK) << xfrt_message(nullptr);
  const std::string text = "entry 'add': kernel 'add': expected 109568 bytes of shared memory for a block, device 0 of "
                           "sm_86 has 101376";
  EXPECT_EQ(callAdd(context), "wrong_architecture: " + text);
  EXPECT_EQ(xfrt_reserve(context, Add, nullptr, 0), XFRT_WRONG_ARCHITECTURE);
  Array<float> x({4}, 1), y({4});
  xfrt_buffer in = x.buffer(), out = y.buffer();
  EXPECT_EQ(xfrt_call(context, Shift, &in, 1, &out, 1), XFRT_OK) << xfrt_message(context);
  EXPECT_EQ(y.values, (std::vector<float>{11, 21, 31, 41}));
  xfrt_destroy(context);

  options.device = XFRT_CUDA_OR_CPU;
  xfrt_model cpu = testmodel::model;
  gpu.table.entry_count = cpu.entry_count;
  cpu.next = &gpu.table;
  ASSERT_EQ(xfrt_create(&cpu, &options, &context), XFRT_OK);
  EXPECT_EQ(xfrt_selected_model(context), &cpu);
  EXPECT_EQ(xfrt_message(context), text);
  xfrt_destroy(context);
}

/// Static shared memory counts against what a kernel has without asking, so that any is asked for.
TEST_F(Create, SharedMemoryIsAskedFor) {
  Spoiled some([](xfrt_launch &launch) { launch.shared_bytes = 1024; });
  settings.heal(); // counts anew
  EXPECT_EQ(chosen(&some.table), &some.table);
  EXPECT_EQ(xfSimCalls("cuFuncSetAttribute"), 1);
}

TEST_F(Create, LaunchesThatContradictThemselves) {
  for (auto spoil :
       {+[](xfrt_launch &launch) { launch.threads = 0; }, +[](xfrt_launch &launch) { launch.threads = 1025; },
        +[](xfrt_launch &launch) { launch.shared_bytes = -1; },
        +[](xfrt_launch &launch) { launch.blocks_per_processor = -1; },
        +[](xfrt_launch &launch) { launch.name = nullptr; }, +[](xfrt_launch &launch) { launch.map_count = 1; }}) {
    Spoiled gpu(spoil);
    EXPECT_EQ(refusal(XFRT_BAD_MODEL, &gpu.table), "entry 'add': launch 0 is malformed");
  }
}

TEST_F(Create, OutOfMemory) {
  settings.set("XF_SIM_MEMORY", "16");
  EXPECT_EQ(refusal(XFRT_OUT_OF_MEMORY, &model.table),
            "device 0: cannot allocate 32 bytes: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
}

TEST_F(Create, OutOfMemoryInACallLeavesTheHandleUsable) {
  settings.set("XF_SIM_MEMORY", "4096");
  Gpu gpu;
  Array<float> x({100, 8}, 2), y({100, 8}, -1), small({1, 8}, 2), result({1, 8});
  EXPECT_EQ(gpu.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_OUT_OF_MEMORY);
  EXPECT_EQ(y.values, std::vector<float>(800, -1));
  EXPECT_EQ(gpu.call(Chain, {small.buffer()}, {result.buffer()}), XFRT_OK) << gpu.message();
  EXPECT_EQ(result.values, std::vector<float>(8, 4));
}

/// Memory of the host from the caller's hooks, of which the n-th allocation fails.
struct HostMemory {
  explicit HostMemory(int failing) : failing(failing) {}
  xfrt_options options() {
    xfrt_options options = onGpu();
    options.allocate = [](void *user, size_t bytes, size_t alignment) {
      auto &memory = *static_cast<HostMemory *>(user);
      if (++memory.calls == memory.failing)
        return static_cast<void *>(nullptr);
      memory.bytes += int64_t(bytes);
      return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    };
    options.release = [](void *user, void *pointer, size_t bytes) {
      static_cast<HostMemory *>(user)->bytes -= int64_t(bytes);
      free(pointer);
    };
    options.memory_user = this;
    return options;
  }
  int failing, calls = 0;
  int64_t bytes = 0;
};

TEST_F(Create, MemoryOfTheHostComesFromTheHooks) {
  Current current;
  Array<float> table({5}, 3), output({3}, -1);
  Array<int32_t> index({3}, 4);
  DeviceArray<int32_t> deviceIndex(index); // whose elements are checked on the host
  for (int n = 1; n <= 4; ++n) {
    HostMemory memory(n);
    xfrt_options options = memory.options();
    xfrt_context *context = nullptr;
    xfrt_status status = xfrt_create(&model.table, &options, &context);
    EXPECT_EQ(status, n <= 2 ? XFRT_OUT_OF_MEMORY : XFRT_OK) << n;
    if (status == XFRT_OK) {
      xfrt_buffer arguments[] = {table.buffer(), deviceIndex.buffer()}, result = output.buffer();
      EXPECT_EQ(xfrt_call(context, Gather, arguments, 2, &result, 1), n == 3 ? XFRT_OUT_OF_MEMORY : XFRT_OK) << n;
    }
    xfrt_destroy(context);
    EXPECT_EQ(memory.bytes, 0) << n;
  }
}

/// What the thread works on beside us stays current.
TEST_F(Create, TheCallersContextStaysCurrent) {
  settings.set("XF_SIM_DEVICES", "2");
  Current other(1);
  void *current = xfSimCurrent();
  ASSERT_NE(current, nullptr);
  xfrt_options options = onGpu();
  xfrt_context *context = nullptr;
  ASSERT_EQ(xfrt_create(&model.table, &options, &context), XFRT_OK);
  EXPECT_EQ(xfSimCurrent(), current);
  Array<float> x({4}, 1), y({4});
  xfrt_buffer in = x.buffer(), out = y.buffer();
  EXPECT_EQ(xfrt_call(context, Shift, &in, 1, &out, 1), XFRT_OK);
  EXPECT_EQ(xfSimCurrent(), current);
  xfrt_destroy(context);
  EXPECT_EQ(xfSimCurrent(), current);
}

} // namespace
