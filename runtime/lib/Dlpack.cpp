//===- Dlpack.cpp - Tensors of other frameworks ---------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "xfrt/dlpack.h"
#include "Devices.h"

#include <algorithm>
#include <stdlib.h>

using namespace xfrt;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct TypePair {
  xfrt_dl_data_type type;
  xfrt_dtype dtype;
};
} // namespace

/// Pairs of a DLPack type and the corresponding xfrt_dtype. If two pairs have the same xfrt_dtype, buffers are exported
/// with the DLPack type of the first one.
static const TypePair typePairs[] = {
    {{XFRT_DL_FLOAT, 32, 1}, XFRT_F32},   {{XFRT_DL_FLOAT, 64, 1}, XFRT_F64}, {{XFRT_DL_FLOAT, 16, 1}, XFRT_F16},
    {{XFRT_DL_BFLOAT, 16, 1}, XFRT_BF16}, {{XFRT_DL_INT, 32, 1}, XFRT_I32},   {{XFRT_DL_INT, 64, 1}, XFRT_I64},
    {{XFRT_DL_BOOL, 8, 1}, XFRT_BOOL},    {{XFRT_DL_UINT, 8, 1}, XFRT_BOOL},
};

static const TypePair *findType(xfrt_dl_data_type type) {
  for (const TypePair &pair : typePairs)
    if (pair.type.code == type.code && pair.type.bits == type.bits && pair.type.lanes == type.lanes)
      return &pair;
  return nullptr;
}

static const TypePair *findType(int32_t dtype) {
  for (const TypePair &pair : typePairs)
    if (pair.dtype == dtype)
      return &pair;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// In
//===----------------------------------------------------------------------===//

static constexpr int32_t maxDlpackRank = 64; // as in numpy and PyTorch; a larger number is damage

xfrt_status xfrt_buffer_from_dlpack(const xfrt_dl_tensor *tensor, xfrt_buffer *buffer, int32_t *deviceNumber) {
  Message &message = threadMessage();
  if (!tensor || !buffer || tensor->ndim < 0 || (tensor->ndim > 0 && !tensor->shape))
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a tensor with a shape, and a buffer");
  if (tensor->ndim > maxDlpackRank)
    return message.fail(XFRT_BAD_BUFFER, "expected a tensor of at most %d dimensions, got %d", maxDlpackRank,
                        tensor->ndim);
  const TypePair *type = findType(tensor->dtype);
  if (!type)
    return message.fail(XFRT_BAD_BUFFER,
                        "expected a DLPack type of f32, f64, f16, bf16, i32, i64 or bool, got code %d with %d bits and "
                        "%d lanes",
                        tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes);
  int32_t device = hostMemory;
  if (xfrt_status status = findDlpackDevice(tensor->device.device_type, device, message))
    return status;
  char *data = tensor->data ? static_cast<char *>(tensor->data) + tensor->byte_offset : nullptr;
  *buffer = {data, type->dtype, tensor->ndim, tensor->shape, tensor->strides, device};
  if (deviceNumber)
    *deviceNumber = device == hostMemory ? 0 : tensor->device.device_id;
  return XFRT_OK;
}

//===----------------------------------------------------------------------===//
// Out
//===----------------------------------------------------------------------===//

namespace {
/// A managed tensor together with what its deleter needs. The arrays of shape and strides follow it in the same
/// allocation.
template <typename Managed>
struct Exported {
  Managed managed;
  void (*release)(void *user);
  void *user;

  static void destroy(Managed *managed) {
    auto *self = static_cast<Exported *>(managed->manager_ctx);
    if (self->release)
      self->release(self->user);
    free(self);
  }
};
} // namespace

/// Writes the shape and the strides of a buffer to arrays of `rank` elements. If the buffer has no strides, writes
/// those of row-major order.
static void fillSizes(const xfrt_buffer &buffer, int64_t *shape, int64_t *strides) {
  std::copy(buffer.shape, buffer.shape + buffer.rank, shape);
  int64_t stride = 1;
  for (int32_t i = buffer.rank - 1; i >= 0; --i) {
    strides[i] = buffer.strides ? buffer.strides[i] : stride;
    stride = int64_t(uint64_t(stride) *
                     uint64_t(std::max<int64_t>(shape[i], 1))); // may wrap: no tensor in memory is so large
  }
}

template <typename Managed>
static xfrt_status exportBuffer(const xfrt_buffer *buffer, int32_t deviceNumber, void (*release)(void *), void *user,
                                Managed **result) {
  Message &message = threadMessage();
  if (result)
    *result = nullptr;
  if (!buffer || !result || buffer->rank < 0 || deviceNumber < 0)
    return message.fail(XFRT_INVALID_ARGUMENT,
                        "expected a buffer, the number of its device and a place for the tensor");
  const TypePair *type = findType(buffer->dtype);
  const int32_t deviceType = dlpackDeviceOf(buffer->device);
  if (!type || (buffer->rank > 0 && !buffer->shape) || !deviceType)
    return message.fail(XFRT_BAD_BUFFER, "expected a buffer with a type, a shape and a device, got %s on device %d",
                        xfrt_dtype_name(buffer->dtype), buffer->device);
  size_t bytes = sizeof(Exported<Managed>) + 2 * size_t(buffer->rank) * sizeof(int64_t);
  auto *exported = static_cast<Exported<Managed> *>(calloc(1, bytes));
  if (!exported)
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate a tensor of %zu bytes", bytes);
  auto *shape = reinterpret_cast<int64_t *>(exported + 1);
  fillSizes(*buffer, shape, shape + buffer->rank);
  xfrt_dl_device device = {deviceType, buffer->device == hostMemory ? 0 : deviceNumber};
  exported->managed.dl_tensor = {buffer->data, device, buffer->rank, type->type, shape, shape + buffer->rank, 0};
  exported->managed.manager_ctx = exported;
  exported->managed.deleter = Exported<Managed>::destroy;
  exported->release = release;
  exported->user = user;
  *result = &exported->managed;
  return XFRT_OK;
}

xfrt_status xfrt_dlpack_from_buffer(const xfrt_buffer *buffer, int32_t deviceNumber, void (*release)(void *),
                                    void *user, xfrt_dl_managed_tensor_versioned **tensor) {
  xfrt_status status = exportBuffer(buffer, deviceNumber, release, user, tensor);
  if (!status)
    (*tensor)->major = 1;
  return status;
}

xfrt_status xfrt_dlpack_unversioned_from_buffer(const xfrt_buffer *buffer, int32_t deviceNumber,
                                                void (*release)(void *), void *user, xfrt_dl_managed_tensor **tensor) {
  return exportBuffer(buffer, deviceNumber, release, user, tensor);
}
