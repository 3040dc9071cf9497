//===- Devices.cpp - The choice of a device -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists the devices. No other file names them. A new device needs a folder like cpu/, a row here and a number in
// xfrt_device.
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "cpu/Device.h"
#include "cuda/Device.h"
#include "xfrt/dlpack.h"

using namespace xfrt;

static const Device *findDevice(int32_t number) {
  switch (number) {
  case XFRT_CPU:
    return &cpu::implementation;
  case XFRT_CUDA:
    return &cuda::implementation;
  default:
    return nullptr;
  }
}

xfrt_status xfrt::findDeviceOf(const xfrt_model &model, const Device *&device, Message &message) {
  device = findDevice(model.device);
  return device ? XFRT_OK
                : message.fail(XFRT_BAD_MODEL, "expected a model for the CPU or CUDA, got device %d", model.device);
}

xfrt_status xfrt::checkDevice(const xfrt_options &options, Message &message) {
  if (options.device < XFRT_CPU || options.device > XFRT_CUDA_OR_CPU || options.device_number < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected a device between 0 and 2 and its number, got %d and %d",
                        options.device, options.device_number);
  return XFRT_OK;
}

xfrt_status xfrt::createDevice(const xfrt_options &options, const Allocator &allocator, const xfrt_model *&model,
                               const Device *&device, DeviceState *&state, Message &message) {
  device = findDevice(options.device == XFRT_CUDA_OR_CPU ? XFRT_CUDA : options.device);
  xfrt_status status = device->create(options, allocator, model, state, message);
  bool isOfDevice = status >= XFRT_NO_DRIVER && status <= XFRT_DEVICE_ERROR;
  if (options.device != XFRT_CUDA_OR_CPU || !isOfDevice)
    return status;
  device = findDevice(XFRT_CPU);
  return device->create(options, allocator, model, state, message);
}

xfrt_status xfrt::findDlpackDevice(int32_t deviceType, int32_t &device, Message &message) {
  switch (deviceType) {
  case XFRT_DL_CPU:
  case XFRT_DL_CUDA_HOST:
    device = XFRT_CPU;
    return XFRT_OK;
  case XFRT_DL_CUDA:
  case XFRT_DL_CUDA_MANAGED:
    device = XFRT_CUDA;
    return XFRT_OK;
  default:
    return message.fail(XFRT_BAD_BUFFER, "expected a DLPack tensor in the memory of the host or of CUDA, got device %d",
                        deviceType);
  }
}

int32_t xfrt::dlpackDeviceOf(int32_t device) {
  switch (device) {
  case XFRT_CPU:
    return XFRT_DL_CPU;
  case XFRT_CUDA:
    return XFRT_DL_CUDA;
  default:
    return 0;
  }
}

xfrt_status xfrt_find_device(int32_t device, int32_t number, int32_t *architecture) {
  Message &message = threadMessage();
  const Device *kind = findDevice(device);
  if (!kind || number < 0)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected device 0 or 1 and its number, got %d and %d", device, number);
  int32_t found = 0;
  if (xfrt_status status = kind->find(number, found, message))
    return status;
  if (architecture)
    *architecture = found;
  return XFRT_OK;
}
