//===- absent.cpp - No driver, or none of any use -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ctest runs each test with another folder first in LD_LIBRARY_PATH.
//
//===----------------------------------------------------------------------===//

#include "../TestModel.h"

#include <gtest/gtest.h>

using namespace testmodel;

namespace {

/// A handle for a GPU is refused and one that may fall back runs on the CPU, more than once.
void expectRefused(xfrt_status status, const std::string &beginOfMessage) {
  for (int i = 0; i < 2; ++i) {
    xfrt_options options = Handle::withThreads(1);
    options.device = XFRT_CUDA;
    Handle refused(options);
    EXPECT_EQ(refused.status, status);
    EXPECT_EQ(refused.context, nullptr);
    EXPECT_EQ(std::string(xfrt_message(nullptr)).substr(0, beginOfMessage.size()), beginOfMessage);
    options.device = XFRT_CUDA_OR_CPU;
    Handle handle(options);
    ASSERT_EQ(handle.status, XFRT_OK);
    EXPECT_EQ(handle.message().substr(0, beginOfMessage.size()), beginOfMessage);
    Array<float> x({2, 3}, 1), y({2, 3}, 2), sum({2, 3});
    EXPECT_EQ(handle.call(Add, {x.buffer(), y.buffer()}, {sum.buffer()}), XFRT_OK);
    EXPECT_EQ(sum.values, std::vector<float>(6, 3));
    x.values.assign(6, 2);
    xfrt_buffer elsewhere = x.buffer();
    elsewhere.device = XFRT_CUDA;
    EXPECT_EQ(handle.call(Add, {elsewhere, y.buffer()}, {sum.buffer()}), XFRT_BAD_BUFFER);
    EXPECT_EQ(handle.message(), "entry 'add': argument 'x': expected memory of the host, got memory of device 1");
  }
}

TEST(Absent, NoLibrary) { expectRefused(XFRT_NO_DRIVER, "no CUDA driver: "); }

TEST(Absent, LibraryWithoutFunctions) {
  expectRefused(XFRT_OLD_DRIVER, "expected a CUDA driver of version 11.0 or later, got one without cu");
}

} // namespace
