//===- dlpack.cpp - Tensors of other frameworks, in and out ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xfrt/dlpack.h"
#include "TestModel.h"

#include <gtest/gtest.h>
#include <stddef.h>

using namespace testmodel;

namespace {

// The layout of dlpack.h, version 1, on a machine of 64 bits.
static_assert(sizeof(xfrt_dl_tensor) == 48 && offsetof(xfrt_dl_tensor, device) == 8 &&
              offsetof(xfrt_dl_tensor, ndim) == 16 && offsetof(xfrt_dl_tensor, dtype) == 20 &&
              offsetof(xfrt_dl_tensor, shape) == 24 && offsetof(xfrt_dl_tensor, byte_offset) == 40);
static_assert(sizeof(xfrt_dl_managed_tensor) == 64 && offsetof(xfrt_dl_managed_tensor, deleter) == 56);
static_assert(sizeof(xfrt_dl_managed_tensor_versioned) == 80 &&
              offsetof(xfrt_dl_managed_tensor_versioned, manager_ctx) == 8 &&
              offsetof(xfrt_dl_managed_tensor_versioned, deleter) == 16 &&
              offsetof(xfrt_dl_managed_tensor_versioned, flags) == 24 &&
              offsetof(xfrt_dl_managed_tensor_versioned, dl_tensor) == 32);

/// A tensor as a framework lends it.
struct Lent {
  std::vector<float> values;
  std::vector<int64_t> shape = {2, 3}, strides = {3, 1};
  xfrt_dl_tensor tensor;

  explicit Lent(float value)
      : values(8, value),
        tensor{values.data(), {XFRT_DL_CPU, 0}, 2, {XFRT_DL_FLOAT, 32, 1}, shape.data(), strides.data(), 0} {}
};

TEST(Dlpack, InIntoACall) {
  Lent x(1), y(2);
  y.tensor.byte_offset = 2 * sizeof(float);
  y.values[0] = y.values[1] = 77; // before the offset
  Array<float> sum({2, 3});
  xfrt_buffer arguments[2], result = sum.buffer();
  int32_t number = -1;
  ASSERT_EQ(xfrt_buffer_from_dlpack(&x.tensor, &arguments[0], &number), XFRT_OK);
  EXPECT_EQ(number, 0);
  ASSERT_EQ(xfrt_buffer_from_dlpack(&y.tensor, &arguments[1], nullptr), XFRT_OK);
  Handle handle(1);
  ASSERT_EQ(xfrt_call(handle.context, Add, arguments, 2, &result, 1), XFRT_OK) << handle.message();
  EXPECT_EQ(sum.values, std::vector<float>(6, 3));
  x.strides = {1, 2};
  EXPECT_EQ(xfrt_call(handle.context, Add, arguments, 2, &result, 1), XFRT_BAD_BUFFER);
  EXPECT_EQ(handle.message(),
            "entry 'add': argument 'x': expected a contiguous buffer, stride 1 in dimension 1, got 2");
}

TEST(Dlpack, TypesAndDevices) {
  Lent lent(1);
  xfrt_buffer buffer;
  int32_t number = -1;
  const std::pair<xfrt_dl_data_type, int32_t> types[] = {
      {{XFRT_DL_FLOAT, 32, 1}, XFRT_F32}, {{XFRT_DL_FLOAT, 64, 1}, XFRT_F64},   {{XFRT_DL_FLOAT, 16, 1}, XFRT_F16},
      {{XFRT_DL_INT, 32, 1}, XFRT_I32},   {{XFRT_DL_BFLOAT, 16, 1}, XFRT_BF16}, {{XFRT_DL_INT, 64, 1}, XFRT_I64},
      {{XFRT_DL_BOOL, 8, 1}, XFRT_BOOL},  {{XFRT_DL_UINT, 8, 1}, XFRT_BOOL}};
  for (auto [type, dtype] : types) {
    lent.tensor.dtype = type;
    EXPECT_EQ(xfrt_buffer_from_dlpack(&lent.tensor, &buffer, nullptr), XFRT_OK);
    EXPECT_EQ(buffer.dtype, dtype);
  }
  const std::pair<int32_t, int32_t> devices[] = {{XFRT_DL_CPU, XFRT_CPU},
                                                 {XFRT_DL_CUDA_HOST, XFRT_CPU},
                                                 {XFRT_DL_CUDA, XFRT_CUDA},
                                                 {XFRT_DL_CUDA_MANAGED, XFRT_CUDA}};
  for (auto [type, device] : devices) {
    lent.tensor.device = {type, 3};
    EXPECT_EQ(xfrt_buffer_from_dlpack(&lent.tensor, &buffer, &number), XFRT_OK);
    EXPECT_EQ(buffer.device, device);
    EXPECT_EQ(number, device == XFRT_CUDA ? 3 : 0);
  }
}

TEST(Dlpack, RefusesWhatXfDoesNotHave) {
  Lent lent(1);
  xfrt_buffer buffer;
  for (xfrt_dl_data_type type :
       {xfrt_dl_data_type{XFRT_DL_INT, 8, 1}, {XFRT_DL_FLOAT, 32, 4}, {5, 64, 1}, {10, 8, 1}}) {
    lent.tensor.dtype = type;
    EXPECT_EQ(xfrt_buffer_from_dlpack(&lent.tensor, &buffer, nullptr), XFRT_BAD_BUFFER);
  }
  EXPECT_STREQ(xfrt_message(nullptr),
               "expected a DLPack type of f32, f64, f16, bf16, i32, i64 or bool, got code 10 with "
               "8 bits and 1 lanes");
  lent.tensor.dtype = {XFRT_DL_FLOAT, 32, 1};
  lent.tensor.device.device_type = 10; // ROCm
  EXPECT_EQ(xfrt_buffer_from_dlpack(&lent.tensor, &buffer, nullptr), XFRT_BAD_BUFFER);
  EXPECT_STREQ(xfrt_message(nullptr), "expected a DLPack tensor in the memory of the host or of CUDA, got device 10");
  EXPECT_EQ(xfrt_buffer_from_dlpack(nullptr, &buffer, nullptr), XFRT_INVALID_ARGUMENT);
  lent.tensor.ndim = -1;
  EXPECT_EQ(xfrt_buffer_from_dlpack(&lent.tensor, &buffer, nullptr), XFRT_INVALID_ARGUMENT);
  lent.tensor.ndim = 1;
  lent.tensor.shape = nullptr;
  EXPECT_EQ(xfrt_buffer_from_dlpack(&lent.tensor, &buffer, nullptr), XFRT_INVALID_ARGUMENT);
}

void count(void *user) { ++*static_cast<int *>(user); }

template <typename Managed, typename Function>
void expectExported(Function exportBuffer) {
  Array<float> values({2, 3}, 5);
  int released = 0;
  Managed *tensor = nullptr;
  {
    std::vector<int64_t> shape = values.shape; // the tensor has its own
    xfrt_buffer buffer = values.buffer();
    buffer.shape = shape.data();
    ASSERT_EQ(exportBuffer(&buffer, 0, count, &released, &tensor), XFRT_OK);
  }
  EXPECT_EQ(tensor->dl_tensor.data, values.values.data());
  EXPECT_EQ(tensor->dl_tensor.ndim, 2);
  EXPECT_EQ(tensor->dl_tensor.dtype.code, XFRT_DL_FLOAT);
  EXPECT_EQ(tensor->dl_tensor.dtype.bits, 32);
  EXPECT_EQ(std::vector<int64_t>(tensor->dl_tensor.shape, tensor->dl_tensor.shape + 2), values.shape);
  EXPECT_EQ(std::vector<int64_t>(tensor->dl_tensor.strides, tensor->dl_tensor.strides + 2),
            (std::vector<int64_t>{3, 1}));
  xfrt_buffer back;
  EXPECT_EQ(xfrt_buffer_from_dlpack(&tensor->dl_tensor, &back, nullptr), XFRT_OK);
  EXPECT_EQ(back.data, values.values.data());
  EXPECT_EQ(released, 0);
  tensor->deleter(tensor);
  EXPECT_EQ(released, 1);
}

TEST(Dlpack, Out) { expectExported<xfrt_dl_managed_tensor_versioned>(xfrt_dlpack_from_buffer); }
TEST(Dlpack, OutWithoutAVersion) { expectExported<xfrt_dl_managed_tensor>(xfrt_dlpack_unversioned_from_buffer); }

TEST(Dlpack, OutOfADevice) {
  Array<float> scalar({}, 1);
  xfrt_buffer buffer = scalar.buffer();
  buffer.device = XFRT_CUDA;
  xfrt_dl_managed_tensor_versioned *tensor = nullptr;
  ASSERT_EQ(xfrt_dlpack_from_buffer(&buffer, 2, nullptr, nullptr, &tensor), XFRT_OK);
  EXPECT_EQ(tensor->major, 1u);
  EXPECT_EQ(tensor->flags, 0u);
  EXPECT_EQ(tensor->dl_tensor.device.device_type, XFRT_DL_CUDA);
  EXPECT_EQ(tensor->dl_tensor.device.device_id, 2);
  EXPECT_EQ(tensor->dl_tensor.ndim, 0);
  tensor->deleter(tensor);
}

TEST(Dlpack, RefusesBuffersThatAreNone) {
  Array<float> values({2, 3}, 5);
  int released = 0;
  xfrt_dl_managed_tensor *tensor = nullptr;
  xfrt_buffer buffer = values.buffer();
  buffer.dtype = 9;
  EXPECT_EQ(xfrt_dlpack_unversioned_from_buffer(&buffer, 0, count, &released, &tensor), XFRT_BAD_BUFFER);
  EXPECT_STREQ(xfrt_message(nullptr), "expected a buffer with a type, a shape and a device, got unknown on device 0");
  buffer = values.buffer();
  buffer.shape = nullptr;
  EXPECT_EQ(xfrt_dlpack_unversioned_from_buffer(&buffer, 0, count, &released, &tensor), XFRT_BAD_BUFFER);
  EXPECT_EQ(xfrt_dlpack_unversioned_from_buffer(nullptr, 0, count, &released, &tensor), XFRT_INVALID_ARGUMENT);
  buffer = values.buffer();
  EXPECT_EQ(xfrt_dlpack_unversioned_from_buffer(&buffer, -1, count, &released, &tensor), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(xfrt_dlpack_unversioned_from_buffer(&buffer, 0, count, &released, nullptr), XFRT_INVALID_ARGUMENT);
  EXPECT_EQ(released, 0);
}

} // namespace
