//===- Gpu.cpp - A GPU, its context and a stream --------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"

#include <stdio.h>

using namespace xfrt;
using namespace xfrt::cuda;

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

xfrt_status Gpu::fail(Result result, const char *function) {
  if (isSticky(result) && !lost) {
    lost = result;
    lostIn = function;
  }
  char doing[256] = "";
  size_t used = 0;
  if (entry)
    used += snprintf(doing, sizeof(doing), "entry %s: ", Quoted(entry->name).get());
  if (launch)
    snprintf(doing + used, sizeof(doing) - used, "kernel %s: ", Quoted(launch->name).get());
  return message->fail(statusOf(result), "%sdevice %d: %s: %s", doing, number, function,
                       ErrorText(*driver, result).get());
}

xfrt_status Gpu::failRecording() {
  return message->fail(XFRT_INVALID_ARGUMENT,
                       "entry %s: expected buffers in the memory of the GPU, no integers to check, and xfrt_reserve or "
                       "a call like this before, while the caller records the stream",
                       Quoted(entry ? entry->name : "").get());
}

xfrt_status Gpu::checkAlive() {
  if (!lost)
    return XFRT_OK;
  return message->fail(XFRT_DEVICE_ERROR, "device %d is lost to this handle since %s: %s", number, lostIn,
                       ErrorText(*driver, lost).get());
}

//===----------------------------------------------------------------------===//
// Opening and closing
//===----------------------------------------------------------------------===//

static xfrt_status attribute(Gpu &device, DeviceAttribute which, int &value) {
  return device.run(device.driver->deviceGetAttribute, &value, int(which), device.number);
}

xfrt_status cuda::findGpu(Gpu &device, int32_t number) {
  int count = 0, major = 0, minor = 0, pools = 0;
  device.number = number;
  if (xfrt_status status = device.run(device.driver->deviceGetCount, &count))
    return status;
  if (count == 0)
    return device.message->fail(XFRT_NO_DEVICE, "the CUDA driver has no device");
  if (number >= count)
    return device.message->fail(XFRT_NO_DEVICE, "expected a device below %d, got %d", count, number);
  if (xfrt_status status = device.run(device.driver->deviceGet, &device.number, int(number)))
    return status;
  if (xfrt_status status = attribute(device, capabilityMajor, major))
    return status;
  if (xfrt_status status = attribute(device, capabilityMinor, minor))
    return status;
  if (xfrt_status status = attribute(device, multiprocessorCount, device.processors))
    return status;
  if (xfrt_status status = attribute(device, maxSharedBytesOfBlock, device.sharedBytes))
    return status;
  // Drivers before CUDA 11.2 do not have this attribute.
  if (device.driver->deviceGetAttribute.pointer(&pools, memoryPoolsSupported, device.number) != 0)
    pools = 0;
  const EntryPoint<char *, int, DeviceNumber> &getName = device.driver->deviceGetName;
  if (!getName || getName.pointer(device.name, sizeof(device.name) - 1, device.number) != 0)
    device.name[0] = 0;
  device.hasPools = pools && device.driver->allocateAsync && device.driver->releaseAsync;
  device.capability = 10 * major + minor;
  return XFRT_OK;
}

xfrt_status cuda::openGpu(Gpu &device, void *stream) {
  const Driver &driver = *device.driver;
  if (xfrt_status status = device.run(driver.primaryRetain, &device.context, device.number)) {
    device.context = nullptr;
    return status;
  }
  Current current(device);
  if (current.status)
    return current.status;
  device.stream = static_cast<Stream>(stream);
  device.ownsStream = !stream;
  if (stream)
    return XFRT_OK;
  xfrt_status status = device.run(driver.streamCreate, &device.stream, unsigned(nonBlocking));
  device.ownsStream = status == XFRT_OK;
  return status;
}

void cuda::closeGpu(Gpu &device) {
  if (!device.context)
    return;
  if (Current current(device); device.ownsStream && !current.status)
    device.driver->streamDestroy.pointer(device.stream);
  device.driver->primaryRelease.pointer(device.number);
  device.context = nullptr;
}

void cuda::noteRecording(Gpu &device) {
  int status = 0;
  const EntryPoint ask = device.driver->streamIsCapturing;
  device.isRecording = !device.ownsStream && ask && ask.pointer(device.stream, &status) == 0 && status != 0;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

xfrt_status cuda::growBlock(Gpu &device, Block &block, size_t bytes) {
  if (bytes <= block.bytes)
    return XFRT_OK;
  if (device.isRecording)
    return device.failRecording();
  // The contents of the old block are not needed; releasing it first keeps the peak of memory use low.
  releaseBlock(device, block);
  Address address = 0;
  Result result = device.hasPools ? device.driver->allocateAsync.pointer(&address, bytes, device.stream)
                                  : device.driver->allocate.pointer(&address, bytes);
  if (result != 0) {
    char function[64];
    snprintf(function, sizeof(function), "cannot allocate %zu bytes", bytes);
    return device.fail(result, result == outOfMemory ? function
                               : device.hasPools     ? device.driver->allocateAsync.name
                                                     : device.driver->allocate.name);
  }
  block = {address, bytes};
  return XFRT_OK;
}

void cuda::releaseBlock(Gpu &device, Block &block) {
  if (block.address && device.hasPools)
    device.driver->releaseAsync.pointer(block.address, device.stream);
  else if (block.address)
    device.driver->release.pointer(block.address);
  block = {};
}
