//===- parameters.cpp - Parameters that stay on a GPU ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"
#include "xfrt/xfrt.hpp"

using namespace gpumodel;

namespace {

class Parameters : public OnGpu {
protected:
  /// 2 w as the entry computes it.
  std::vector<float> scale(Gpu &gpu) {
    Array<float> y({4}, -1);
    EXPECT_EQ(gpu.call(Scale, {w.buffer()}, {y.buffer()}), XFRT_OK) << gpu.message();
    return y.values;
  }
  void step(Gpu &gpu) {
    ASSERT_EQ(gpu.call(Step, {w.buffer(), g.buffer()}, {xfrt_buffer{}}), XFRT_OK) << gpu.message();
  }
  int uploads() { return xfSimCalls("cuMemcpyHtoDAsync_v2"); }
  int downloads() { return xfSimCalls("cuMemcpyDtoHAsync_v2"); }
  void countAnew() { settings.set("XF_SIM_DEVICES", "1"); }

  Array<float> w{{4}, 1}, g{{4}, 1};
};

TEST_F(Parameters, AreReadInEveryCallByDefault) {
  Gpu gpu;
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
  w.values.assign(4, 5);
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 10));
  EXPECT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_OK);
}

TEST_F(Parameters, AreReadOnceWhereTheyAreHeld) {
  for (int32_t hold : {XFRT_HOLD_PARAMETERS, XFRT_RESIDENT_PARAMETERS}) {
    Gpu gpu(hold);
    w.values.assign(4, 1);
    EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
    countAnew();
    w.values.assign(4, 5); // against the promise, to see it
    EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
    EXPECT_EQ(uploads(), 0);
    xfrt_forget_parameters(gpu.context);
    EXPECT_EQ(scale(gpu), std::vector<float>(4, 10));
    EXPECT_EQ(uploads(), 1);
  }
}

TEST_F(Parameters, AtAnotherAddressAreReadAnew) {
  Gpu gpu(XFRT_HOLD_PARAMETERS);
  Array<float> other({4}, 7), y({4});
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
  ASSERT_EQ(gpu.call(Scale, {other.buffer()}, {y.buffer()}), XFRT_OK);
  EXPECT_EQ(y.values, std::vector<float>(4, 14));
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
}

TEST_F(Parameters, HeldOnesAreWrittenBackByTheCallThatUpdatesThem) {
  Gpu gpu(XFRT_HOLD_PARAMETERS);
  step(gpu);
  EXPECT_EQ(w.values, std::vector<float>(4, 0.5f));
  countAnew();
  step(gpu);
  EXPECT_EQ(w.values, std::vector<float>(4, 0));
  EXPECT_EQ(uploads(), 1); // the gradient
  EXPECT_EQ(downloads(), 1);
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 0));
}

TEST_F(Parameters, ResidentOnesStayUntilTheyAreFetched) {
  Gpu gpu(XFRT_RESIDENT_PARAMETERS);
  step(gpu);
  countAnew();
  step(gpu);
  EXPECT_EQ(uploads(), 1); // the gradient
  EXPECT_EQ(downloads(), 0);
  EXPECT_EQ(w.values, std::vector<float>(4, 1));
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 0));
  step(gpu);
  EXPECT_EQ(scale(gpu), std::vector<float>(4, -1)); // the held form is of the new values
  EXPECT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_OK);
  EXPECT_EQ(w.values, std::vector<float>(4, -0.5f));
  countAnew();
  EXPECT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_OK);
  EXPECT_EQ(downloads(), 0);
  EXPECT_EQ(scale(gpu), std::vector<float>(4, -1));
  EXPECT_EQ(uploads(), 0);
}

TEST_F(Parameters, ForgettingDropsWhatWasNotFetched) {
  Gpu gpu(XFRT_RESIDENT_PARAMETERS);
  step(gpu);
  xfrt_forget_parameters(gpu.context);
  EXPECT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_OK);
  EXPECT_EQ(w.values, std::vector<float>(4, 1));
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
  step(gpu);
  xfrt_forget_parameters(gpu.context);
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 2));
  countAnew();
  EXPECT_EQ(xfrt_fetch_parameters(gpu.context), XFRT_OK);
  EXPECT_EQ(downloads(), 0); // the host's memory is as new
}

TEST_F(Parameters, AFailedUpdateIsNotKept) {
  Gpu gpu(XFRT_HOLD_PARAMETERS);
  step(gpu);
  settings.fail("cuMemcpyDtoHAsync_v2", "1", 1);
  EXPECT_EQ(gpu.call(Step, {w.buffer(), g.buffer()}, {xfrt_buffer{}}), XFRT_DRIVER_ERROR);
  EXPECT_EQ(w.values, std::vector<float>(4, 0.5f));
  settings.heal();
  EXPECT_EQ(scale(gpu), std::vector<float>(4, 1));
  step(gpu);
  EXPECT_EQ(w.values, std::vector<float>(4, 0));
}

/// The C++ layer fetches before it saves and reads anew after it has loaded.
TEST_F(Parameters, OfAnInstanceAreSavedAsTheyAreOnTheDevice) {
  Model model;
  xfrt::Instance instance(model.table, onGpu(XFRT_RESIDENT_PARAMETERS));
  auto *values = static_cast<float *>(instance.parameter("w").data);
  std::fill(values, values + 4, 3.0f);
  auto step = [&] {
    xfrt_buffer arguments[] = {instance.parameter("w"), g.buffer()}, result{};
    EXPECT_EQ(xfrt_call(instance.context(), Step, arguments, 2, &result, 1), XFRT_OK);
  };
  step();
  EXPECT_EQ(values[0], 3);
  std::string path = testing::TempDir() + "cuda-parameters.safetensors";
  instance.save(path);
  EXPECT_EQ(values[0], 2.5f);
  step();
  step();
  instance.load(path);
  step();
  instance.save(path);
  EXPECT_EQ(values[0], 2);
  remove(path.c_str());
}

TEST_F(Parameters, OnTheCpuThereIsNothingToFetch) {
  xfrt_options options{};
  options.hold_parameters = XFRT_RESIDENT_PARAMETERS;
  testmodel::Handle handle(options);
  ASSERT_EQ(handle.status, XFRT_OK);
  EXPECT_EQ(handle.call(testmodel::Step, {w.buffer(), g.buffer()}, {xfrt_buffer{}}), XFRT_OK);
  EXPECT_EQ(w.values, std::vector<float>(4, 0.5f));
  EXPECT_EQ(xfrt_fetch_parameters(handle.context), XFRT_OK);
  EXPECT_EQ(xfrt_fetch_parameters(nullptr), XFRT_INVALID_ARGUMENT);
}

} // namespace
