//===- xf/array.h - Arrays in host memory, state dicts -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_ARRAY_H
#define XF_ARRAY_H

#include "xf/shape.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <map>
#include <span>
#include <type_traits>

namespace xf {

/// A C++ number that arrays are made of: float (f32), double (f64), a signed integer of 32 or 64 bits (i32, i64), or
/// bool (boolean).
template <typename T>
concept Element = std::same_as<T, float> || std::same_as<T, double> || std::same_as<T, bool> ||
                  (std::signed_integral<T> && (sizeof(T) == 4 || sizeof(T) == 8));

/// Returns the element type of arrays of T.
template <Element T>
constexpr Dtype dtype_of() {
  if (std::same_as<T, bool>)
    return boolean;
  if (std::floating_point<T>)
    return sizeof(T) == 4 ? f32 : f64;
  return sizeof(T) == 4 ? i32 : i64;
}

namespace detail {
/// Returns true if elements of `dtype` may be read and written as T. T may be the C++ number of `dtype`. If `dtype` is
/// boolean, T may also be std::byte or an unsigned integer of one byte. If `dtype` is f16 or bf16, T may be any type of
/// two bytes, because these types have no C++ number.
template <typename T>
constexpr bool holds(Dtype dtype) {
  if (dtype == f16 || dtype == bf16)
    return sizeof(T) == 2 && std::is_trivially_copyable_v<T>;
  if constexpr (Element<T>)
    return dtype == dtype_of<T>();
  return dtype == boolean && sizeof(T) == 1 && (std::is_unsigned_v<T> || std::same_as<T, std::byte>);
}
} // namespace detail

/// The elements of a tensor in host memory, row-major. Copies share the elements.
///
///   Array rate(3e-4f), ids({{1, 2, 3}, {4, 5, 6}}), pixels(std::vector<float>(3 * 224 * 224), {3, 224, 224});
///   ids.at<int32_t>({1, 2}) = 7;
///   std::cout << ids << rate.item<float>();
class Array {
public:
  Array() = default;
  /// Allocates an array of zeros. Throws Error for a negative size and for 2^63 bytes or more.
  Array(Dtype dtype, std::vector<int64_t> shape, Here here = Here::current());
  /// Makes a view of `memory` and shares its ownership. `memory` must be large enough for all elements.
  Array(Dtype dtype, std::vector<int64_t> shape, std::shared_ptr<std::byte> memory);

  /// Makes an array of shape [] with one number. Its element type follows from T: 3e-4f makes an array of f32.
  template <Element T>
  Array(T value) : Array(std::vector<T>{value}, std::vector<int64_t>{}) {}
  /// Makes an array of one, two or three dimensions. Throws Error unless all rows have the same length.
  template <Element T>
  Array(std::initializer_list<T> row) : Array(std::vector<T>(row)) {}
  template <Element T>
  Array(std::initializer_list<std::initializer_list<T>> rows, Here here = Here::current())
      : Array(stack({rows.begin(), rows.end()}, here)) {}
  template <Element T>
  Array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> matrices, Here here = Here::current())
      : Array(stack({matrices.begin(), matrices.end()}, here)) {}
  /// Makes a copy of a vector, with one dimension.
  template <Element T>
  Array(const std::vector<T> &values) : Array(values, {static_cast<int64_t>(values.size())}) {}
  /// Makes a copy of a vector with another shape, row-major. Throws Error unless the shape has as many elements.
  template <Element T>
  Array(const std::vector<T> &values, std::vector<int64_t> shape, Here here = Here::current())
      : Array(dtype_of<T>(), std::move(shape), here) {
    expectCount(values.size(), here);
    std::copy(values.begin(), values.end(), data<T>(here).begin());
  }

  Dtype dtype() const { return type; }
  const std::vector<int64_t> &shape() const { return sizes; }
  /// Returns the number of elements.
  int64_t count() const { return static_cast<int64_t>(byteCount / size_of(type)); }
  std::span<std::byte> bytes() const { return {storage.get(), byteCount}; }
  /// Returns the elements as a span of T, the C++ number of the element type: float for f32, int32_t for i32, and so
  /// on. For f16 and bf16, T is any type of two bytes, such as uint16_t. Throws Error for another T.
  template <typename T>
  std::span<T> data(Here here = Here::current()) const {
    if (!detail::holds<T>(type))
      refuseType(std::is_floating_point_v<T> ? "floats" : "integers", sizeof(T), here);
    return {reinterpret_cast<T *>(bytes().data()), static_cast<size_t>(count())};
  }
  /// Returns one element, to read or to write. A negative index counts from the end. Throws Error for a T that data
  /// refuses, for another number of indices than dimensions, and for an index out of range.
  template <typename T>
  T &at(std::initializer_list<int64_t> indices, Here here = Here::current()) const {
    return data<T>(here)[offset(indices, here)];
  }
  /// Returns the only element, converted to T. Throws Error unless the array has exactly one element. If T is an
  /// integer, also throws Error for floating-point elements and for a value that does not fit. If T is bool, throws
  /// Error for elements that are not booleans.
  template <Element T>
  T item(Here here = Here::current()) const {
    if constexpr (std::floating_point<T>)
      return static_cast<T>(real(here));
    return static_cast<T>(integer(dtype_of<T>(), here));
  }
  /// Converts the elements to `dtype`. Returns the same array if it already has that type. Floats are rounded to
  /// nearest even. If `dtype` has 16 bits, they are first rounded to f32. Throws Error for a conversion from floats to
  /// integers, for one from another type to booleans, and for an integer that does not fit.
  Array to(Dtype dtype, Here here = Here::current()) const;

  /// Returns false for an array that was made without arguments, and true for all others.
  bool defined() const { return storage != nullptr; }

private:
  static Array stack(const std::vector<Array> &parts, Here here);
  void expectCount(size_t given, Here here) const;
  [[noreturn]] void refuseType(const char *what, size_t size, Here here) const;
  size_t offset(std::initializer_list<int64_t> indices, Here here) const;
  double real(Here here) const;
  int64_t integer(Dtype wanted, Here here) const;

  Dtype type = f32;
  std::vector<int64_t> sizes;
  std::shared_ptr<std::byte> storage;
  size_t byteCount = 0;
};

/// Writes the elements of an array as text: nested brackets, numbers with six digits. Abbreviates an array of more than
/// 1000 elements, and appends its shape and element type.
std::ostream &operator<<(std::ostream &stream, const Array &array);

/// Parameters and optimiser state, keyed by name in the state dict, such as "blocks.0.attention.q_proj.weight".
using StateDict = std::map<std::string, Array>;

} // namespace xf

#endif // XF_ARRAY_H
