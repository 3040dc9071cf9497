//===- Devices.cpp - The device of an executable -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Devices.h"
#include "../Graph/Node.h"
#include "../Translate/Compile.h"

using namespace xf;
using namespace xf::detail;

void xf::detail::throwFailure(xfrt_status status, const std::string &message, Here here) {
  if (status >= XFRT_NO_DRIVER && status <= XFRT_DEVICE_ERROR)
    throw DeviceError(xfrt_status_name(status), message, here);
  throw Error(message, here);
}

/// Returns the compute capability of the GPU (90 for 9.0). Returns 0 where the GPU is missing, and stores the reason in
/// `result`.
static int findGpu(const Device &device, DeviceStatus &result) {
  int32_t capability = 0;
  xfrt_status status = xfrt_find_device(XFRT_CUDA, device.number, &capability);
  if (status == XFRT_OK)
    return capability;
  result.status = xfrt_status_name(status);
  result.reason = xfrt_message(nullptr);
  return 0;
}

/// Returns whether a device can run programs. For a GPU, sets `kernels` to the name of the architecture to compile for.
/// Throws Error for a negative device number.
static DeviceStatus findDevice(const Device &device, std::string &kernels, Here here) {
  expect(device.number >= 0, here, "expected the number of a device, got ", device.number);
  DeviceStatus result;
  if (device.kind == Device::Kind::cpu)
    return result;
  int capability = findGpu(device, result);
  if (!result.available())
    return result;
  result.architecture = "sm_" + std::to_string(capability);
  kernels = gpuArchitectureFor(capability);
  if (kernels.empty()) {
    result.status = xfrt_status_name(XFRT_WRONG_ARCHITECTURE);
    result.reason = "expected a GPU of sm_80 or later, got " + result.architecture;
  }
  return result;
}

DeviceStatus xf::device_status(const Device &device, Here here) {
  std::string kernels;
  return findDevice(device, kernels, here);
}

std::string xf::detail::settleDevice(CompileOptions &options, Here here) {
  std::string kernels;
  DeviceStatus found = findDevice(options.device, kernels, here);
  if (!found.available() && options.device.kind == Device::Kind::cuda)
    throw DeviceError(found.status, found.reason, here);
  if (!found.available())
    options.device = cpu();
  else if (options.gpus.empty() && !kernels.empty())
    options.gpus = {kernels};
  return found.reason;
}
