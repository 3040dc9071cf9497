//===- TensorMap.h - Tensor maps of bulk tensor copies ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The 128 opaque bytes that cuTensorMapEncodeTiled fills are this machine's own. Enumerations have the driver's values.
//
//===----------------------------------------------------------------------===//

#ifndef XF_TEST_PTX_TENSORMAP_H
#define XF_TEST_PTX_TENSORMAP_H

#include <stdint.h>
#include <string>

namespace xf::ptx {

enum class TensorType : uint8_t {
  UInt8 = 0,
  UInt16,
  UInt32,
  Int32,
  UInt64,
  Int64,
  Float16,
  Float32,
  Float64,
  BFloat16,
  Float32Ftz,
  TFloat32,
  TFloat32Ftz
};
enum class Swizzle : uint8_t { None = 0, Bytes32, Bytes64, Bytes128 };

/// A copy of boxes of a tensor of up to five dimensions, the innermost first.
struct TensorMap {
  TensorType type = TensorType::Float32;
  uint32_t rank = 0;
  uint64_t address = 0;
  uint64_t sizes[5] = {};
  uint64_t strides[5] = {}; // bytes; strides[0] is the size of an element
  uint32_t box[5] = {};
  uint32_t elementStrides[5] = {};
  Swizzle swizzle = Swizzle::None;
  bool fillNan = false; // out of bounds: zeros otherwise

  uint32_t elementBytes() const;
  uint32_t boxBytes() const;
};

/// Makes the checks of cuTensorMapEncodeTiled and writes 128 bytes. `strides` are the rank - 1 outer ones, in bytes.
/// Returns 0 (CUDA_SUCCESS) or 1 (CUDA_ERROR_INVALID_VALUE), then with a sentence in `error` where it is not null.
int encodeTiled(int type, uint32_t rank, uint64_t address, const uint64_t *sizes, const uint64_t *strides,
                const uint32_t *box, const uint32_t *elementStrides, int interleave, int swizzle, int l2Promotion,
                int outOfBoundsFill, void *out, std::string *error = nullptr);

/// False when the 128 bytes at `data` were not made by encodeTiled.
bool decodeTiled(const void *data, TensorMap &map);

/// The address that `address` has in a tile with this swizzle: 16-byte units are permuted by bits of the address
/// itself.
uint32_t swizzled(uint32_t address, Swizzle swizzle);

} // namespace xf::ptx

#endif // XF_TEST_PTX_TENSORMAP_H
