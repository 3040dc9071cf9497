//===- Array.cpp - Arrays in host memory -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xf/array.h"

#include "Checks.h"
#include "Modules/ParameterData.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <ostream>

using namespace xf;
using namespace xf::detail;

/// Returns the number of bytes of all elements of an array. Throws Error for a negative size and for 2^63 bytes or
/// more.
static size_t countBytes(Dtype dtype, const std::vector<int64_t> &shape, Here here) {
  int64_t bytes = size_of(dtype);
  for (int64_t size : shape) {
    expect(size >= 0, here, "expected sizes >= 0 of an array, got ", size);
    expect(!__builtin_mul_overflow(bytes, size, &bytes), here, "expected an array of fewer than 2^63 bytes");
  }
  return bytes;
}

/// Allocates zeroed memory, aligned to 64 bytes for the kernels' vector loads and stores. Throws Error if memory is
/// exhausted.
static std::shared_ptr<std::byte> allocate(size_t bytes, Here here) {
  constexpr std::align_val_t alignment{64};
  auto *memory = static_cast<std::byte *>(::operator new(std::max<size_t>(bytes, 1), alignment, std::nothrow));
  expect(memory, here, "expected memory for an array of ", bytes, " bytes, got none");
  std::memset(memory, 0, bytes);
  return {memory, [](std::byte *pointer) { ::operator delete(pointer, alignment); }};
}

Array::Array(Dtype dtype, std::vector<int64_t> shape, Here here)
    : type(dtype), sizes(std::move(shape)), byteCount(countBytes(dtype, sizes, here)) {
  storage = allocate(byteCount, here);
}

Array::Array(Dtype dtype, std::vector<int64_t> shape, std::shared_ptr<std::byte> memory)
    : type(dtype), sizes(std::move(shape)), storage(std::move(memory)), byteCount(countBytes(dtype, sizes, Here())) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Shape shapeOf(const Array &array) { return Shape(array.shape().begin(), array.shape().end()); }

void Array::expectCount(size_t given, Here here) const {
  expect(static_cast<size_t>(count()) == given, here, "expected ", count(), " numbers for an array of shape ",
         shapeOf(*this), ", got ", given);
}

Array Array::stack(const std::vector<Array> &parts, Here here) {
  expect(!parts.empty(), here, "expected at least one row of an array, got none");
  std::vector<int64_t> shape = parts[0].sizes;
  shape.insert(shape.begin(), static_cast<int64_t>(parts.size()));
  Array array(parts[0].type, std::move(shape), here);
  std::byte *next = array.bytes().data();
  for (const Array &part : parts) {
    expect(part.sizes == parts[0].sizes, here, "expected rows of one shape, got ", shapeOf(parts[0]), " and ",
           shapeOf(part));
    next = std::copy(part.bytes().begin(), part.bytes().end(), next);
  }
  return array;
}

void Array::refuseType(const char *what, size_t size, Here here) const {
  throw Error("expected the C++ type of elements of " + std::string(name(type)) + ", got " + what + " of " +
                  std::to_string(size) + (size == 1 ? " byte" : " bytes"),
              here);
}

size_t Array::offset(std::initializer_list<int64_t> indices, Here here) const {
  expect(indices.size() == sizes.size(), here, "expected ", sizes.size(), " indices for an array of shape ",
         shapeOf(*this), ", got ", indices.size());
  size_t position = 0, axis = 0;
  for (int64_t index : indices) {
    int64_t size = sizes[axis++];
    expect(index >= -size && index < size, here, "expected an index in [", -size, ", ", size, ") in dimension ",
           axis - 1, ", got ", index);
    position = position * size + (index < 0 ? index + size : index);
  }
  return position;
}

double Array::real(Here here) const {
  expect(defined() && count() == 1, here, "expected an array of one element, got ",
         defined() ? to_string(shapeOf(*this)) : "an empty one");
  return load(*this, 0);
}

int64_t Array::integer(Dtype wanted, Here here) const {
  double rounded = real(here); // exact but for i64, which is read as it is
  expect(!is_float(type) && (wanted != boolean || type == boolean), here, "expected elements of ", wanted,
         " or of integers that fit, got ", type);
  int64_t value = type == i64 ? data<int64_t>()[0] : static_cast<int64_t>(rounded);
  expect(wanted != i32 || value == static_cast<int32_t>(value), here, "expected a number of 32 bits, got ", value);
  return value;
}

Array Array::to(Dtype dtype, Here here) const {
  expect(defined() || dtype == type, here, "expected an array with elements, got an empty one");
  expect(dtype == type || is_float(dtype) || (!is_float(type) && dtype != boolean), here,
         "expected a conversion to floats, or of integers, got one from ", type, " to ", dtype);
  if (dtype == i32 && type == i64)
    for (int64_t value : data<int64_t>())
      expect(value == static_cast<int32_t>(value), here, "expected numbers of 32 bits, got ", value);
  return convert(*this, dtype);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Writes an array as nested brackets.
class Writer {
public:
  Writer(std::ostream &stream, const Array &array)
      : stream(stream), array(array), isLong(array.count() > mostWritten) {}

  void write() {
    writeFrom(0, 0);
    if (isLong)
      stream << " " << to_string(shapeOf(array)) << " " << name(array.dtype());
  }

private:
  static constexpr int64_t mostWritten = 1000, keptAtEnds = 3;

  void writeNumber(int64_t position) {
    if (array.dtype() == i64)
      stream << std::to_string(array.data<int64_t>()[position]);
    else if (array.dtype() == i32)
      stream << std::to_string(array.data<int32_t>()[position]);
    else if (array.dtype() == boolean)
      stream << (load(array, position) != 0 ? "true" : "false");
    else if (double value = load(array, position); std::isnan(value))
      stream << "nan"; // without a sign, which some processors set
    else
      stream << text(value);
  }

  /// Writes the subarray that begins at element `position` and has the dimensions from `axis` on.
  void writeFrom(size_t axis, int64_t position) {
    const std::vector<int64_t> &sizes = array.shape();
    if (axis == sizes.size())
      return writeNumber(position);
    int64_t size = sizes[axis], step = 1;
    for (size_t inner = axis + 1; inner < sizes.size(); ++inner)
      step *= sizes[inner];
    bool isInnermost = axis + 1 == sizes.size();
    std::string between = isInnermost ? ", " : ",\n" + std::string(axis + 1, ' ');
    stream << "[";
    for (int64_t n = 0; n < size; ++n) {
      stream << (n > 0 ? between : "");
      if (isLong && n == keptAtEnds && size > 2 * keptAtEnds) {
        stream << ".." << between;
        n = size - keptAtEnds;
      }
      writeFrom(axis + 1, position + n * step);
    }
    stream << "]";
  }

  std::ostream &stream;
  const Array &array;
  bool isLong;
};
} // namespace

std::ostream &xf::operator<<(std::ostream &stream, const Array &array) {
  if (!array.defined())
    return stream << "undefined";
  Writer(stream, array).write();
  return stream;
}
