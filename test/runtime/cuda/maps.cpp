//===- maps.cpp - Tensor maps of kernels on a GPU -------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An entry (x: bf16[B, N, 64]) -> i32[32] whose kernel writes the 128 bytes of its tensor map, so that one can see what
// the driver was asked for.
//
//===----------------------------------------------------------------------===//

#include "OnGpu.h"
#include "test/ptx/TensorMap.h"

#include <string.h>

using namespace gpumodel;

namespace {

std::string showKernel() {
  std::string copies;
  for (int i = 0; i < 16; ++i) {
    std::string offset = std::to_string(8 * i);
    copies += "  ld.param.b64 %d1, [map+" + offset + "];\n  st.global.b64 [%d0+" + offset + "], %d1;\n";
  }
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry show(.param .u64 x, .param .u64 o, .param .align 64 .b8 map[128], .param .u64 tiles)\n"
         "{\n  .reg .b64 %d<2>;\n  ld.param.u64 %d0, [o];\n" +
         copies + "  ret;\n}\n";
}

// frame: {tiles, arena, N, B, 64, 64 N, offset}
void prepare(const int64_t *symbols, int64_t *frame) {
  const int64_t values[] = {1, 0, symbols[1], symbols[0], 64, 64 * symbols[1], 0};
  memcpy(frame, values, sizeof(values));
}

const xfrt_symbol symbols[] = {{"B", 0, 100}, {"N", 0, 1000}};
const xfrt_dim inputDims[] = {{0, 0}, {0, 1}, {64, -1}}, outputDims[] = {{32, -1}};
const xfrt_tensor arguments[] = {testmodel::tensor("x", XFRT_BF16, 3, inputDims)};
const xfrt_tensor results[] = {testmodel::tensor("o", XFRT_I32, 1, outputDims)};
const xfrt_operand operands[] = {{XFRT_ARGUMENT, 0, 6}, {XFRT_RESULT, 0, -1}};
const xfrt_tensor_map map = {0, XFRT_BF16, 3, {4, 2, 3, 0, 0}, {0, 4, 5, 0, 0}, {64, 128, 1, 0, 0}, 128};
const xfrt_launch launches[] = {{nullptr, "show", 0, 0, 2, 0, 0, 32, 0, 0, 0, 1}};

class Maps : public OnGpu {
protected:
  Maps() {
    table.images = images;
    table.entries = &entry;
    table.entry_count = 1;
    options.hold_parameters = XFRT_READ_PARAMETERS;
  }

  /// What the kernel got for x of these sizes.
  xf::ptx::TensorMap call(int64_t batch, int64_t rows) {
    Array<int32_t> x({batch, rows, 32}), o({32}, -1);
    xfrt_buffer in = x.buffer(), out = o.buffer();
    const int64_t shape[] = {batch, rows, 64};
    in.dtype = XFRT_BF16;
    in.shape = shape;
    status = xfrt_call(context, 0, &in, 1, &out, 1);
    xf::ptx::TensorMap decoded;
    if (status == XFRT_OK)
      EXPECT_TRUE(xf::ptx::decodeTiled(o.values.data(), decoded));
    return decoded;
  }
  int encoded() { return xfSimCalls("cuTensorMapEncodeTiled"); }

  /// Makes a handle for a spoiled map.
  xfrt_status create(void (*spoil)(xfrt_tensor_map &)) {
    static xfrt_tensor_map spoiled;
    spoiled = map;
    spoil(spoiled);
    entry.maps = &spoiled;
    return xfrt_create(&table, &options, &context);
  }

  Model model;
  std::string text = showKernel();
  xfrt_image images[1] = {{"sm_90a", XFRT_PTX, text.c_str(), int64_t(text.size() + 1)}};
  xfrt_entry entry = {
      "show", 1,        1, arguments, results,  2,       symbols, 7, nullptr, prepare, 1,    1, testmodel::launchSteps,
      1,      launches, 0, nullptr,   operands, nullptr, 0,       0, 0,       0,       &map, 0, nullptr};
  xfrt_model table = model.table;
  xfrt_options options = onGpu();
  xfrt_context *context = nullptr;
  xfrt_status status = XFRT_OK;
};

TEST_F(Maps, HoldAddressSizesStridesBoxAndSwizzle) {
  ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK) << xfrt_message(nullptr);
  xf::ptx::TensorMap map = call(3, 100);
  ASSERT_EQ(status, XFRT_OK) << xfrt_message(context);
  EXPECT_EQ(map.type, xf::ptx::TensorType::BFloat16);
  EXPECT_EQ(map.rank, 3u);
  EXPECT_EQ(map.address % 256, 0u);
  EXPECT_EQ(std::vector<uint64_t>(map.sizes, map.sizes + 3), (std::vector<uint64_t>{64, 100, 3}));
  EXPECT_EQ(std::vector<uint64_t>(map.strides, map.strides + 3), (std::vector<uint64_t>{2, 128, 12800}));
  EXPECT_EQ(std::vector<uint32_t>(map.box, map.box + 3), (std::vector<uint32_t>{64, 128, 1}));
  EXPECT_EQ(map.swizzle, xf::ptx::Swizzle::Bytes128);
  EXPECT_FALSE(map.fillNan);
  xfrt_destroy(context);
}

TEST_F(Maps, AreEncodedWhereSomethingChanges) {
  ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(call(3, 100).sizes[1], 100u);
  EXPECT_EQ(encoded(), 1);
  EXPECT_EQ(call(3, 99).sizes[1], 99u);
  EXPECT_EQ(encoded(), 2);
  EXPECT_EQ(call(3, 100).sizes[1], 100u);
  EXPECT_EQ(encoded(), 3);
  EXPECT_EQ(call(3, 1000).sizes[1], 1000u); // the copy of x moves
  EXPECT_EQ(call(3, 100).sizes[1], 100u);
  EXPECT_EQ(encoded(), 5);
  xfrt_destroy(context);
}

/// The driver takes no sizes of 0, and strides of one row only if they fit.
TEST_F(Maps, OfEmptyTensorsAndSingleRows) {
  ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK);
  EXPECT_EQ(call(1, 7).strides[2], 16u);
  for (auto [batch, rows] : {std::pair(3, 0), {0, 3}, {0, 0}}) {
    EXPECT_EQ(call(batch, rows).sizes[1], 1u);
    EXPECT_EQ(status, XFRT_OK) << xfrt_message(context);
  }
  xfrt_destroy(context);
}

TEST_F(Maps, ThatTheDriverRefusesNameTheKernel) {
  ASSERT_EQ(create([](xfrt_tensor_map &map) { map.box[0] = 63; }), XFRT_OK);
  call(3, 100);
  EXPECT_EQ(status, XFRT_DRIVER_ERROR);
  EXPECT_STREQ(xfrt_message(context), "entry 'show': kernel 'show': device 0: cuTensorMapEncodeTiled: "
                                      "CUDA_ERROR_INVALID_VALUE (invalid argument)");
  xfrt_destroy(context);
}

/// Kernels compute with indices of rows in 32 bits.
TEST_F(Maps, OfTooManyRows) {
  entry.prepare = [](const int64_t *symbols, int64_t *frame) {
    prepare(symbols, frame);
    frame[2] += (int64_t(1) << 30) - 100;
  };
  ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK);
  call(3, 100);
  EXPECT_EQ(status, XFRT_OK) << xfrt_message(context);
  call(3, 101);
  EXPECT_EQ(status, XFRT_BAD_BUFFER);
  EXPECT_STREQ(xfrt_message(context), "entry 'show': kernel 'show': expected at most 1073741824 rows of a matrix, got "
                                      "1073741825 times 1");
  EXPECT_EQ(encoded(), 1);
  xfrt_destroy(context);
}

TEST_F(Maps, ThatContradictThemselves) {
  for (auto spoil : {+[](xfrt_tensor_map &map) { map.operand = 2; }, +[](xfrt_tensor_map &map) { map.rank = 0; },
                     +[](xfrt_tensor_map &map) { map.rank = 6; }, +[](xfrt_tensor_map &map) { map.sizes[2] = 7; },
                     +[](xfrt_tensor_map &map) { map.strides[1] = -2; }, +[](xfrt_tensor_map &map) { map.box[1] = 0; },
                     +[](xfrt_tensor_map &map) { map.box[1] = 257; }, +[](xfrt_tensor_map &map) { map.dtype = 7; },
                     +[](xfrt_tensor_map &map) { map.swizzle_bytes = 16; }}) {
    EXPECT_EQ(create(spoil), XFRT_BAD_MODEL);
    EXPECT_STREQ(xfrt_message(nullptr), "entry 'show': launch 0 is malformed");
  }
}

TEST_F(Maps, AFailureOfTheDriverDoesNotLeaveAMapBehind) {
  ASSERT_EQ(xfrt_create(&table, &options, &context), XFRT_OK);
  settings.fail("cuTensorMapEncodeTiled", "1", 1);
  call(3, 100);
  EXPECT_EQ(status, XFRT_DRIVER_ERROR);
  settings.heal();
  EXPECT_EQ(call(3, 100).sizes[1], 100u);
  EXPECT_EQ(status, XFRT_OK) << xfrt_message(context);
  xfrt_destroy(context);
}

} // namespace
