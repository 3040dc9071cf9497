//===- xfrt/tensor.hpp - Tensors of C++ and of other frameworks --*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors as views of memory that something else owns. A tensor can be made from, and turned into, a pointer with a
// shape, std::span, std::mdspan, another type with the interface of std::mdspan (C++20), and DLPack. None of this
// copies elements.
//
//   std::vector<float> x(6), y(6);
//   model.call("scale", {xfrt::Tensor(std::span<const float>(x), {2, 3})}, {xfrt::Tensor(std::span(y), {2, 3})});
//
// A tensor may have any strides, negative ones and zeros too. xfrt_call takes only packed tensors, which packed()
// makes.
// Errors: xfrt::Error, whose text says what was expected and what was got; see xfrt/error.hpp.
// Ownership: a tensor made from a pointer or a view owns nothing, and must not outlive the memory. A tensor made by
// fromDlpack or allocate shares its memory with its copies, and the last of them releases it.
// Threads: as for std::shared_ptr; a tensor may be read by any number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TENSOR_HPP
#define XFRT_TENSOR_HPP

#include "xfrt/dlpack.h"
#include "xfrt/error.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#if __cplusplus >= 202002L
#include <concepts>
#include <span>
#include <version>
#endif
#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif
#if defined(__STDCPP_FLOAT16_T__) || defined(__STDCPP_BFLOAT16_T__)
#include <stdfloat>
#endif

namespace xfrt {

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

/// The bits of an f16. Compilers with std::float16_t (C++23) can use that instead.
struct F16Bits {
  uint16_t bits;
};

/// The bits of a bf16. Compilers with std::bfloat16_t (C++23) can use that instead.
struct BF16Bits {
  uint16_t bits;
};

/// Returns the xfrt_dtype of a C++ type, `const` or not. Returns -1 if xf does not have the type.
template <typename Element>
constexpr int32_t dtypeOf() {
  using T = std::remove_cv_t<Element>;
  if (std::is_same_v<T, float>)
    return XFRT_F32;
  if (std::is_same_v<T, double>)
    return XFRT_F64;
  if (std::is_same_v<T, F16Bits>)
    return XFRT_F16;
  if (std::is_same_v<T, BF16Bits>)
    return XFRT_BF16;
#if defined(__STDCPP_FLOAT16_T__)
  if (std::is_same_v<T, std::float16_t>)
    return XFRT_F16;
#endif
#if defined(__STDCPP_BFLOAT16_T__)
  if (std::is_same_v<T, std::bfloat16_t>)
    return XFRT_BF16;
#endif
  if (std::is_same_v<T, bool>)
    return XFRT_BOOL;
  if (std::is_same_v<T, int> || std::is_same_v<T, long> || std::is_same_v<T, long long>)
    return sizeof(T) == 4 ? XFRT_I32 : XFRT_I64;
  return -1;
}

//===----------------------------------------------------------------------===//
// Strided views
//===----------------------------------------------------------------------===//

/// A view of elements in `Rank` dimensions at any strides, in host memory. Replaces std::mdspan in standard libraries
/// that lack it. Owns nothing. Does not check indices.
template <typename T, size_t Rank>
class StridedSpan {
public:
  using element_type = T;
  using reference = T &;

  StridedSpan(T *data, const std::array<int64_t, Rank> &sizes, const std::array<int64_t, Rank> &strides)
      : data(data), sizes(sizes), strides(strides) {}

  static constexpr size_t rank() { return Rank; }
  int64_t extent(size_t dimension) const { return sizes[dimension]; }
  int64_t stride(size_t dimension) const { return strides[dimension]; }
  T *data_handle() const { return data; }

  template <typename... Indices>
  T &operator()(Indices... indices) const {
    static_assert(sizeof...(Indices) == Rank, "expected one index for each dimension");
    const std::array<int64_t, Rank> index = {static_cast<int64_t>(indices)...};
    int64_t offset = 0;
    for (size_t d = 0; d < Rank; ++d)
      offset += index[d] * strides[d];
    return data[offset];
  }

private:
  T *data;
  std::array<int64_t, Rank> sizes, strides;
};

#if __cplusplus >= 202002L
/// A type with the interface of std::mdspan whose elements lie at its strides. Such types are StridedSpan, the mdspan
/// of Kokkos, and std::mdspan with an accessor that does not change elements.
template <typename View>
concept StridedView = requires(const View &view, size_t dimension) {
  typename View::element_type;
  requires std::same_as<typename View::reference, typename View::element_type &>;
  { view.data_handle() } -> std::convertible_to<typename View::element_type *>;
  { view.extent(dimension) } -> std::convertible_to<int64_t>;
  { view.stride(dimension) } -> std::convertible_to<int64_t>;
  { View::rank() } -> std::convertible_to<size_t>;
};
#endif

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// A view of a tensor: memory, type, shape, strides, device, and whether it may be written. May own the memory.
class Tensor {
public:
  using Sizes = std::vector<int64_t>;

  /// Describes elements at `data`. If T is `const`, the tensor is read-only. Without `strides`, elements are in
  /// row-major order. The tensor and its copies keep `owner`, if not null.
  template <typename T, typename = std::enable_if_t<dtypeOf<T>() >= 0>>
  Tensor(T *data, Sizes shape, Sizes strides = {}, std::shared_ptr<const void> owner = nullptr)
      : Tensor(bufferOf(data, dtypeOf<T>(), shape, strides), std::is_const_v<T>, 0, std::move(owner)) {}

  /// Describes a buffer. Copies its shape and strides. `deviceNumber` is the number of its GPU.
  explicit Tensor(const xfrt_buffer &buffer, bool isReadOnly = false, int32_t deviceNumber = 0,
                  std::shared_ptr<const void> owner = nullptr);

#if __cplusplus >= 202002L
  /// Describes the elements of a span in row-major order. Without a shape, there is one dimension.
  template <typename T, size_t N>
    requires(dtypeOf<T>() >= 0)
  Tensor(std::span<T, N> values) : Tensor(values.data(), {static_cast<int64_t>(values.size())}) {}
  template <typename T, size_t N>
    requires(dtypeOf<T>() >= 0)
  Tensor(std::span<T, N> values, Sizes shape) : Tensor(values.data(), std::move(shape)) {
    if (count() != static_cast<int64_t>(values.size()))
      refuse(std::to_string(count()) + " elements of " + text(), std::to_string(values.size()));
  }

  /// Describes the elements of a view with strides, such as a std::mdspan of any strided layout.
  template <StridedView View>
    requires(dtypeOf<typename View::element_type>() >= 0)
  Tensor(const View &view) : Tensor(view.data_handle(), sizesOf(view), stridesOf(view)) {}
#endif

  /// Allocates a tensor in host memory, aligned to 64 bytes. Its values are undefined. Fails if a size is negative or
  /// too large.
  static Tensor allocate(int32_t dtype, Sizes shape);

  int32_t dtype() const { return type; }
  int32_t rank() const { return static_cast<int32_t>(sizes.size()); }
  const Sizes &shape() const { return sizes; }
  const Sizes &strides() const { return steps; } ///< in elements; a dimension of size 0 or 1 has the packed stride
  int32_t device() const { return memory; }      ///< XFRT_CPU or XFRT_CUDA
  int32_t deviceNumber() const { return number; }
  bool isReadOnly() const { return readOnly; }
  void *data() const { return address; }

  /// Returns the number of elements.
  int64_t count() const;

  /// Returns whether elements are contiguous in row-major order, as xfrt_call requires.
  bool isPacked() const { return steps == packedStrides(sizes); }

  /// Returns a description of the tensor, such as f32[2, 3]. If the tensor is not packed, the description includes the
  /// strides.
  std::string text() const;

  /// Returns the tensor as a buffer for xfrt_call. The buffer is valid as long as this object, which must not be a
  /// temporary.
  xfrt_buffer buffer() const & {
    return {address, type, rank(), sizes.data(), isPacked() ? nullptr : steps.data(), memory};
  }
  xfrt_buffer buffer() const && = delete;

  /// Returns the elements as a view of `Rank` dimensions. `T` must be the tensor's type, and `const` if the tensor is
  /// read-only.
  template <typename T, size_t Rank>
  StridedSpan<T, Rank> view() const;

#if __cplusplus >= 202002L
  /// Returns the elements in row-major order. The tensor must be packed.
  template <typename T>
  std::span<T> span() const {
    T *elements = elementsAs<T>();
    if (!isPacked())
      refuse("a packed tensor", text());
    return {elements, static_cast<size_t>(count())};
  }
#endif
#if defined(__cpp_lib_mdspan)
  /// Returns the elements as std::mdspan. Strides must be positive, and elements must not overlap.
  template <typename T, size_t Rank>
  std::mdspan<T, std::dextents<int64_t, Rank>, std::layout_stride> mdspan() const {
    StridedSpan<T, Rank> found = view<T, Rank>();
    if (!hasDistinctElements() || std::any_of(steps.begin(), steps.end(), [](int64_t step) { return step <= 0; }))
      refuse("positive strides of elements that do not overlap", text());
    std::array<int64_t, Rank> extents{}, distances{};
    std::copy(sizes.begin(), sizes.end(), extents.begin());
    std::copy(steps.begin(), steps.end(), distances.begin());
    return {found.data_handle(), {std::dextents<int64_t, Rank>(extents), distances}};
  }
#endif

  /// Returns this tensor if it is packed, else a packed copy that owns its memory. The tensor must be in host memory.
  Tensor packed() const;

  /// Copies all elements to `to`, a tensor of the same type and shape, at any strides. The memory of `to` must be
  /// writable and must not overlap that of this tensor. Bytes between elements are neither read nor written. Both
  /// tensors must be in host memory.
  void copyTo(const Tensor &to) const;

  /// Takes over a tensor of another framework, in the structure before DLPack 1 or since. On success the tensor and its
  /// copies own `managed`. The last of them calls the deleter of `managed` (unless it is null), on the thread on which
  /// that copy is destroyed. On failure the caller still owns `managed`. A tensor from before DLPack 1 is writable.
  static Tensor fromDlpack(xfrt_dl_managed_tensor *managed) { return adopt(managed, false); }
  static Tensor fromDlpack(xfrt_dl_managed_tensor_versioned *managed);

  /// Describes the tensor for another framework, which calls the deleter when it has finished. Until then, memory that
  /// the tensor owns is kept by the description, and memory that it does not own must be kept by the caller.
  /// toUnversionedDlpack returns the structure before DLPack 1, which cannot express read-only memory, and fails for a
  /// read-only tensor.
  xfrt_dl_managed_tensor_versioned *toDlpack() const;
  xfrt_dl_managed_tensor *toUnversionedDlpack() const;

private:
  [[noreturn]] static void refuse(const std::string &expected, const std::string &got) {
    fail(XFRT_BAD_BUFFER, ("expected " + expected + ", got " + got).c_str());
  }
  static std::string list(const Sizes &values);
  static Sizes packedStrides(const Sizes &shape);
  static xfrt_buffer bufferOf(const void *data, int32_t dtype, const Sizes &shape, const Sizes &strides);
  template <typename Managed>
  static Tensor adopt(Managed *managed, bool isReadOnly);
  template <typename Managed, typename Function>
  Managed *exportBy(Function function) const;

#if __cplusplus >= 202002L
  template <typename View>
  static Sizes sizesOf(const View &view) {
    Sizes result;
    for (size_t d = 0; d < View::rank(); ++d)
      result.push_back(static_cast<int64_t>(view.extent(d)));
    return result;
  }
  template <typename View>
  static Sizes stridesOf(const View &view) {
    if constexpr (requires { view.is_strided(); })
      if (!view.is_strided())
        refuse("a view with strides", "a layout that has none");
    Sizes result;
    for (size_t d = 0; d < View::rank(); ++d)
      result.push_back(static_cast<int64_t>(view.stride(d)));
    return result;
  }
#endif

  void verify();
  void verifyReach();
  bool hasDistinctElements() const;
  void requireHost() const;
  template <typename T>
  T *elementsAs() const;
  /// Returns the addresses of the first byte of all elements and of the byte behind the last one.
  std::pair<uintptr_t, uintptr_t> bytes() const;

  void *address;
  int32_t type, memory, number;
  bool readOnly;
  Sizes sizes, steps;
  std::shared_ptr<const void> owner;
};

} // namespace xfrt

#include "xfrt/tensor_inline.hpp"

#endif // XFRT_TENSOR_HPP
