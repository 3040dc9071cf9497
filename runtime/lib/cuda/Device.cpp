//===- Device.cpp - GPUs as a device --------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "../Model.h"
#include "Transfer.h"

#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

/// Minimum alignment in bytes of buffers in GPU memory, for tensor maps and wide loads.
static constexpr int64_t leastAlignment = 16;

static xfrt_status find(int32_t number, int32_t &architecture, Message &message) {
  Gpu found;
  found.message = &message;
  if (xfrt_status status = openDriver(found.driver, message))
    return status;
  if (xfrt_status status = findGpu(found, number))
    return status;
  architecture = found.capability;
  return XFRT_OK;
}

static void attach(xfrt_context &context) { handleOf(context).device.message = &context.message; }

static void forget(xfrt_context &context, const void *data) { forgetCopies(handleOf(context), data); }

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static bool checkMap(const xfrt_entry &entry, const xfrt_tensor_map &map, const xfrt_launch &launch) {
  auto isSlotOrOne = [&](int32_t slot) { return slot == -1 || isSlot(entry, slot); };
  bool isSwizzle =
      map.swizzle_bytes == 0 || map.swizzle_bytes == 32 || map.swizzle_bytes == 64 || map.swizzle_bytes == 128;
  if (map.operand < 0 || map.operand >= launch.operand_count || xfrt_dtype_size(map.dtype) == 0 || map.rank < 1 ||
      map.rank > 5 || !isSwizzle)
    return false;
  for (int32_t i = 0; i < map.rank; ++i)
    if (!isSlotOrOne(map.sizes[i]) || (i > 0 && !isSlotOrOne(map.strides[i])) || map.box[i] < 1 || map.box[i] > 256)
      return false;
  return true;
}

/// Verifies the launch's name, threads, shared memory and tensor maps.
static bool checkLaunch(const xfrt_entry &entry, const xfrt_launch &launch) {
  if (!launch.name || launch.threads < 1 || launch.threads > 1024 || launch.shared_bytes < 0 ||
      launch.blocks_per_processor < 0 || launch.map_count < 0 || (launch.map_count > 0 && !entry.maps))
    return false;
  for (int32_t i = 0; i < launch.map_count; ++i)
    if (!checkMap(entry, entry.maps[launch.first_map + i], launch))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Memory of callers
//===----------------------------------------------------------------------===//

/// Allocates GPU memory for the caller, who may use it on any stream.
static xfrt_status allocate(xfrt_context &context, size_t bytes, void *&data) {
  Gpu &device = handleOf(context).device;
  if (xfrt_status status = device.checkAlive())
    return status;
  Current current(device);
  if (current.status)
    return current.status;
  Address address = 0;
  xfrt_status status = device.run(device.driver->allocate, &address, bytes);
  data = reinterpret_cast<void *>(address);
  return status;
}

static void release(xfrt_context &context, void *data, size_t) {
  Gpu &device = handleOf(context).device;
  Current current(device);
  if (!current.status)
    device.driver->release.pointer(reinterpret_cast<Address>(data));
}

static xfrt_status enqueueCopy(Gpu &device, const Span &from, const Span &to) {
  const Driver &driver = *device.driver;
  auto address = [](const Span &span) { return reinterpret_cast<Address>(span.data); };
  const void *source = from.data;
  void *target = to.data;
  size_t bytes = size_t(from.bytes);
  if (from.device == XFRT_CUDA && to.device == XFRT_CUDA)
    return device.run(driver.copyOnDevice, address(to), address(from), bytes, device.stream);
  if (from.device == XFRT_CUDA)
    return device.run(driver.copyToHost, target, address(from), bytes, device.stream);
  return device.run(driver.copyToDevice, address(to), source, bytes, device.stream);
}

static xfrt_status copy(xfrt_context &context, const Span &from, const Span &to) {
  if (from.device != XFRT_CUDA && to.device != XFRT_CUDA) {
    memcpy(to.data, from.data, size_t(from.bytes));
    return XFRT_OK;
  }
  Gpu &device = handleOf(context).device;
  if (xfrt_status status = device.checkAlive())
    return status;
  Current current(device);
  if (current.status)
    return current.status;
  xfrt_status status = enqueueCopy(device, from, to);
  if (!status)
    status = synchronize(device);
  if (status)
    drain(device);
  return status;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

const Device cuda::implementation = {
    .memory = XFRT_CUDA,
    .memories = "the host or the GPU",
    .bufferAlignment = leastAlignment,
    .survivesFork = false,
    .loadsImages = true,
    .checkLaunch = checkLaunch,
    .find = find,
    .create = create,
    .attach = attach,
    .destroy = destroy,
    .allocate = allocate,
    .release = release,
    .copy = copy,
    .reserve = reserve,
    .call = call,
    .fetch = fetch,
    .forget = forget,
};
