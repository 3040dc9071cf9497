//===- GpuModel.h - A model for a GPU, by hand -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entries of TestModel.h, with the kernels of Kernels.h:
//   add      (x, y: f32[2x3]) -> sum           static, one launch
//   chain    (x: f32[N, 8]) -> y, N in 1..4096 dynamic; x -> arena (cubes) -> y (halves)
//   step     (w: f32[4] parameter, g: f32[4]) -> w' updates w
//   gather   (t: f32[5], i: i32[K]) -> o[K]    i checked in [0, 4]; K in 0..100
//   scale    (w: f32[4] parameter) -> 2 w      by a held copy of w, or by w
//   shift    (x: f32[4]) -> x + constants
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_CUDA_GPUMODEL_H
#define XF_TEST_RUNTIME_CUDA_GPUMODEL_H

#include "../TestModel.h"
#include "Kernels.h"
#include "test/ptx/driver/Simulator.h"

#include <gtest/gtest.h>
#include <map>
#include <stdlib.h>

namespace gpumodel {

using testmodel::Array;
enum Entry { Add, Chain, Step, Gather, Scale, Shift, EntryCount };

inline constexpr xfrt_launch launch(const char *name, int32_t grid, int32_t firstOperand, int32_t operands,
                                    int32_t when = XFRT_ALWAYS, int32_t blocks = 0) {
  return {nullptr, name, grid, firstOperand, operands, 0, 1, when, 0, 32, 0, blocks, 0, 0};
}

// Every frame begins with rows, columns, arena.
inline constexpr int32_t scalars[] = {1};
inline constexpr xfrt_launch addLaunches[] = {launch("add", 0, 0, 3)};

inline void prepareChain(const int64_t *symbols, int64_t *frame) {
  frame[0] = symbols[0];
  frame[1] = 8;
  frame[3] = 64;
  frame[2] = 64 + (symbols[0] * 8 * 4 + 63) / 64 * 64;
}
inline constexpr xfrt_launch chainLaunches[] = {launch("cube", 0, 0, 2, XFRT_ALWAYS, 2),
                                                launch("halve", 0, 2, 2, XFRT_ALWAYS, 1)};

inline constexpr int64_t rowFrame[] = {1, 4, 0};
inline constexpr xfrt_launch stepLaunches[] = {launch("step", 0, 0, 2)};

inline void prepareGather(const int64_t *symbols, int64_t *frame) {
  frame[0] = symbols[0];
  frame[1] = 1;
}
inline constexpr xfrt_launch gatherLaunches[] = {launch("gather", 0, 0, 3)};

inline constexpr xfrt_launch scaleLaunches[] = {launch("copy", 0, 0, 2, XFRT_FILLS_HELD),
                                                launch("double", 0, 2, 2, XFRT_IF_HELD),
                                                launch("double", 0, 4, 2, XFRT_IF_NOT_HELD)};

alignas(64) inline constexpr float constants[] = {0, 0, 0, 0, 10, 20, 30, 40};
inline constexpr int64_t shiftFrame[] = {1, 4, 0, 16};
inline constexpr xfrt_tensor shiftArguments[] = {testmodel::tensor("x", XFRT_F32, 1, testmodel::stepDims)};
inline constexpr xfrt_tensor shiftResults[] = {testmodel::tensor("y", XFRT_F32, 1, testmodel::stepDims)};
inline constexpr xfrt_operand shiftOperands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_CONSTANT, 0, 3}, {XFRT_RESULT, 0, -1}};
inline constexpr xfrt_launch shiftLaunches[] = {launch("add", 0, 0, 3)};

inline const xfrt_entry entries[] = {
    {"add",
     2,
     1,
     testmodel::addArguments,
     testmodel::addResults,
     0,
     nullptr,
     3,
     testmodel::addFrame,
     nullptr,
     2,
     1,
     addLaunches,
     testmodel::addOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr},
    {"chain",
     1,
     1,
     testmodel::chainArguments,
     testmodel::chainResults,
     1,
     testmodel::chainSymbols,
     4,
     nullptr,
     prepareChain,
     2,
     2,
     chainLaunches,
     testmodel::chainOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr},
    {"step",
     2,
     1,
     testmodel::stepArguments,
     testmodel::stepResults,
     0,
     nullptr,
     3,
     rowFrame,
     nullptr,
     2,
     1,
     stepLaunches,
     testmodel::stepOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr},
    {"gather",
     2,
     1,
     testmodel::gatherArguments,
     testmodel::gatherResults,
     1,
     testmodel::gatherSymbols,
     3,
     nullptr,
     prepareGather,
     2,
     1,
     gatherLaunches,
     testmodel::addOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr},
    {"scale",
     1,
     1,
     testmodel::stepArguments,
     testmodel::scaleResults,
     0,
     nullptr,
     3,
     rowFrame,
     nullptr,
     2,
     3,
     scaleLaunches,
     testmodel::scaleOperands,
     scalars,
     0,
     0,
     0,
     0,
     nullptr},
    {"shift", 1,      1, shiftArguments, shiftResults,  0,       nullptr, 4, shiftFrame,
     nullptr, 2,      1, shiftLaunches,  shiftOperands, scalars, 0,       0, 0,
     0,       nullptr},
};

/// The model for one architecture. `next` follows.
struct Model {
  explicit Model(const std::string &target = "sm_90a", const xfrt_model *next = nullptr,
                 const std::string &version = "8.0")
      : target(target), text(image(target, version)),
        images{{this->target.c_str(), XFRT_PTX, text.c_str(), int64_t(text.size() + 1)}}, table{XFRT_ABI_VERSION,
                                                                                                "gpu",
                                                                                                this->target.c_str(),
                                                                                                "00",
                                                                                                EntryCount,
                                                                                                entries,
                                                                                                constants,
                                                                                                sizeof(constants),
                                                                                                1,
                                                                                                16,
                                                                                                XFRT_CUDA,
                                                                                                1,
                                                                                                images,
                                                                                                next} {}
  Model(const Model &) = delete;

  const std::string target, text;
  xfrt_image images[1];
  xfrt_model table;
};

/// The environment of the simulated driver, as it was before at the end.
class Settings {
public:
  Settings() { xfSimReset(); }
  ~Settings() {
    for (auto &[name, value] : old)
      unsetenv(name.c_str());
    xfSimReset();
  }
  void set(const std::string &name, const std::string &value) {
    old[name] = value;
    setenv(name.c_str(), value.c_str(), 1);
    xfSimReset();
  }
  /// The N-th call of an entry point from now on, or every one ("*"), fails.
  void fail(const std::string &entryPoint, const std::string &call, int result) {
    set("XF_SIM_FAIL", entryPoint + ":" + call + ":" + std::to_string(result));
  }
  void heal() { set("XF_SIM_FAIL", ""); }

private:
  std::map<std::string, std::string> old;
};

inline xfrt_options onGpu(int32_t hold = XFRT_READ_PARAMETERS) {
  xfrt_options options{};
  options.threads = 1;
  options.device = XFRT_CUDA;
  options.hold_parameters = hold;
  return options;
}

/// A handle on the simulated device, whose functions leave the caller's context current.
class Gpu {
public:
  explicit Gpu(int32_t hold = XFRT_READ_PARAMETERS) : Gpu(onGpu(hold)) {}
  explicit Gpu(const xfrt_options &options) { status = xfrt_create(&model.table, &options, &context); }
  ~Gpu() {
    void *current = xfSimCurrent();
    xfrt_destroy(context);
    EXPECT_EQ(xfSimCurrent(), current);
  }
  Gpu(const Gpu &) = delete;

  xfrt_status call(Entry entry, std::vector<xfrt_buffer> arguments, std::vector<xfrt_buffer> results) {
    void *current = xfSimCurrent();
    xfrt_status answer =
        xfrt_call(context, entry, arguments.data(), int32_t(arguments.size()), results.data(), int32_t(results.size()));
    EXPECT_EQ(xfSimCurrent(), current);
    return answer;
  }
  std::string message() const { return xfrt_message(context); }

  Model model;
  xfrt_context *context = nullptr;
  xfrt_status status;
};

// The caller's side of the driver.
extern "C" {
int cuInit(unsigned);
int cuDevicePrimaryCtxRetain(void **, int);
int cuDevicePrimaryCtxRelease_v2(int);
int cuCtxPushCurrent_v2(void *);
int cuCtxPopCurrent_v2(void **);
int cuStreamCreate(void **, unsigned);
int cuStreamDestroy_v2(void *);
int cuStreamSynchronize(void *);
int cuStreamBeginCapture_v2(void *, int);
int cuStreamEndCapture(void *, void **);
int cuGraphInstantiateWithFlags(void **, void *, unsigned long long);
int cuGraphLaunch(void *, void *);
int cuGraphExecDestroy(void *);
int cuGraphDestroy(void *);
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemcpyHtoDAsync_v2(uint64_t, const void *, size_t, void *);
int cuMemcpyDtoHAsync_v2(void *, uint64_t, size_t, void *);
}

/// A device's context, current while the object lives, as in an application that uses CUDA itself.
class Current {
public:
  explicit Current(int device = 0) : device(device) {
    void *context = nullptr;
    EXPECT_EQ(cuInit(0) + cuDevicePrimaryCtxRetain(&context, device) + cuCtxPushCurrent_v2(context), 0);
  }
  ~Current() {
    void *context = nullptr;
    EXPECT_EQ(cuCtxPopCurrent_v2(&context) + cuDevicePrimaryCtxRelease_v2(device), 0);
  }
  Current(const Current &) = delete;

private:
  int device;
};

/// An array in the memory of the current device.
template <typename T>
class DeviceArray {
public:
  explicit DeviceArray(Array<T> &from) : host(from) {
    EXPECT_EQ(cuMemAlloc_v2(&address, bytes()) + cuStreamCreate(&stream, 1), 0);
    EXPECT_EQ(cuMemcpyHtoDAsync_v2(address, host.values.data(), bytes(), stream) + cuStreamSynchronize(stream), 0);
  }
  ~DeviceArray() {
    cuMemFree_v2(address);
    cuStreamDestroy_v2(stream);
  }
  DeviceArray(const DeviceArray &) = delete;

  xfrt_buffer buffer() {
    xfrt_buffer view = host.buffer();
    view.data = reinterpret_cast<void *>(address);
    view.device = XFRT_CUDA;
    return view;
  }
  /// What is there now.
  std::vector<T> values() {
    std::vector<T> result(host.values.size());
    EXPECT_EQ(cuMemcpyDtoHAsync_v2(result.data(), address, bytes(), stream) + cuStreamSynchronize(stream), 0);
    return result;
  }

private:
  size_t bytes() const { return host.values.size() * sizeof(T); }

  Array<T> &host;
  uint64_t address = 0;
  void *stream = nullptr;
};

/// A test with its own settings, after which the driver has everything back.
class OnGpu : public testing::Test {
protected:
  ~OnGpu() override { EXPECT_EQ(xfSimLeaks(), 0); }
  Settings settings;
};

} // namespace gpumodel

#endif // XF_TEST_RUNTIME_CUDA_GPUMODEL_H
