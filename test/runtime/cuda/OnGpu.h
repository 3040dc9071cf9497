//===- OnGpu.h - Tests on a simulated GPU ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that include this link the simulated driver: it is the libcuda.so.1 that the runtime finds, and answers
// questions about what was done.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_RUNTIME_CUDA_ONGPU_H
#define XF_TEST_RUNTIME_CUDA_ONGPU_H

#include "GpuModel.h"
#include "test/ptx/driver/Simulator.h"

#include <gtest/gtest.h>
#include <map>
#include <stdlib.h>

namespace gpumodel {

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
int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void *);
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

#endif // XF_TEST_RUNTIME_CUDA_ONGPU_H
