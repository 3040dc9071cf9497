//===- buffers.cpp - Buffers that do not fit are refused ------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModel.h"

#include <gtest/gtest.h>

using namespace testmodel;

namespace {

/// Calls `add` with buffers that a test spoils, and expects that nothing ran and nothing was written.
class Refused : public testing::Test {
protected:
  Handle handle{1};
  Array<float> x{{2, 3}, 1}, y{{2, 3}, 2}, sum{{2, 3}, -1};
  xfrt_buffer first = x.buffer(), second = y.buffer(), result = sum.buffer();

  void expect(xfrt_status status, const std::string &message) {
    int before = kernelsRun;
    EXPECT_EQ(handle.call(Add, {first, second}, {result}), status);
    EXPECT_EQ(handle.message(), message);
    EXPECT_EQ(kernelsRun, before);
    EXPECT_EQ(sum.values, std::vector<float>(6, -1));
  }
  void expectBad(const std::string &message) { expect(XFRT_BAD_BUFFER, "entry 'add': " + message); }
};

TEST_F(Refused, ElementType) {
  second.dtype = XFRT_F64;
  expectBad("argument 'y': expected f32, got f64");
}

TEST_F(Refused, UnknownElementType) {
  second.dtype = 77;
  expectBad("argument 'y': expected f32, got unknown");
}

TEST_F(Refused, MemoryOfAnotherDevice) {
  result.device = XFRT_CUDA;
  expectBad("result 'sum': expected memory of the host, got memory of device 1");
}

TEST_F(Refused, Rank) {
  first.rank = 1;
  expectBad("argument 'x': expected rank 2, got 1");
}

TEST_F(Refused, Shape) {
  int64_t shape[] = {3, 2};
  result.shape = shape;
  expectBad("result 'sum': expected shape 2x3, got 3x2");
}

TEST_F(Refused, NegativeSize) {
  int64_t shape[] = {2, -3};
  first.shape = shape;
  expectBad("argument 'x': expected shape 2x3, got 2x-3");
}

TEST_F(Refused, NoShape) {
  first.shape = nullptr;
  expectBad("argument 'x': expected a shape, got a null pointer");
}

TEST_F(Refused, NoData) {
  result.data = nullptr;
  expectBad("result 'sum': expected 24 bytes of data, got a null pointer");
}

TEST_F(Refused, TransposedStrides) {
  int64_t strides[] = {1, 2};
  first.strides = strides;
  expectBad("argument 'x': expected a contiguous buffer, stride 1 in dimension 1, got 2");
}

TEST_F(Refused, NegativeStrides) {
  int64_t strides[] = {-3, 1};
  first.strides = strides;
  expectBad("argument 'x': expected a contiguous buffer, stride 3 in dimension 0, got -3");
}

TEST_F(Refused, ZeroStrides) {
  int64_t strides[] = {0, 1};
  first.strides = strides;
  expectBad("argument 'x': expected a contiguous buffer, stride 3 in dimension 0, got 0");
}

TEST_F(Refused, Misaligned) {
  alignas(8) char bytes[32];
  second.data = bytes + 2;
  EXPECT_EQ(handle.call(Add, {first, second}, {result}), XFRT_BAD_BUFFER);
  EXPECT_NE(handle.message().find("argument 'y': expected data aligned to 4 bytes, got address 0x"), std::string::npos);
}

TEST_F(Refused, ResultOverArgument) {
  result.data = x.values.data();
  expectBad("expected separate memory, but result 'sum' overlaps argument 'x'");
}

TEST_F(Refused, ResultOverOneElementOfAnArgument) {
  std::vector<float> memory(11);
  first.data = memory.data();
  result.data = memory.data() + 5;
  expectBad("expected separate memory, but result 'sum' overlaps argument 'x'");
  result.data = memory.data();
  first.data = memory.data() + 5;
  expectBad("expected separate memory, but result 'sum' overlaps argument 'x'");
}

TEST_F(Refused, Counts) {
  EXPECT_EQ(handle.call(Add, {first}, {result}), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(handle.message(), "entry 'add': expected 2 arguments and 1 results, got 1 and 1");
}

TEST_F(Refused, EntryIndex) {
  EXPECT_EQ(xfrt_call(handle.context, EntryCount, &first, 1, &result, 1), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(handle.message(), "expected an entry below 6, got 6");
  EXPECT_EQ(xfrt_call(handle.context, -1, &first, 1, &result, 1), XFRT_INVALID_ARGUMENT);
}

TEST_F(Refused, NullArrays) {
  EXPECT_EQ(xfrt_call(handle.context, Add, nullptr, 2, &result, 1), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(handle.message(), "entry 'add': expected an array of buffers, got a null pointer");
}

TEST_F(Refused, NullHandle) {
  EXPECT_EQ(xfrt_call(nullptr, Add, &first, 1, &result, 1), XFRT_INVALID_ARGUMENT);
  EXPECT_STREQ(xfrt_message(nullptr), "expected a handle, got a null pointer");
}

TEST(Buffers, ArgumentsMayShareMemory) {
  Handle handle(1);
  Array<float> x({2, 3}, 4), sum({2, 3});
  EXPECT_EQ(handle.call(Add, {x.buffer(), x.buffer()}, {sum.buffer()}), XFRT_OK) << handle.message();
  EXPECT_EQ(sum.values, std::vector<float>(6, 8));
}

TEST(Buffers, StridesOfSizeOneAreIgnored) {
  Handle handle(1);
  Array<float> x({1, 8}, 1), y({1, 8});
  int64_t strides[] = {INT64_MIN, 1};
  xfrt_buffer argument = x.buffer();
  argument.strides = strides;
  EXPECT_EQ(handle.call(Chain, {argument}, {y.buffer()}), XFRT_OK) << handle.message();
}

TEST(Buffers, EmptyTensorsNeedNoMemory) {
  Handle handle(1);
  Array<float> table({5}, 1);
  int64_t shape[] = {0}, strides[] = {-7};
  int before = kernelsRun;
  EXPECT_EQ(handle.call(Gather, {table.buffer(), {nullptr, XFRT_I32, 1, shape, strides, XFRT_CPU}},
                        {{reinterpret_cast<void *>(1), XFRT_F32, 1, shape, strides, XFRT_CPU}}),
            XFRT_OK)
      << handle.message();
  EXPECT_EQ(kernelsRun, before);
}

TEST(Buffers, SizesOfOneSymbolAgree) {
  Handle handle(1);
  Array<float> x({5, 8}), y({6, 8}, -1);
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {y.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_EQ(handle.message(),
            "entry 'chain': result 'y': expected 'N' = 5 in dimension 0 as in the tensors before, got 6");
  EXPECT_EQ(y.values, std::vector<float>(48, -1));
}

TEST(Buffers, SizesLieInTheirRange) {
  Handle handle(1);
  Array<float> none({0, 8}), many({4097, 8});
  EXPECT_EQ(handle.call(Chain, {none.buffer()}, {none.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_EQ(handle.message(), "entry 'chain': argument 'x': expected 'N' between 1 and 4096 in dimension 0, got 0");
  EXPECT_EQ(handle.call(Chain, {many.buffer()}, {many.buffer()}), XFRT_BAD_BUFFER);
}

TEST(Buffers, CheckedIntegersLieInTheirRange) {
  Handle handle(1);
  Array<float> table({5}, 1), out({3}, -1);
  Array<int32_t> index({3});
  for (int32_t wrong : {-1, 5, INT32_MIN, INT32_MAX}) {
    index.values = {0, 4, wrong};
    EXPECT_EQ(handle.call(Gather, {table.buffer(), index.buffer()}, {out.buffer()}), XFRT_OUT_OF_RANGE);
    EXPECT_EQ(handle.message(), "entry 'gather': argument 'i': expected elements between 0 and 4, got " +
                                    std::to_string(wrong) + " at index 2");
    EXPECT_EQ(out.values, std::vector<float>(3, -1));
  }
  index.values = {0, 4, 2};
  EXPECT_EQ(handle.call(Gather, {table.buffer(), index.buffer()}, {out.buffer()}), XFRT_OK);
}

TEST(Buffers, UpdatedArgumentIsNamedOrNull) {
  Handle handle(1);
  Array<float> weight({4}, 1), gradient({4}, 1), other({4}, 7);
  xfrt_buffer inPlace{};
  EXPECT_EQ(handle.call(Step, {weight.buffer(), gradient.buffer()}, {inPlace}), XFRT_OK) << handle.message();
  EXPECT_EQ(handle.call(Step, {weight.buffer(), gradient.buffer()}, {weight.buffer()}), XFRT_OK) << handle.message();
  EXPECT_EQ(weight.values, std::vector<float>(4, 0));
  EXPECT_EQ(handle.call(Step, {weight.buffer(), gradient.buffer()}, {other.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_EQ(handle.message(),
            "entry 'step': result 'w': expected the buffer of argument 'w', which it updates, or null");
}

TEST(Buffers, UpdatedArgumentIsNoOtherArgument) {
  Handle handle(1);
  Array<float> weight({4}, 1);
  EXPECT_EQ(handle.call(Step, {weight.buffer(), weight.buffer()}, {weight.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_EQ(weight.values, std::vector<float>(4, 1));
}

TEST(Buffers, ResultsStayOutOfTheWorkspace) {
  alignas(64) static float memory[1024];
  xfrt_options options{};
  options.threads = 1;
  options.workspace = memory;
  options.workspace_bytes = sizeof(memory);
  Handle handle(options);
  Array<float> x({4, 8}, 1);
  int64_t shape[] = {4, 8};
  EXPECT_EQ(handle.call(Chain, {x.buffer()}, {{memory + 1000, XFRT_F32, 2, shape, nullptr, XFRT_CPU}}),
            XFRT_BAD_BUFFER);
  EXPECT_EQ(handle.message(), "entry 'chain': expected separate memory, but result 'y' overlaps the workspace");
}

TEST(Buffers, NamesAreQuotedSafely) {
  xfrt_tensor argument = addArguments[0];
  std::string name = "\x1b[31m%n\n\u00fc\u009b\xff" + std::string(70000, 'x');
  argument.name = name.c_str();
  xfrt_tensor arguments[] = {argument, addArguments[1]};
  xfrt_entry entry = entries[Add];
  entry.arguments = arguments;
  xfrt_model hostile = model;
  hostile.entries = &entry;
  hostile.entry_count = 1;
  Handle handle(Handle::withThreads(1), &hostile);
  Array<double> x({2, 3});
  EXPECT_EQ(handle.call(Add, {x.buffer(), x.buffer()}, {x.buffer()}), XFRT_BAD_BUFFER);
  EXPECT_NE(handle.message().find("'\\x1b[31m%n\\x0a\u00fc\\xc2\\x9b\\xffxxx"), std::string::npos) << handle.message();
  EXPECT_NE(handle.message().find("xx..': expected f32, got f64"), std::string::npos) << handle.message();
}

} // namespace
