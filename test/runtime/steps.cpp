//===- steps.cpp - Steps that a call runs in order ------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <array>
#include <gtest/gtest.h>
#include <numeric>

using namespace testmodel;

namespace {

Array<float> ramp(int64_t rows) {
  Array<float> x({rows, 8});
  std::iota(x.values.begin(), x.values.end(), -100.0f);
  return x;
}

std::vector<float> cubes(const Array<float> &x) {
  std::vector<float> result;
  for (float value : x.values)
    result.push_back(value * value * value);
  return result;
}

/// Calls `keep` with `rows` rows and checks both results.
void keep(Handle &handle, int64_t rows) {
  Array<float> x = ramp(rows), y({rows, 8}, -1), z({rows, 8}, -1);
  ASSERT_EQ(handle.call(Keep, {x.buffer()}, {y.buffer(), z.buffer()}), XFRT_OK) << handle.message();
  EXPECT_EQ(y.values, cubes(x));
  EXPECT_EQ(z.values, cubes(x));
}

/// Copies of less than a tile of the copy, of whole tiles, and with a part of one at the end.
TEST(Steps, CopiesAndLaunchesRunInOrder) {
  for (int32_t threads : {1, 3}) {
    Handle handle(threads);
    for (int64_t rows : {1, 7, 2048, 2049, 4095, 4096})
      keep(handle, rows);
  }
}

void backwards(void *user, int32_t, int64_t count, xfrt_tiles tiles, void *task) {
  for (int64_t i = count - *static_cast<int64_t *>(user); i-- > 0;)
    tiles(task, i, i + 1, 0);
}

TEST(Steps, CopiesRunOnTheCallersLoop) {
  int64_t skipped = 0;
  xfrt_options options = Handle::withThreads(2);
  options.parallel_for = backwards;
  options.parallel_user = &skipped;
  Handle handle(options);
  keep(handle, 4000);
  skipped = 1;
  Array<float> x = ramp(4000), y({4000, 8}), z({4000, 8});
  EXPECT_EQ(handle.call(Keep, {x.buffer()}, {y.buffer(), z.buffer()}), XFRT_BAD_HOOK);
  EXPECT_EQ(handle.message(),
            "entry 'keep': kernel 'copy': expected parallel_for to run each of 8 tiles once on workers below 2");
}

/// The model with one entry.
struct Single {
  explicit Single(Entry number) : entry(entries[number]) {
    table.entries = &entry;
    table.entry_count = 1;
  }
  std::string refusal() const {
    Handle handle({}, &table);
    EXPECT_EQ(handle.status, XFRT_BAD_MODEL);
    return xfrt_message(nullptr);
  }
  xfrt_entry entry;
  xfrt_model table = model;
};

/// Copies that are larger than the caches go past them, from and to any address.
TEST(Steps, LargeCopies) {
  for (int64_t bytes : {17 << 20, (17 << 20) - 5}) {
    const xfrt_dim dims[] = {{bytes, -1}};
    const xfrt_tensor x[] = {tensor("x", XFRT_BOOL, 1, dims)}, y[] = {tensor("y", XFRT_BOOL, 1, dims)};
    const xfrt_operand operands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}};
    const int64_t frame[] = {bytes, 0};
    const xfrt_copy copy = {0, 1, 0};
    const xfrt_step step = {XFRT_COPY, 0, XFRT_ALWAYS, 0};
    const xfrt_entry entry = {"large", 1, 1,     x,        y,       0, nullptr, 2, frame, nullptr, 1, 1,      &step, 0,
                              nullptr, 1, &copy, operands, nullptr, 0, 0,       0, 0,     nullptr, 0, nullptr};
    Single large(Add);
    large.entry = entry;
    std::vector<char> from(size_t(bytes) + 64), to(from.size(), 1);
    for (size_t i = 0; i < from.size(); ++i)
      from[i] = char(i * 31 + i / 4096);
    for (int64_t offset : {0, 3, 61}) {
      std::vector<char> expected(to.size(), 1);
      std::copy_n(from.data() + 64 - offset, bytes, expected.data() + offset);
      to.assign(to.size(), 1);
      xfrt_buffer in = {from.data() + 64 - offset, XFRT_BOOL, 1, &bytes, nullptr, XFRT_CPU};
      xfrt_buffer out = {to.data() + offset, XFRT_BOOL, 1, &bytes, nullptr, XFRT_CPU};
      Handle handle(Handle::withThreads(2), &large.table);
      ASSERT_EQ(xfrt_call(handle.context, 0, &in, 1, &out, 1), XFRT_OK) << handle.message();
      EXPECT_TRUE(to == expected);
    }
  }
}

/// A result that replaces its argument has the same memory, of which nothing is to be copied.
TEST(Steps, ABufferIsCopiedToItself) {
  const xfrt_operand operands[] = {{XFRT_ARGUMENT, 0, -1}, {XFRT_RESULT, 0, -1}};
  const int64_t frame[] = {16, 0};
  const xfrt_copy copy = {0, 1, 0};
  const xfrt_step step = {XFRT_COPY, 0, XFRT_ALWAYS, 0};
  Single same(Step);
  same.entry.operands = operands;
  same.entry.frame = frame;
  same.entry.steps = &step;
  same.entry.launch_count = 0;
  same.entry.copy_count = 1;
  same.entry.copies = &copy;
  xfrt_options options{};
  options.parallel_for = [](void *, int32_t, int64_t, xfrt_tiles, void *) {}; // runs nothing, which a copy would notice
  Handle handle(options, &same.table);
  Array<float> w({4}, 3), g({4}, 1);
  ASSERT_EQ(
      xfrt_call(handle.context, 0, std::array{w.buffer(), g.buffer()}.data(), 2, std::array{w.buffer()}.data(), 1),
      XFRT_OK)
      << handle.message();
  EXPECT_EQ(w.values, std::vector<float>(4, 3));
}

/// A copy may fill a held form: once, until the handle forgets it.
TEST(Steps, CopiesFillHeldForms) {
  const xfrt_copy copy = {0, 1, 2};
  const int64_t frame[] = {4, 0, 16};
  xfrt_step steps[3] = {scaleSteps[0], scaleSteps[1], scaleSteps[2]};
  steps[0].kind = XFRT_COPY;
  Single held(Scale);
  held.entry.steps = steps;
  held.entry.frame = frame;
  held.entry.frame_size = 3;
  held.entry.copy_count = 1;
  held.entry.copies = &copy;
  xfrt_options options{};
  options.hold_parameters = XFRT_HOLD_PARAMETERS;
  Handle handle(options, &held.table);
  Array<float> w({4}, 3), y({4});
  auto call = [&] {
    xfrt_buffer in = w.buffer(), out = y.buffer();
    EXPECT_EQ(xfrt_call(handle.context, 0, &in, 1, &out, 1), XFRT_OK) << handle.message();
    return y.values[0];
  };
  EXPECT_EQ(call(), 6);
  w.values.assign(4, 5);
  EXPECT_EQ(call(), 6);
  xfrt_forget_parameters(handle.context);
  EXPECT_EQ(call(), 10);
}

/// Steps of ranks in a model without a mesh: collectives.cpp has models with one.
TEST(Steps, CollectivesOfOneRankAreRefused) {
  for (auto [kind, name] : {std::pair(XFRT_COLLECTIVE, "a collective"), {XFRT_WAIT, "a wait"}}) {
    const xfrt_step steps[] = {launchSteps[0], {kind, 0, XFRT_ALWAYS, 0}};
    Single other(Add);
    other.entry.steps = steps;
    other.entry.step_count = 2;
    EXPECT_EQ(other.refusal(), std::string("entry 'add': step 1: expected a model of several ranks for ") + name);
  }
}

TEST(Steps, PrepackedFormsAreUsedOnlyWhereTheyAreHeld) {
  // Launch 1 reads the form, which a handle without parameters does not have; launch 2 fills none.
  for (const xfrt_step &bad :
       {xfrt_step{XFRT_LAUNCH, 1, XFRT_ALWAYS, 0}, xfrt_step{XFRT_LAUNCH, 1, XFRT_IF_NOT_HELD, 0},
        xfrt_step{XFRT_LAUNCH, 2, XFRT_FILLS_HELD, 0}}) {
    Single other(Scale);
    other.entry.steps = &bad;
    other.entry.step_count = 1;
    EXPECT_EQ(other.refusal(), "entry 'scale': step 0 is malformed");
  }
}

TEST(Steps, TablesThatContradictThemselves) {
  for (const xfrt_step &bad :
       {xfrt_step{4, 0, XFRT_ALWAYS, 0}, xfrt_step{-1, 0, XFRT_ALWAYS, 0}, xfrt_step{XFRT_LAUNCH, 1, XFRT_ALWAYS, 0},
        xfrt_step{XFRT_LAUNCH, -1, XFRT_ALWAYS, 0}, xfrt_step{XFRT_COPY, 2, XFRT_ALWAYS, 0},
        xfrt_step{XFRT_COPY, 0, 4, 0}, xfrt_step{XFRT_COPY, 1, XFRT_FILLS_HELD, 0}}) {
    Single spoiled(Keep);
    spoiled.entry.steps = &bad;
    spoiled.entry.step_count = 1;
    EXPECT_EQ(spoiled.refusal(), "entry 'keep': step 0 is malformed");
  }
  // Slots, operands that there are none of, and what may not be written.
  for (const xfrt_copy &bad :
       {xfrt_copy{0, 1, 5}, xfrt_copy{0, 1, -1}, xfrt_copy{-1, 1, 4}, xfrt_copy{0, -1, 4}, xfrt_copy{1, 0, 4}}) {
    const xfrt_copy copies[] = {keepCopies[0], bad};
    Single spoiled(Keep);
    spoiled.entry.copies = copies;
    EXPECT_EQ(spoiled.refusal(), "entry 'keep': copy 1 is malformed");
  }
}

TEST(Steps, CopiesOfLessThanNothing) {
  Single negative(Keep);
  negative.entry.prepare = [](const int64_t *symbols, int64_t *frame) {
    prepareKeep(symbols, frame);
    frame[4] = -1;
  };
  Handle handle({}, &negative.table);
  Array<float> x = ramp(3), y({3, 8}), z({3, 8});
  EXPECT_EQ(
      xfrt_call(handle.context, 0, std::array{x.buffer()}.data(), 1, std::array{y.buffer(), z.buffer()}.data(), 2),
      XFRT_BAD_MODEL);
  EXPECT_EQ(handle.message(), "entry 'keep': copy: expected a number of bytes, got -1");
}

} // namespace
