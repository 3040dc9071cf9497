//===- DeviceFunctions.cpp - The driver, its devices, their contexts ------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/ptx/driver/State.h"

#include <string.h>

using namespace xf::sim;

namespace {
struct ErrorName {
  Result result;
  const char *name, *sentence;
};
} // namespace

static const ErrorName errorNames[] = {
    {success, "CUDA_SUCCESS", "no error"},
    {invalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {outOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {notInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {stubLibrary, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {noDevice, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {invalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {invalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {noBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {invalidPtx, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {unsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {invalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {illegalState, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {notFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {illegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {launchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {notSupported, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {systemDriverMismatch, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH",
     "system has unsupported display driver / cuda driver combination"},
    {captureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {captureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
};

static const ErrorName *find(Result result) {
  for (const ErrorName &known : errorNames)
    if (known.result == result)
      return &known;
  return nullptr;
}

static bool isDevice(const State &state, int device) { return device >= 0 && device < state.settings.devices; }

extern "C" {

Result cuInit(unsigned flags) {
  Call call("cuInit", Call::Free);
  if (call.failure())
    return call.failure();
  if (flags != 0)
    return invalidValue;
  if (call.state.settings.devices == 0)
    return noDevice;
  call.state.isInitialised = true;
  return success;
}

Result cuDriverGetVersion(int *version) {
  Call call("cuDriverGetVersion", Call::Free);
  *version = call.state.settings.driver;
  return call.answer();
}

Result cuGetErrorName(Result result, const char **name) {
  Call call("cuGetErrorName", Call::Free);
  const ErrorName *known = find(result);
  *name = known && !call.failure() ? known->name : nullptr;
  return call.answer(known ? success : invalidValue);
}

Result cuGetErrorString(Result result, const char **sentence) {
  Call call("cuGetErrorString", Call::Free);
  const ErrorName *known = find(result);
  *sentence = known && !call.failure() ? known->sentence : nullptr;
  return call.answer(known ? success : invalidValue);
}

Result cuDeviceGetCount(int *count) {
  Call call("cuDeviceGetCount", Call::Driver);
  if (!call.failure())
    *count = call.state.settings.devices;
  return call.answer();
}

Result cuDeviceGet(int *device, int number) {
  Call call("cuDeviceGet", Call::Driver);
  if (call.failure())
    return call.failure();
  if (!isDevice(call.state, number))
    return invalidDevice;
  *device = number;
  return success;
}

Result cuDeviceGetAttribute(int *value, int attribute, int device) {
  Call call("cuDeviceGetAttribute", Call::Driver);
  if (call.failure())
    return call.failure();
  if (!isDevice(call.state, device))
    return invalidDevice;
  const Settings &settings = call.state.settings;
  const Limits limits = settings.limits();
  switch (attribute) {
  case 12: // registers of a block
  case 82: // registers of a multiprocessor
    *value = limits.registers;
    return success;
  case 16: // multiprocessors
    *value = limits.processors;
    return success;
  case 75: // compute capability, major
    *value = settings.capability / 10;
    return success;
  case 76: // minor
    *value = settings.capability % 10;
    return success;
  case 81: // shared memory of a multiprocessor
    *value = limits.processorSharedBytes;
    return success;
  case 97: // shared memory of a block that asks for it
    *value = limits.sharedBytes;
    return success;
  case 115: // memory pools
    *value = settings.pools;
    return settings.driver >= 11020 ? success : invalidValue;
  default:
    return invalidValue;
  }
}

Result cuDevicePrimaryCtxRetain(void **context, int device) {
  Call call("cuDevicePrimaryCtxRetain", Call::Driver);
  if (call.failure())
    return call.failure();
  if (!isDevice(call.state, device))
    return invalidDevice;
  std::unique_ptr<Context> &slot = call.state.contexts[device];
  if (!slot)
    slot = std::make_unique<Context>(call.state.settings.memory);
  ++slot->retained;
  *context = slot.get();
  return success;
}

Result cuDevicePrimaryCtxRelease_v2(int device) {
  Call call("cuDevicePrimaryCtxRelease_v2", Call::Driver);
  auto found = call.state.contexts.find(device);
  if (found == call.state.contexts.end())
    return invalidContext;
  if (--found->second->retained > 0)
    return call.answer();
  // A context that works owes its users' good manners; one that failed takes everything with it.
  if (!found->second->error)
    call.state.leaks += found->second->left();
  call.state.contexts.erase(found);
  return call.answer();
}

Result cuCtxPushCurrent_v2(void *context) {
  Call call("cuCtxPushCurrent_v2", Call::Driver);
  if (call.failure())
    return call.failure();
  State::stack().push_back(static_cast<Context *>(context));
  return success;
}

Result cuCtxPopCurrent_v2(void **context) {
  Call call("cuCtxPopCurrent_v2", Call::Driver);
  if (State::stack().empty())
    return invalidContext;
  *context = State::stack().back();
  State::stack().pop_back();
  return call.answer();
}

} // extern "C"
