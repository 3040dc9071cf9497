//===- Tensor.h - Tensors in the tools' memory -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensors that a tool reads from files or the command line and passes to a program. Uses neither exceptions nor
// LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_TENSOR_H
#define XFRT_TOOLS_TENSOR_H

#include "xfrt/xfrt.h"

#include <memory>
#include <stdlib.h>
#include <string>
#include <string_view>
#include <vector>

namespace xfrt::tools {

/// The declaration of an argument or result of a program.
struct TensorSpec {
  static constexpr int64_t dynamic = -1;

  std::string name;
  int32_t dtype = XFRT_F32;
  std::vector<int64_t> shape; ///< `dynamic` for a size that is known only in a call
  bool checked = false;       ///< integers only: elements must lie in [lowest, highest]
  int64_t lowest = 0, highest = 0;
  bool required = true; ///< false: has a default value, so that the command line may omit it

  bool isStatic() const;
  bool accepts(const std::vector<int64_t> &sizes) const;
};

/// A dense row-major tensor that owns its elements, 64-byte aligned. Movable, not copyable.
class Tensor {
public:
  int32_t dtype = XFRT_F32;
  std::vector<int64_t> shape;

  /// Allocates the elements without initialising them. Fails if the size in bytes does not fit into 63 bits, or if the
  /// allocation fails.
  bool allocate(int32_t dtype, std::vector<int64_t> shape, std::string &error);

  int64_t count() const { return elementCount; }
  int64_t bytes() const { return elementCount * int64_t(xfrt_dtype_size(dtype)); }
  char *data() { return storage.get(); }
  const char *data() const { return storage.get(); }
  xfrt_buffer buffer() { return {data(), dtype, int32_t(shape.size()), shape.data(), nullptr, XFRT_CPU}; }

  /// Return the element at a row-major index, converted to double or int64_t. real() is exact except for i64 values
  /// beyond 2^53.
  double real(int64_t index) const;
  int64_t integer(int64_t index) const;

  /// Set the element at a row-major index to a value, rounded to nearest even to the tensor's type. For integer types
  /// the value must be representable.
  void setReal(int64_t index, double value);
  void setInteger(int64_t index, int64_t value);

private:
  struct Free {
    void operator()(char *pointer) const { free(pointer); }
  };
  std::unique_ptr<char, Free> storage;
  int64_t elementCount = 0;
};

bool isFloat(int32_t dtype);

/// Returns a shape as text, such as "2x4x128", or "scalar" for rank 0. A `dynamic` size is "?".
std::string describeShape(const std::vector<int64_t> &shape);

/// Returns the xfrt_dtype whose xfrt_dtype_name is `name`, or -1.
int32_t parseDtype(std::string_view name);

/// Fills a tensor with pseudo-random values. Each depends only on spec.name, `seed` and the index of the element.
/// Floats are standard normal, and booleans are 0 or 1. Integers are uniform in the range [lowest, highest] of `spec`,
/// or in 0..15 if it has none.
void fillRandom(Tensor &tensor, const TensorSpec &spec, uint64_t seed);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_TENSOR_H
