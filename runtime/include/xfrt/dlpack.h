//===- xfrt/dlpack.h - Tensors of other frameworks ----------------*- C -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts between buffers and DLPack (https://dmlc.github.io/dlpack), in which frameworks share tensors without a
// copy.
//
//   xfrt_buffer_from_dlpack((const xfrt_dl_tensor *)&managed->dl_tensor, &arguments[0], NULL);
//
// The structures have the layout of those in dlpack.h (version 1) but other names, so that a program may include both.
// Cast pointers from one to the other.
// Threads: all functions are thread-safe; a tensor's deleter may be called on any thread.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_DLPACK_H
#define XFRT_DLPACK_H

#include "xfrt/xfrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The values of DLDeviceType that the library supports.
typedef enum xfrt_dl_device_type {
  XFRT_DL_CPU = 1,
  XFRT_DL_CUDA = 2,
  XFRT_DL_CUDA_HOST = 3,    ///< pinned memory of the host
  XFRT_DL_CUDA_MANAGED = 13 ///< memory that moves between the host and GPUs
} xfrt_dl_device_type;

/// The values of DLDataTypeCode that the library supports.
typedef enum xfrt_dl_type_code {
  XFRT_DL_INT = 0,
  XFRT_DL_UINT = 1,
  XFRT_DL_FLOAT = 2,
  XFRT_DL_BFLOAT = 4,
  XFRT_DL_BOOL = 6
} xfrt_dl_type_code;

/// The bits of DLManagedTensorVersioned's flags.
typedef enum xfrt_dl_flags {
  XFRT_DL_READ_ONLY = 1, ///< the memory must not be written
  XFRT_DL_COPIED = 2     ///< the memory is a copy, made for the receiver
} xfrt_dl_flags;

/// Layout of DLDevice: a kind of device (xfrt_dl_device_type) and the index of the device among those of its kind.
typedef struct xfrt_dl_device {
  int32_t device_type;
  int32_t device_id;
} xfrt_dl_device;

/// Layout of DLDataType: a type code (xfrt_dl_type_code), the number of bits of one lane, and the number of lanes.
typedef struct xfrt_dl_data_type {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} xfrt_dl_data_type;

/// Layout of DLTensor. Strides are in elements; null strides mean row-major order.
typedef struct xfrt_dl_tensor {
  void *data;
  xfrt_dl_device device;
  int32_t ndim;
  xfrt_dl_data_type dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} xfrt_dl_tensor;

/// Layout of DLManagedTensor, the structure of DLPack before version 1.
typedef struct xfrt_dl_managed_tensor {
  xfrt_dl_tensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct xfrt_dl_managed_tensor *self);
} xfrt_dl_managed_tensor;

/// Layout of DLManagedTensorVersioned, the structure of DLPack since version 1.
typedef struct xfrt_dl_managed_tensor_versioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct xfrt_dl_managed_tensor_versioned *self);
  uint64_t flags; ///< xfrt_dl_flags
  xfrt_dl_tensor dl_tensor;
} xfrt_dl_managed_tensor_versioned;

/// Describes a tensor of another framework as a buffer for xfrt_call. Copies nothing: the buffer points to the shape,
/// strides and data of the tensor, which must outlive the buffer. Sets *device_number (unless the pointer is null) to
/// the index of the tensor's GPU, or to 0 for host memory. Maps 8-bit unsigned integers (kDLUInt) to booleans, because
/// older frameworks export booleans as such. Does not verify that elements are contiguous; xfrt_call does.
/// Before the call, work that the framework has put on its own stream must be complete, or must be on the handle's
/// stream.
/// Errors: XFRT_INVALID_ARGUMENT (a null pointer, a negative rank), XFRT_BAD_BUFFER (a type or a device that xf does
/// not have). The text is in xfrt_message(NULL).
XFRT_API xfrt_status xfrt_buffer_from_dlpack(const xfrt_dl_tensor *tensor, xfrt_buffer *buffer, int32_t *device_number);

/// Creates a DLPack view of a buffer for another framework. The view owns copies of shape and strides. It does not own
/// the data, which must live until the other framework calls the view's deleter. The deleter frees the copies and calls
/// `release` (unless it is null) with `user`, once. `device_number` is the index of the GPU for a buffer in GPU memory.
/// On failure *tensor is null and `release` is not called.
/// Errors: XFRT_INVALID_ARGUMENT, XFRT_BAD_BUFFER (an unknown type or device, no shape), XFRT_OUT_OF_MEMORY. The text
/// is in xfrt_message(NULL).
XFRT_API xfrt_status xfrt_dlpack_from_buffer(const xfrt_buffer *buffer, int32_t device_number,
                                             void (*release)(void *user), void *user,
                                             xfrt_dl_managed_tensor_versioned **tensor);

/// Creates a DLPack view of a buffer as xfrt_dlpack_from_buffer does, in the layout before DLPack version 1, for
/// frameworks that do not support version 1.
XFRT_API xfrt_status xfrt_dlpack_unversioned_from_buffer(const xfrt_buffer *buffer, int32_t device_number,
                                                         void (*release)(void *user), void *user,
                                                         xfrt_dl_managed_tensor **tensor);

#ifdef __cplusplus
} // extern "C"
#endif

#endif // XFRT_DLPACK_H
