//===- tensors.cpp - Tensors of C++ (xfrt/tensor.hpp) ---------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorErrors.h"
#include "TestModel.h"
#include "xfrt/tensor.hpp"
#include "xfrt/xfrt.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

using xfrt::Tensor;

namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> counted(size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.f);
  return values;
}

/// An mdspan of another library, whose layout may have no strides.
struct OtherView {
  using element_type = const float;
  using reference = const float &;
  const float *data;
  int64_t sizes[2], strides[2];
  bool strided = true;

  static constexpr size_t rank() { return 2; }
  const float *data_handle() const { return data; }
  size_t extent(size_t d) const { return size_t(sizes[d]); }
  int64_t stride(size_t d) const { return strides[d]; }
  bool is_strided() const { return strided; }
};

static_assert(xfrt::StridedView<OtherView> && xfrt::StridedView<xfrt::StridedSpan<float, 3>>);
static_assert(!xfrt::StridedView<std::vector<float>>);
static_assert(xfrt::dtypeOf<const int64_t>() == XFRT_I64 && xfrt::dtypeOf<char>() == -1);
static_assert(!std::is_constructible_v<Tensor, std::span<char>> &&
              !std::is_constructible_v<Tensor, char *, Tensor::Sizes>);

//===----------------------------------------------------------------------===//
// Spans and views
//===----------------------------------------------------------------------===//

TEST(Tensors, OfASpan) {
  std::vector<float> values = counted(6);
  Tensor flat = std::span(values), matrix(std::span<const float>(values), {2, 3});
  EXPECT_EQ(flat.text(), "f32[6]");
  EXPECT_EQ(matrix.text(), "f32[2, 3]");
  EXPECT_FALSE(flat.isReadOnly());
  EXPECT_TRUE(matrix.isReadOnly());
  EXPECT_EQ(matrix.strides(), (Tensor::Sizes{3, 1}));
  EXPECT_EQ(flat.span<float>().data(), values.data());
  EXPECT_EQ(matrix.span<const float>().size(), 6u);
  EXPECT_EQ((matrix.view<const float, 2>()(1, 2)), 5);
  EXPECT_EQ(errorOf([&] { Tensor(std::span(values), {2, 4}); }), "bad_buffer: expected 8 elements of f32[2, 4], got 6");
}

TEST(Tensors, OfAViewOfAnotherLibrary) {
  std::vector<float> values = counted(8);
  Tensor columns = OtherView{values.data(), {2, 3}, {1, 2}}; // column-major
  EXPECT_EQ(columns.text(), "f32[2, 3] with strides [1, 2]");
  auto view = columns.view<const float, 2>();
  EXPECT_EQ(view(1, 2), 5);
  EXPECT_EQ(Tensor(view).text(), columns.text());
  EXPECT_EQ(errorOf([&] { Tensor(OtherView{values.data(), {2, 3}, {1, 2}, false}); }),
            "bad_buffer: expected a view with strides, got a layout that has none");
}

#if defined(__cpp_lib_mdspan)
TEST(Tensors, OfStdMdspan) {
  std::vector<float> values = counted(6);
  std::mdspan<float, std::dextents<size_t, 2>, std::layout_left> columns(values.data(), 2, 3);
  Tensor tensor = columns;
  EXPECT_EQ(tensor.strides(), (Tensor::Sizes{1, 2}));
  auto back = tensor.mdspan<float, 2>();
  EXPECT_EQ((back[1, 2]), 5);
  EXPECT_EQ(&(back[0, 1]), &values[2]);
  Tensor overlapping(values.data(), {3, 3}, {1, 1});
  EXPECT_EQ(errorOf([&] { overlapping.mdspan<float, 2>(); }),
            "bad_buffer: expected positive strides of elements that do not overlap, got f32[3, 3] with strides [1, 1]");
}
#endif

TEST(Tensors, SayWhatIsExpectedAndGot) {
  std::vector<double> values(6);
  Tensor tensor(values.data(), {2, 2}, {3, 1});
  const Tensor constant = std::span<const double>(values);
  EXPECT_EQ(errorOf([&] { tensor.view<float, 2>(); }), "bad_buffer: expected f32, got f64[2, 2] with strides [3, 1]");
  EXPECT_EQ(errorOf([&] { tensor.view<double, 3>(); }),
            "bad_buffer: expected rank 3, got f64[2, 2] with strides [3, 1]");
  EXPECT_EQ(errorOf([&] { tensor.span<double>(); }),
            "bad_buffer: expected a packed tensor, got f64[2, 2] with strides [3, 1]");
  EXPECT_EQ(errorOf([&] { constant.span<double>(); }),
            "bad_buffer: expected memory that may be written, got read-only memory; ask for const elements");
  const int64_t shape[] = {2};
  Tensor onGpu(xfrt_buffer{values.data(), XFRT_F64, 1, shape, nullptr, XFRT_CUDA}, false, 1);
  EXPECT_EQ(errorOf([&] { onGpu.span<double>(); }), "bad_buffer: expected the host's memory, got memory of GPU 1");
  EXPECT_EQ(errorOf([&] { onGpu.copyTo(onGpu); }), "bad_buffer: expected the host's memory, got memory of GPU 1");
}

//===----------------------------------------------------------------------===//
// What is no tensor
//===----------------------------------------------------------------------===//

TEST(Tensors, RefuseWhatIsNone) {
  float value = 1;
  float *none = nullptr;
  constexpr int64_t large = int64_t(1) << 61;
  EXPECT_EQ(errorOf([&] { Tensor(none, {2, 3}); }), "bad_buffer: expected memory for f32[2, 3], got a null pointer");
  EXPECT_EQ(errorOf([&] { Tensor(none, {}); }), "bad_buffer: expected memory for f32[], got a null pointer");
  EXPECT_EQ(errorOf([&] { Tensor(&value, {2, -3}); }), "bad_buffer: expected sizes of at least 0, got [2, -3]");
  EXPECT_EQ(errorOf([&] { Tensor(&value, {0, -3}); }), "bad_buffer: expected sizes of at least 0, got [0, -3]");
  EXPECT_EQ(errorOf([&] { Tensor(&value, {2, 3}, {1}); }), "bad_buffer: expected 2 strides for shape [2, 3], got [1]");
  EXPECT_EQ(errorOf([&] { Tensor(&value, {large, large}, {0, 0}); }),
            "bad_buffer: expected fewer than 2^62 bytes, got shape [2305843009213693952, 2305843009213693952] with "
            "strides [0, 0]");
  for (int64_t stride : {large, -large, std::numeric_limits<int64_t>::min()})
    EXPECT_EQ(errorOf([&] { Tensor(&value, {3}, {stride}); }),
              "bad_buffer: expected fewer than 2^62 bytes, got shape [3] with strides [" + std::to_string(stride) +
                  "]");
  auto *odd = reinterpret_cast<float *>(reinterpret_cast<uintptr_t>(&value) + 1);
  EXPECT_EQ(errorOf([&] { Tensor(odd, {1}); }),
            "bad_buffer: expected data aligned to 4 bytes, got an address that is 1 bytes behind one");
  EXPECT_EQ(errorOf([&] { Tensor(xfrt_buffer{&value, 99, 0, nullptr, nullptr, XFRT_CPU}); }),
            "bad_buffer: expected an xfrt_dtype, got 99");
  EXPECT_EQ(errorOf([&] { Tensor(xfrt_buffer{&value, XFRT_F32, -1, nullptr, nullptr, XFRT_CPU}); }),
            "bad_buffer: expected a shape, got rank -1");
  EXPECT_EQ(errorOf([&] { Tensor(xfrt_buffer{&value, XFRT_F32, 1, nullptr, nullptr, XFRT_CPU}); }),
            "bad_buffer: expected a shape, got a null pointer");
  EXPECT_EQ(errorOf([&] { Tensor::allocate(XFRT_F32, {large}); }),
            "bad_buffer: expected fewer than 2^62 bytes, got shape [2305843009213693952] with strides [1]");
}

TEST(Tensors, OfNoElementsAndOfOne) {
  float *none = nullptr;
  Tensor empty(none, {4, 0, 3}, {7, -7, std::numeric_limits<int64_t>::min()});
  EXPECT_EQ(empty.count(), 0);
  EXPECT_TRUE(empty.isPacked());
  EXPECT_EQ(empty.span<float>().size(), 0u);
  empty.copyTo(Tensor::allocate(XFRT_F32, {4, 0, 3}));
  float value = 3;
  Tensor scalar(&value, {});
  EXPECT_EQ(scalar.count(), 1);
  EXPECT_EQ((scalar.view<float, 0>()()), 3);
  EXPECT_EQ(Tensor(&value, {1, 1}, {-9, std::numeric_limits<int64_t>::max()}).text(), "f32[1, 1]");
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

TEST(Tensors, CopyWhatStridesReachAlone) {
  std::vector<float> padded(8, nan), reversed(12, nan);
  Tensor rows(padded.data(), {2, 3}, {4, 1});
  for (int64_t i = 0; i < 6; ++i)
    rows.view<float, 2>()(i / 3, i % 3) = float(i);
  Tensor packed = rows.packed();
  EXPECT_NE(packed.data(), rows.data());
  EXPECT_EQ(packed.packed().data(), packed.data());
  EXPECT_EQ(std::vector<float>(packed.span<float>().begin(), packed.span<float>().end()), counted(6));
  packed.copyTo(Tensor(reversed.data() + 10, {2, 3}, {-6, -2})); // backwards, every second element
  for (int i = 0; i < 12; ++i)
    if (i % 2)
      EXPECT_TRUE(std::isnan(reversed[i])) << i;
    else
      EXPECT_EQ(reversed[i], float(5 - i / 2));
  EXPECT_TRUE(std::isnan(padded[3]) && std::isnan(padded[7]));
  Tensor repeated(padded.data(), {3, 2}, {0, 1}); // one row, three times
  Tensor copy = repeated.packed();
  EXPECT_EQ(copy.span<float>()[5], 1);
}

TEST(Tensors, RefuseCopiesThatLoseElements) {
  std::vector<float> values = counted(8);
  std::vector<double> doubles(6);
  Tensor from(values.data(), {2, 3});
  EXPECT_EQ(errorOf([&] { from.copyTo(std::span(doubles)); }), "bad_buffer: expected f32[2, 3], got f64[6]");
  Tensor to = Tensor::allocate(XFRT_F32, {2, 3});
  auto elements = static_cast<float *>(to.data());
  EXPECT_EQ(errorOf([&] { from.copyTo(Tensor(elements, {2, 3}, {0, 1})); }),
            "bad_buffer: expected a copy whose elements do not overlap, got f32[2, 3] with strides [0, 1]");
  EXPECT_EQ(errorOf([&] { from.copyTo(Tensor(static_cast<const float *>(elements), {2, 3})); }),
            "bad_buffer: expected memory that may be written, got read-only memory");
  EXPECT_EQ(errorOf([&] { from.copyTo(Tensor(values.data() + 2, {2, 3})); }),
            "bad_buffer: expected memory that does not overlap, got 16 bytes that both tensors reach");
  std::vector<float> owned;
  {
    Tensor kept = Tensor::allocate(XFRT_F32, {2, 3}), second = kept;
    from.copyTo(kept);
    kept = from;
    owned.assign(second.span<float>().begin(), second.span<float>().end()); // the copy owns the memory, too
  }
  EXPECT_EQ(owned, counted(6));
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

TEST(Tensors, ThroughAnEntry) {
  xfrt::Instance instance(testmodel::model, testmodel::Handle::withThreads(1));
  std::vector<float> x = counted(6), padded(8, nan), sum(6);
  Tensor rows(padded.data(), {2, 3}, {4, 1});
  Tensor(std::span(x), {2, 3}).copyTo(rows);
  instance.call("add", {Tensor(std::span<const float>(x), {2, 3}), rows.packed()}, {Tensor(std::span(sum), {2, 3})});
  EXPECT_EQ(sum, (std::vector<float>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(errorOf([&] { instance.call("add", {rows, rows}, {rows}); }),
            "bad_buffer: entry 'add': argument 'x': expected a contiguous buffer, stride 3 in dimension 0, got 4");
  EXPECT_EQ(errorOf([&] { instance.call("add", {rows.packed()}, {}); }),
            "invalid_argument: entry 'add': expected 2 inputs and 1 results, got 1 inputs and 0 results");
  Tensor constant(std::span<const float>(x), {2, 3});
  EXPECT_EQ(errorOf([&] { instance.call("add", {constant, constant}, {constant}); }),
            "bad_buffer: entry 'add': result 'sum': expected memory that may be written, got read-only memory");
  EXPECT_EQ(errorOf([&] { instance.call("sum", {}, {}); }),
            "invalid_argument: entry 'sum': expected an entry of the model 'test'");
  Tensor onGpu(xfrt_buffer{x.data(), XFRT_F32, 0, nullptr, nullptr, XFRT_CUDA}, false, 1);
  EXPECT_EQ(errorOf([&] { instance.call("add", {onGpu, constant}, {Tensor(std::span(sum), {2, 3})}); }),
            "bad_buffer: entry 'add': argument 'x': expected memory of GPU 0, got memory of GPU 1");
}

TEST(Tensors, LeaveParametersToTheInstance) {
  xfrt::Instance instance(testmodel::model);
  std::vector<float> gradient = {2, 4, 6, 8}, doubled(4);
  instance.call("step", {std::span<const float>(gradient)}, {}); // updates the parameter w, zeros, in place
  instance.call("scale", {}, {std::span(doubled)});
  EXPECT_EQ(doubled, (std::vector<float>{-2, -4, -6, -8}));
}

TEST(Tensors, OfDynamicSizesAndIntegers) {
  xfrt::Instance instance(testmodel::model);
  std::vector<float> table = {0, 10, 20, 30, 40};
  std::vector<int32_t> index = {4, 0, 2};
  std::vector<float> gathered(3);
  instance.call("gather", {std::span(table), std::span(index)}, {std::span(gathered)});
  EXPECT_EQ(gathered, (std::vector<float>{40, 0, 20}));
  instance.call("gather", {std::span(table), std::span<int32_t>()}, {std::span<float>()}); // nothing is gathered
  index[1] = 5;
  EXPECT_NE(errorOf([&] { instance.call("gather", {std::span(table), std::span(index)}, {std::span(gathered)}); }), "");
}

} // namespace
