//===- xfrt/tensor_inline.hpp - Functions of xfrt/tensor.hpp -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TENSOR_INLINE_HPP
#define XFRT_TENSOR_INLINE_HPP

#include "xfrt/tensor.hpp"

#include <cstdlib>

namespace xfrt {

//===----------------------------------------------------------------------===//
// Sizes and strides
//===----------------------------------------------------------------------===//

/// Returns numbers as text, such as [2, 3].
inline std::string Tensor::list(const Sizes &values) {
  std::string text = "[";
  for (size_t d = 0; d < values.size(); ++d)
    text += (d ? ", " : "") + std::to_string(values[d]);
  return text + "]";
}

/// Returns the strides of row-major order.
inline Tensor::Sizes Tensor::packedStrides(const Sizes &shape) {
  Sizes strides(shape.size());
  uint64_t stride = 1; // wraps where a shape is too large, which verifyReach refuses
  for (size_t d = shape.size(); d-- > 0;) {
    strides[d] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(std::max<int64_t>(shape[d], 1));
  }
  return strides;
}

/// Describes memory of the host as a buffer, which points to the shape and the strides.
inline xfrt_buffer Tensor::bufferOf(const void *data, int32_t dtype, const Sizes &shape, const Sizes &strides) {
  if (!strides.empty() && strides.size() != shape.size())
    refuse(std::to_string(shape.size()) + " strides for shape " + list(shape), list(strides));
  return {const_cast<void *>(data),
          dtype,
          static_cast<int32_t>(shape.size()),
          shape.data(),
          strides.empty() ? nullptr : strides.data(),
          XFRT_CPU};
}

/// Returns the product of the sizes, which verifyReach has bounded.
inline int64_t Tensor::count() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// Returns type, shape and strides as text for messages.
inline std::string Tensor::text() const {
  std::string text = xfrt_dtype_name(type) + list(sizes);
  return isPacked() ? text : text + " with strides " + list(steps);
}

/// Returns the bounds of the bytes of all elements, whatever the strides.
inline std::pair<uintptr_t, uintptr_t> Tensor::bytes() const {
  const int64_t width = static_cast<int64_t>(xfrt_dtype_size(type));
  int64_t low = 0, high = count() ? width : 0;
  for (size_t d = 0; d < sizes.size() && count(); ++d)
    (steps[d] < 0 ? low : high) += (sizes[d] - 1) * steps[d] * width;
  const uintptr_t first = reinterpret_cast<uintptr_t>(address);
  return {first + static_cast<uintptr_t>(low), first + static_cast<uintptr_t>(high)};
}

/// Returns whether no two indices share an element. Sorts dimensions by the length of their strides. Each stride must
/// exceed the largest distance between elements that differ only in the dimensions before it.
inline bool Tensor::hasDistinctElements() const {
  std::vector<std::pair<int64_t, int64_t>> order; // distance, size
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] > 1)
      order.emplace_back(std::abs(steps[d]), sizes[d]);
  std::sort(order.begin(), order.end());
  int64_t reach = 1;
  for (auto [distance, size] : order) {
    if (distance < reach)
      return count() == 0;
    reach += distance * (size - 1);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Copies the shape and the strides of a buffer, and verifies them.
inline Tensor::Tensor(const xfrt_buffer &buffer, bool isReadOnly, int32_t deviceNumber,
                      std::shared_ptr<const void> newOwner)
    : address(buffer.data), type(buffer.dtype), memory(buffer.device), number(deviceNumber), readOnly(isReadOnly),
      owner(std::move(newOwner)) {
  if (!xfrt_dtype_size(type))
    refuse("an xfrt_dtype", std::to_string(type));
  if (buffer.rank < 0 || (buffer.rank > 0 && !buffer.shape))
    refuse("a shape", buffer.rank < 0 ? "rank " + std::to_string(buffer.rank) : "a null pointer");
  if (buffer.rank > 0)
    sizes.assign(buffer.shape, buffer.shape + buffer.rank);
  steps = packedStrides(sizes);
  if (buffer.strides)
    for (size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] > 1)
        steps[d] = buffer.strides[d];
  verify();
}

/// Verifies that the sizes, the strides and the address describe possible memory.
inline void Tensor::verify() {
  bool isEmpty = false;
  for (int64_t size : sizes) {
    if (size < 0)
      refuse("sizes of at least 0", list(sizes));
    isEmpty |= size == 0;
  }
  if (isEmpty) {
    steps = packedStrides(sizes); // no element depends on them
    return;
  }
  verifyReach();
  const size_t width = xfrt_dtype_size(type);
  if (!address)
    refuse("memory for " + text(), "a null pointer");
  if (reinterpret_cast<uintptr_t>(address) % width != 0)
    refuse("data aligned to " + std::to_string(width) + " bytes",
           "an address that is " + std::to_string(reinterpret_cast<uintptr_t>(address) % width) + " bytes behind one");
}

/// Verifies that the number of elements, and the distances between them in bytes, do not exceed possible sizes of
/// memory.
inline void Tensor::verifyReach() {
  // No stride or size that passes makes a sum of two overflow.
  const uint64_t limit = (uint64_t(1) << 62) / xfrt_dtype_size(type);
  uint64_t elements = 1, reach = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const uint64_t size = static_cast<uint64_t>(sizes[d]);
    const uint64_t stride = steps[d] < 0 ? 0 - static_cast<uint64_t>(steps[d]) : static_cast<uint64_t>(steps[d]);
    const bool isLarge = size > limit / elements || (size > 1 && stride > (limit - reach) / (size - 1));
    if (isLarge)
      refuse("fewer than 2^62 bytes", "shape " + list(sizes) + " with strides " + list(steps));
    elements *= size;
    reach += stride * (size - 1);
  }
}

/// Fails for memory of a GPU.
inline void Tensor::requireHost() const {
  if (memory != XFRT_CPU)
    refuse("the host's memory", "memory of GPU " + std::to_string(number));
}

/// Returns the elements as `T`. Verifies the type, that the memory is the host's, and that it is writable unless `T` is
/// const.
template <typename T>
T *Tensor::elementsAs() const {
  static_assert(dtypeOf<T>() >= 0, "expected an element type of xf: float, double, int32_t, int64_t, bool, F16Bits ..");
  requireHost();
  if (type != dtypeOf<T>())
    refuse(xfrt_dtype_name(dtypeOf<T>()), text());
  if (readOnly && !std::is_const_v<T>)
    refuse("memory that may be written", "read-only memory; ask for const elements");
  return static_cast<T *>(address);
}

/// Returns a view of the elements by their indices.
template <typename T, size_t Rank>
StridedSpan<T, Rank> Tensor::view() const {
  T *elements = elementsAs<T>();
  if (sizes.size() != Rank)
    refuse("rank " + std::to_string(Rank), text());
  std::array<int64_t, Rank> shape{}, strides{};
  std::copy(sizes.begin(), sizes.end(), shape.begin());
  std::copy(steps.begin(), steps.end(), strides.begin());
  return {elements, shape, strides};
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Allocates memory, which the tensor and its copies own.
inline Tensor Tensor::allocate(int32_t dtype, Sizes shape) {
  alignas(64) static char none[64];
  Tensor tensor(xfrt_buffer{none, dtype, static_cast<int32_t>(shape.size()), shape.data(), nullptr, XFRT_CPU});
  const size_t bytes = static_cast<size_t>(tensor.count()) * xfrt_dtype_size(dtype);
  void *memory = bytes ? std::aligned_alloc(64, (bytes + 63) / 64 * 64) : nullptr;
  if (bytes && !memory)
    fail(XFRT_OUT_OF_MEMORY, ("cannot allocate " + std::to_string(bytes) + " bytes").c_str());
  tensor.address = memory;
  tensor.owner = std::shared_ptr<const void>(memory, [](const void *own) { std::free(const_cast<void *>(own)); });
  return tensor;
}

/// Copies the elements to contiguous memory, unless they are contiguous.
inline Tensor Tensor::packed() const {
  if (isPacked())
    return *this;
  Tensor copy = allocate(type, sizes);
  copyTo(copy);
  return copy;
}

/// Copies element by element.
inline void Tensor::copyTo(const Tensor &to) const {
  requireHost();
  to.requireHost();
  if (type != to.type || sizes != to.sizes)
    refuse(xfrt_dtype_name(type) + list(sizes), to.text());
  if (to.readOnly)
    refuse("memory that may be written", "read-only memory");
  if (!to.hasDistinctElements())
    refuse("a copy whose elements do not overlap", to.text());
  const auto [from, fromEnd] = bytes();
  const auto [other, otherEnd] = to.bytes();
  if (from < otherEnd && other < fromEnd)
    refuse("memory that does not overlap",
           std::to_string(std::min(fromEnd, otherEnd) - std::max(from, other)) + " bytes that both tensors reach");
  const int64_t width = static_cast<int64_t>(xfrt_dtype_size(type));
  int64_t source = 0, target = 0;
  Sizes index(sizes.size(), 0);
  for (int64_t left = count(); left > 0; --left) {
    std::memcpy(static_cast<char *>(to.address) + target * width, static_cast<char *>(address) + source * width,
                static_cast<size_t>(width));
    for (size_t d = sizes.size(); d-- > 0;) { // the next index, the last dimension first
      source += steps[d], target += to.steps[d];
      if (++index[d] < sizes[d])
        break;
      source -= steps[d] * sizes[d], target -= to.steps[d] * sizes[d];
      index[d] = 0;
    }
  }
}

//===----------------------------------------------------------------------===//
// DLPack
//===----------------------------------------------------------------------===//

/// Makes a tensor that owns `managed`, from the structure before or since DLPack 1.
template <typename Managed>
Tensor Tensor::adopt(Managed *managed, bool isReadOnly) {
  struct Owned {
    Managed *managed = nullptr;
    ~Owned() {
      if (managed && managed->deleter)
        managed->deleter(managed);
    }
  };
  if (!managed)
    refuse("a DLPack tensor", "a null pointer");
  const uint64_t offset = managed->dl_tensor.byte_offset;
  if (offset > UINTPTR_MAX - reinterpret_cast<uintptr_t>(managed->dl_tensor.data))
    refuse("a byte_offset within memory", std::to_string(offset));
  xfrt_buffer buffer;
  int32_t number = 0;
  if (xfrt_status status = xfrt_buffer_from_dlpack(&managed->dl_tensor, &buffer, &number))
    fail(status, xfrt_message(nullptr));
  auto owned = std::make_shared<Owned>();
  Tensor tensor(buffer, isReadOnly, number, owned);
  owned->managed = managed; // from here on, nothing fails
  return tensor;
}

/// Verifies the version before any other field is read.
inline Tensor Tensor::fromDlpack(xfrt_dl_managed_tensor_versioned *managed) {
  if (managed && managed->major != 1) // no other field but the deleter has a place that one can rely on
    refuse("DLPack 1", std::to_string(managed->major) + "." + std::to_string(managed->minor));
  return adopt(managed, managed && (managed->flags & XFRT_DL_READ_ONLY));
}

/// Makes a description for another framework. It owns a copy of this tensor, which its deleter deletes.
template <typename Managed, typename Function>
Managed *Tensor::exportBy(Function function) const {
  auto kept = std::make_unique<Tensor>(*this);
  xfrt_buffer buffer = kept->buffer();
  Managed *managed = nullptr;
  auto release = [](void *user) { delete static_cast<Tensor *>(user); };
  if (xfrt_status status = function(&buffer, number, release, kept.get(), &managed))
    fail(status, xfrt_message(nullptr));
  kept.release(); // the deleter's from here on
  return managed;
}

/// Returns the description of the tensor in the structure of DLPack 1, and marks a read-only tensor as such.
inline xfrt_dl_managed_tensor_versioned *Tensor::toDlpack() const {
  auto *managed = exportBy<xfrt_dl_managed_tensor_versioned>(xfrt_dlpack_from_buffer);
  managed->flags = readOnly ? XFRT_DL_READ_ONLY : 0;
  return managed;
}

/// Returns the description of the tensor in the structure before DLPack 1.
inline xfrt_dl_managed_tensor *Tensor::toUnversionedDlpack() const {
  if (readOnly)
    refuse("memory that may be written, as every tensor before DLPack 1", "read-only memory");
  return exportBy<xfrt_dl_managed_tensor>(xfrt_dlpack_unversioned_from_buffer);
}

} // namespace xfrt

#endif // XFRT_TENSOR_INLINE_HPP
