//===- schedule.cpp - The learning rate -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Schedule.h"

#include <gtest/gtest.h>

using namespace byte_lm;

TEST(Schedule, RisesLinearlyToThePeak) {
  Schedule schedule{.peak = 1, .warmup = 10, .steps = 110};
  EXPECT_DOUBLE_EQ(schedule.rate(0), 0.1);
  EXPECT_DOUBLE_EQ(schedule.rate(9), 1);
}

TEST(Schedule, FallsAlongACosineToTheFloor) {
  Schedule schedule{.peak = 1, .floor = 0.2, .warmup = 10, .steps = 110};
  EXPECT_DOUBLE_EQ(schedule.rate(10), 1);
  EXPECT_DOUBLE_EQ(schedule.rate(60), 0.6);
  EXPECT_DOUBLE_EQ(schedule.rate(110), 0.2);
  EXPECT_DOUBLE_EQ(schedule.rate(1000), 0.2);
}

TEST(Schedule, WarmUpDoesNotDependOnTheNumberOfSteps) {
  EXPECT_DOUBLE_EQ((Schedule{.warmup = 10, .steps = 0}.rate(7)), (Schedule{.warmup = 10, .steps = 500}.rate(7)));
}
