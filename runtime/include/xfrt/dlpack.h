//===- xfrt/dlpack.h - Tensors of other frameworks ----------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DLPack (https://dmlc.github.io/dlpack) in and out: views of memory that another framework owns, without a copy.
//
//   xfrt_buffer_from_dlpack((const xfrt_dl_tensor *)&managed->dl_tensor, &arguments[0], NULL);
//
// The structures have the layout of those in dlpack.h (version 1), under names of our own, so that a program may
// include both: cast pointers from one to the other.
// Threads: all functions are thread-safe; a tensor's deleter may be called on any thread.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_DLPACK_H
#define XFRT_DLPACK_H

#include "xfrt/xfrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// DLDeviceType, of which these are known here.
typedef enum xfrt_dl_device_type {
  XFRT_DL_CPU = 1,
  XFRT_DL_CUDA = 2,
  XFRT_DL_CUDA_HOST = 3,    ///< pinned memory of the host
  XFRT_DL_CUDA_MANAGED = 13 ///< memory that moves between the host and GPUs
} xfrt_dl_device_type;

/// DLDataTypeCode, of which these are known here.
typedef enum xfrt_dl_type_code {
  XFRT_DL_INT = 0,
  XFRT_DL_UINT = 1,
  XFRT_DL_FLOAT = 2,
  XFRT_DL_BFLOAT = 4,
  XFRT_DL_BOOL = 6
} xfrt_dl_type_code;

/// DLDevice.
typedef struct xfrt_dl_device {
  int32_t device_type;
  int32_t device_id;
} xfrt_dl_device;

/// DLDataType.
typedef struct xfrt_dl_data_type {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} xfrt_dl_data_type;

/// DLTensor. Strides are in elements; null means row-major.
typedef struct xfrt_dl_tensor {
  void *data;
  xfrt_dl_device device;
  int32_t ndim;
  xfrt_dl_data_type dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} xfrt_dl_tensor;

/// DLManagedTensor, which came before versions.
typedef struct xfrt_dl_managed_tensor {
  xfrt_dl_tensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct xfrt_dl_managed_tensor *self);
} xfrt_dl_managed_tensor;

/// DLManagedTensorVersioned.
typedef struct xfrt_dl_managed_tensor_versioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct xfrt_dl_managed_tensor_versioned *self);
  uint64_t flags;
  xfrt_dl_tensor dl_tensor;
} xfrt_dl_managed_tensor_versioned;

/// Describes a tensor of another framework as a buffer for xfrt_call. Nothing is copied: shape, strides and data stay
/// the tensor's, which must live as long as the buffer is used. *device_number (or null) becomes the number of the GPU,
/// 0 for the host's memory. Bytes without a sign (kDLUInt, 8 bits) are taken for booleans, as which older frameworks
/// export them. The call itself checks that elements are contiguous.
/// Work that the framework has put on a stream of its own must be done, or be on the handle's stream, before the call.
/// Errors: XFRT_INVALID_ARGUMENT (a null pointer, a negative rank), XFRT_BAD_BUFFER (a type or a device that xf does
/// not have). The text is in xfrt_message(NULL).
XFRT_API xfrt_status xfrt_buffer_from_dlpack(const xfrt_dl_tensor *tensor, xfrt_buffer *buffer, int32_t *device_number);

/// Gives another framework a view of a buffer. The tensor has its own shape and strides; its deleter frees them and
/// calls `release` (or null) with `user`, once, when the other framework has done with the data, which must live until
/// then. `device_number` is that of the GPU that a device's buffer belongs to. On failure *tensor is null and `release`
/// is not called.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER (an unknown type, no shape), XFRT_OUT_OF_MEMORY. The text is in
/// xfrt_message(NULL).
XFRT_API xfrt_status xfrt_dlpack_from_buffer(const xfrt_buffer *buffer, int32_t device_number,
                                             void (*release)(void *user), void *user,
                                             xfrt_dl_managed_tensor_versioned **tensor);

/// The same for frameworks that do not know versions yet.
XFRT_API xfrt_status xfrt_dlpack_unversioned_from_buffer(const xfrt_buffer *buffer, int32_t device_number,
                                                         void (*release)(void *user), void *user,
                                                         xfrt_dl_managed_tensor **tensor);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_DLPACK_H
