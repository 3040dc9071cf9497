//===- Tensor.h - Tensors in the tools' memory -----------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that travel between files, the command line and a program. Used by every tool that runs one; no exceptions, no
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

/// What a program says about an argument or result.
struct TensorSpec {
  static constexpr int64_t dynamic = -1;

  std::string name;
  int32_t dtype = XFRT_F32;
  std::vector<int64_t> shape; ///< `dynamic` where the size is known at call time only
  bool checked = false;       ///< integers: elements must lie in [lowest, highest]
  int64_t lowest = 0, highest = 0;
  bool required = true; ///< false: there is a default, so that the command line may leave it out

  bool isStatic() const;
  bool accepts(const std::vector<int64_t> &sizes) const;
};

/// A dense row-major tensor that owns its elements, 64-byte aligned. Moves, does not copy.
class Tensor {
public:
  int32_t dtype = XFRT_F32;
  std::vector<int64_t> shape;

  /// Elements are not set. False: the size does not fit into 63 bits, or the memory is not there.
  bool allocate(int32_t dtype, std::vector<int64_t> shape, std::string &error);

  int64_t count() const { return elementCount; }
  int64_t bytes() const { return elementCount * int64_t(xfrt_dtype_size(dtype)); }
  char *data() { return storage.get(); }
  const char *data() const { return storage.get(); }
  xfrt_buffer buffer() { return {data(), dtype, int32_t(shape.size()), shape.data(), nullptr, XFRT_CPU}; }

  /// The element at a row-major index: exact for every type but i64 beyond 2^53 in the floating-point form.
  double real(int64_t index) const;
  int64_t integer(int64_t index) const;

  /// Rounds once, to nearest even, to the tensor's type. For integer types `value` must be one that fits.
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

/// "2x4x128", "scalar" for no dimensions, "?" for `dynamic`.
std::string describeShape(const std::vector<int64_t> &shape);

/// The number that xfrt_dtype_name writes, or -1.
int32_t parseDtype(std::string_view name);

/// Independent of everything but its arguments: element `index` of the tensor `name` filled with random(seed).
/// Floating-point types: unit normals. Integers: uniform in [lowest, highest] of the spec, or 0..15 without a range.
/// Booleans: 0 or 1.
void fillRandom(Tensor &tensor, const TensorSpec &spec, uint64_t seed);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_TENSOR_H
