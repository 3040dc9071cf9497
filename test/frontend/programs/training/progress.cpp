//===- progress.cpp - The progress line -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "training/Progress.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace xf::programs;

TEST(Progress, SaysStepLossSpeedAndTimeLeft) {
  EXPECT_EQ(format({120, 1000, 2.3456, 12345.6, 45.67, 83.4}),
            "step   120/1000   2.346 bits/byte   12346 tokens/s   45.7 GFLOP/s   ETA 1:23");
  EXPECT_EQ(format({7, 0, 8, 1, 0, -1}), "step     7/?   8.000 bits/byte   1 tokens/s   0.0 GFLOP/s   ETA ?");
  EXPECT_EQ(format({1, 1, 0, 0, 0, 3725}), "step     1/1   0.000 bits/byte   0 tokens/s   0.0 GFLOP/s   ETA 1:02:05");
}

TEST(Progress, WritesPlainLinesWhereNobodyWatches) {
  char *text = nullptr;
  size_t size = 0;
  std::FILE *file = std::tmpfile();
  Progress progress(file, 0, 10, 64, 1e9);
  progress.update(1, 3.0); // too soon to show
  progress.update(2, 3.0, /*force=*/true);
  progress.print("done");
  std::rewind(file);
  ASSERT_GT(getline(&text, &size, file), 0);
  EXPECT_EQ(std::string(text).substr(0, 31), "step     2/10   3.000 bits/byte");
  EXPECT_EQ(std::string(text).find('\r'), std::string::npos);
  ASSERT_GT(getline(&text, &size, file), 0);
  EXPECT_STREQ(text, "done\n");
  EXPECT_LT(getline(&text, &size, file), 0);
  std::free(text);
  std::fclose(file);
}
