//===- Devices.h - The choice of a device -----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_DEVICES_H
#define XFRT_LIB_DEVICES_H

#include "Device.h"

namespace xfrt {

/// Sets `device` to the kind of device that runs a model. Fails with XFRT_BAD_MODEL if xfrt_model::device is not one
/// that runs models.
xfrt_status findDeviceOf(const xfrt_model &model, const Device *&device, Message &message);

/// Verifies the ranges of xfrt_options::device and device_number. Fails with XFRT_INVALID_ARGUMENT.
xfrt_status checkDevice(const xfrt_options &options, Message &message);

/// Chooses the device for a handle, and creates the device's state. Replaces `model` by the model of its list that the
/// device runs (see Device::create). With XFRT_CUDA_OR_CPU, falls back to the CPU after an error of the GPU; then
/// `message` has the reason.
xfrt_status createDevice(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                         const Device *&device, DeviceState *&state, Message &message);

/// Sets `device` to the xfrt_device in whose memory a DLPack device (xfrt_dl_device_type) keeps tensors. Fails with
/// XFRT_BAD_BUFFER for a device that xf does not have.
xfrt_status findDlpackDevice(int32_t deviceType, int32_t &device, Message &message);

/// Returns the xfrt_dl_device_type for memory of an xfrt_device, or 0 for any other number.
int32_t dlpackDeviceOf(int32_t device);

} // namespace xfrt

#endif // XFRT_LIB_DEVICES_H
