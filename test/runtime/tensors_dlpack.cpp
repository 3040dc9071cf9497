//===- tensors_dlpack.cpp - Tensors of C++ as DLPack, in and out ----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorErrors.h"
#include "TestModel.h"
#include "xfrt/xfrt.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <optional>

using xfrt::Tensor;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// A tensor that another framework lends: two rows of three in rows of four, behind two other elements.
template <typename Managed>
struct Lent {
  std::vector<float> values = std::vector<float>(10, nan);
  std::vector<int64_t> shape = {2, 3}, strides = {4, 1};
  int deletions = 0;
  Managed managed{};

  Lent() {
    for (int i = 0; i < 6; ++i)
      values[2 + i / 3 * 4 + i % 3] = float(i);
    managed.dl_tensor = {values.data(), {XFRT_DL_CPU, 0}, 2, {XFRT_DL_FLOAT, 32, 1}, shape.data(), strides.data(), 8};
    managed.manager_ctx = this;
    managed.deleter = [](Managed *self) { ++static_cast<Lent *>(self->manager_ctx)->deletions; };
    if constexpr (std::is_same_v<Managed, xfrt_dl_managed_tensor_versioned>)
      managed.major = 1;
  }
};

template <typename Managed>
class DlpackTensors : public testing::Test {};
using Structures = testing::Types<xfrt_dl_managed_tensor, xfrt_dl_managed_tensor_versioned>;
TYPED_TEST_SUITE(DlpackTensors, Structures);

TYPED_TEST(DlpackTensors, LiveAsLongAsTheLastCopy) {
  Lent<TypeParam> lent;
  {
    std::optional<Tensor> tensor = Tensor::fromDlpack(&lent.managed);
    EXPECT_EQ(tensor->data(), lent.values.data() + 2);
    EXPECT_EQ(tensor->text(), "f32[2, 3] with strides [4, 1]");
    EXPECT_EQ((tensor->view<float, 2>()(1, 2)), 5);
    Tensor copy = *tensor;
    tensor.reset();
    EXPECT_EQ(lent.deletions, 0);
  }
  EXPECT_EQ(lent.deletions, 1);
  lent.managed.deleter = nullptr; // owned by nobody
  Tensor::fromDlpack(&lent.managed);
}

TYPED_TEST(DlpackTensors, GoThroughAnEntryAndBack) {
  Lent<TypeParam> lent;
  xfrt::Instance instance(testmodel::model);
  Tensor tensor = Tensor::fromDlpack(&lent.managed), sum = Tensor::allocate(XFRT_F32, {2, 3});
  EXPECT_EQ(errorOf([&] { instance.call("add", {tensor, tensor}, {sum}); }),
            "bad_buffer: entry 'add': argument 'x': expected a contiguous buffer, stride 3 in dimension 0, got 4");
  instance.call("add", {tensor.packed(), tensor.packed()}, {sum});
  sum.copyTo(tensor);
  EXPECT_EQ(lent.values[8], 10);
  for (int gap : {0, 1, 5, 9})
    EXPECT_TRUE(std::isnan(lent.values[gap])) << gap;
}

TYPED_TEST(DlpackTensors, StayWithTheCallerAfterAnError) {
  const std::string large = std::to_string(std::numeric_limits<int64_t>::max());
  struct Case {
    void (*damage)(xfrt_dl_tensor &tensor);
    std::string error;
  };
  const Case cases[] = {
      {[](auto &t) { t.data = nullptr; }, "expected memory for f32[2, 3] with strides [4, 1], got a null pointer"},
      {[](auto &t) { t.byte_offset = 3; },
       "expected data aligned to 4 bytes, got an address that is 3 bytes behind one"},
      {[](auto &t) { t.byte_offset = UINT64_MAX - 7; },
       "expected a byte_offset within memory, got 18446744073709551608"},
      {[](auto &t) { t.strides[0] = std::numeric_limits<int64_t>::max(); },
       "expected fewer than 2^62 bytes, got shape [2, 3] with strides [" + large + ", 1]"},
      {[](auto &t) { t.shape[1] = -1; }, "expected sizes of at least 0, got [2, -1]"},
      {[](auto &t) { t.dtype.lanes = 4; },
       "expected a DLPack type of f32, f64, f16, bf16, i32, i64 or bool, got code 2 with 32 bits and 4 lanes"},
      {[](auto &t) { t.device.device_type = 10; },
       "expected a DLPack tensor in the memory of the host or of CUDA, got device 10"},
      {[](auto &t) { t.ndim = -1; }, "expected a tensor with a shape, and a buffer"},
      {[](auto &t) { t.shape = nullptr; }, "expected a tensor with a shape, and a buffer"},
  };
  for (const Case &one : cases) {
    Lent<TypeParam> lent;
    one.damage(lent.managed.dl_tensor);
    std::string error = errorOf([&] { Tensor::fromDlpack(&lent.managed); });
    EXPECT_EQ(error.substr(error.find(": ") + 2), one.error);
    EXPECT_EQ(lent.deletions, 0) << one.error;
  }
  EXPECT_EQ(errorOf([] { Tensor::fromDlpack(static_cast<TypeParam *>(nullptr)); }),
            "bad_buffer: expected a DLPack tensor, got a null pointer");
}

TYPED_TEST(DlpackTensors, OfNoElementsAndOfOne) {
  Lent<TypeParam> empty, scalar, backwards;
  empty.shape[0] = 0;
  empty.managed.dl_tensor.data = nullptr;
  EXPECT_EQ(Tensor::fromDlpack(&empty.managed).text(), "f32[0, 3]");
  scalar.managed.dl_tensor.ndim = 0;
  scalar.managed.dl_tensor.shape = scalar.managed.dl_tensor.strides = nullptr;
  EXPECT_EQ((Tensor::fromDlpack(&scalar.managed).template view<float, 0>()()), 0);
  backwards.strides = {-4, 1};
  backwards.managed.dl_tensor.byte_offset = 24;
  Tensor flipped = Tensor::fromDlpack(&backwards.managed);
  EXPECT_EQ((flipped.view<float, 2>()(0, 0)), 3);
  EXPECT_EQ(flipped.packed().template span<float>()[3], 0);
}

TYPED_TEST(DlpackTensors, OutAndInAgain) {
  std::weak_ptr<float[]> memory;
  TypeParam *managed = nullptr;
  {
    std::shared_ptr<float[]> owned(new float[8]());
    memory = owned;
    Tensor tensor(owned.get(), {2, 3}, {4, 1}, owned);
    if constexpr (std::is_same_v<TypeParam, xfrt_dl_managed_tensor>)
      managed = tensor.toUnversionedDlpack();
    else
      managed = tensor.toDlpack();
  }
  EXPECT_EQ(managed->dl_tensor.strides[0], 4);
  EXPECT_FALSE(memory.expired()); // the description keeps it
  Tensor::fromDlpack(managed).template view<float, 2>()(1, 2) = 5;
  EXPECT_TRUE(memory.expired());
}

TEST(DlpackTensors, SayWhetherTheyMayBeWritten) {
  Lent<xfrt_dl_managed_tensor_versioned> lent;
  lent.managed.flags = XFRT_DL_READ_ONLY | XFRT_DL_COPIED;
  Tensor tensor = Tensor::fromDlpack(&lent.managed);
  EXPECT_TRUE(tensor.isReadOnly());
  EXPECT_EQ((tensor.view<const float, 2>()(0, 1)), 1);
  EXPECT_EQ(errorOf([&] { tensor.view<float, 2>(); }),
            "bad_buffer: expected memory that may be written, got read-only memory; ask for const elements");
  EXPECT_EQ(errorOf([&] { tensor.toUnversionedDlpack(); }),
            "bad_buffer: expected memory that may be written, as every tensor before DLPack 1, got read-only memory");
  xfrt_dl_managed_tensor_versioned *out = tensor.toDlpack();
  EXPECT_EQ(out->major, 1u);
  EXPECT_EQ(out->flags, uint64_t(XFRT_DL_READ_ONLY));
  out->deleter(out);
  EXPECT_EQ(lent.deletions, 0); // `tensor` still lives
  lent.managed.major = 2;
  EXPECT_EQ(errorOf([&] { Tensor::fromDlpack(&lent.managed); }), "bad_buffer: expected DLPack 1, got 2.0");
}

TEST(DlpackTensors, OfDevices) {
  Lent<xfrt_dl_managed_tensor> lent;
  lent.managed.dl_tensor.device = {XFRT_DL_CUDA, 3};
  Tensor tensor = Tensor::fromDlpack(&lent.managed);
  EXPECT_EQ(tensor.device(), XFRT_CUDA);
  EXPECT_EQ(tensor.deviceNumber(), 3);
  xfrt_dl_managed_tensor *out = tensor.toUnversionedDlpack();
  EXPECT_EQ(out->dl_tensor.device.device_id, 3);
  out->deleter(out);
}

} // namespace
