//===- held.cpp - Parameters that a handle holds --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

using namespace testmodel;

namespace {

xfrt_options holding() {
  xfrt_options options{};
  options.threads = 1;
  options.hold_parameters = 1;
  return options;
}

/// The result of one call, and how many copies it made.
struct Call {
  std::vector<float> values;
  int copies;
};

Call scale(Handle &handle, Array<float> &w) {
  Array<float> y({4});
  int before = copiesMade;
  EXPECT_EQ(handle.call(Scale, {w.buffer()}, {y.buffer()}), XFRT_OK) << handle.message();
  return {y.values, copiesMade - before};
}

const std::vector<float> twos(4, 2), fours(4, 4);

TEST(Held, ReadsParametersAnewByDefault) {
  Handle handle(1);
  Array<float> w({4}, 1);
  EXPECT_EQ(scale(handle, w).values, twos);
  w.values.assign(4, 2);
  Call second = scale(handle, w);
  EXPECT_EQ(second.values, fours);
  EXPECT_EQ(second.copies, 0);
}

TEST(Held, CopiesOnce) {
  Handle handle(holding());
  Array<float> w({4}, 1);
  EXPECT_EQ(scale(handle, w).copies, 1);
  Call second = scale(handle, w);
  EXPECT_EQ(second.values, twos);
  EXPECT_EQ(second.copies, 0);
}

TEST(Held, ForgetsWhenTold) {
  Handle handle(holding());
  Array<float> w({4}, 1);
  scale(handle, w);
  w.values.assign(4, 2);
  xfrt_forget_parameters(handle.context);
  EXPECT_EQ(scale(handle, w).values, fours);
}

TEST(Held, KnowsAnotherAddress) {
  Handle handle(holding());
  Array<float> w({4}, 1), other({4}, 2);
  scale(handle, w);
  EXPECT_EQ(scale(handle, other).values, fours);
  EXPECT_EQ(scale(handle, w).values, twos);
}

TEST(Held, ForgetsWhatAnEntryUpdates) {
  Handle handle(holding());
  Array<float> w({4}, 1), gradient({4}, -2);
  scale(handle, w);
  EXPECT_EQ(handle.call(Step, {w.buffer(), gradient.buffer()}, {w.buffer()}), XFRT_OK) << handle.message();
  EXPECT_EQ(scale(handle, w).values, fours); // w -= 0.5 gradient
}

/// Memory hooks that count what is not given back.
struct Counter {
  int64_t bytes = 0;
  static void *allocate(void *user, size_t bytes, size_t alignment) {
    static_cast<Counter *>(user)->bytes += int64_t(bytes);
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  }
  static void release(void *user, void *pointer, size_t bytes) {
    static_cast<Counter *>(user)->bytes -= int64_t(bytes);
    free(pointer);
  }
};

TEST(Held, MemoryIsReservedAndGivenBack) {
  Counter counter;
  xfrt_options options = holding();
  options.allocate = Counter::allocate;
  options.release = Counter::release;
  options.memory_user = &counter;
  {
    Handle handle(options);
    ASSERT_EQ(xfrt_reserve(handle.context, Scale, nullptr, 0), XFRT_OK);
    int64_t reserved = counter.bytes;
    Array<float> w({4}, 1);
    scale(handle, w);
    EXPECT_EQ(counter.bytes, reserved);
  }
  EXPECT_EQ(counter.bytes, 0);
}

TEST(Held, RefusesAnotherNumber) {
  xfrt_options options = holding();
  options.hold_parameters = 3;
  Handle handle(options);
  EXPECT_EQ(handle.status, XFRT_INVALID_ARGUMENT);
  EXPECT_STREQ(xfrt_message(nullptr), "expected hold_parameters between 0 and 2, got 3");
}

TEST(Held, RefusesTablesThatContradictThemselves) {
  for (auto spoil :
       {+[](xfrt_step &step, xfrt_launch &) { step.held = 1; }, +[](xfrt_step &step, xfrt_launch &) { step.when = 4; },
        +[](xfrt_step &, xfrt_launch &launch) { launch.first_operand = 1; },
        +[](xfrt_step &, xfrt_launch &launch) { launch.operand_count = 0; }}) {
    xfrt_launch launch = scaleLaunches[0];
    xfrt_step step = scaleSteps[0];
    spoil(step, launch);
    xfrt_entry entry = entries[Scale];
    entry.launches = &launch;
    entry.steps = &step;
    entry.launch_count = entry.step_count = 1;
    xfrt_model spoiled = model;
    spoiled.entries = &entry;
    spoiled.entry_count = 1;
    Handle handle(holding(), &spoiled);
    EXPECT_EQ(handle.status, XFRT_BAD_MODEL);
    EXPECT_STREQ(xfrt_message(nullptr), "entry 'scale': step 0 is malformed");
  }
}

} // namespace
