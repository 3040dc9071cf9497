//===- Call.cpp - Running an entry on a GPU -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements functions of the library for handles on a GPU. Each function makes the device's context current while it
// runs.
//
//===----------------------------------------------------------------------===//

#include "../Buffers.h"
#include "../Held.h"
#include "../Model.h"
#include "Graph.h"
#include "Transfer.h"

using namespace xfrt;
using namespace xfrt::cuda;

//===----------------------------------------------------------------------===//
// Memory of callers
//===----------------------------------------------------------------------===//

xfrt_status cuda::allocate(Handle &handle, size_t bytes, void *&data) {
  Device &device = handle.device;
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

void cuda::release(Handle &handle, void *data) {
  Current current(handle.device);
  if (!current.status)
    handle.device.driver->release.pointer(reinterpret_cast<Address>(data));
}

static xfrt_status enqueueCopy(Device &device, const Span &from, const Span &to) {
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

xfrt_status cuda::copy(Handle &handle, const Span &from, const Span &to) {
  Device &device = handle.device;
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
// Calls
//===----------------------------------------------------------------------===//

/// Allocates the memory for intermediate tensors and held forms.
static xfrt_status ensureMemory(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = *context.gpu;
  Doing doing(handle.device, entry, nullptr);
  size_t bytes;
  if (xfrt_status status = workspaceBytes(entry, frame, /*threads=*/0, bytes, context.message))
    return status;
  if (xfrt_status status = growBlock(handle.device, handle.arena, bytes))
    return status;
  const xfrt_model &model = *context.model;
  if (!context.holdsParameters || model.held_count == 0)
    return XFRT_OK;
  return growBlock(handle.device, handle.held, size_t(model.held_bytes));
}

static xfrt_status checkFits(const xfrt_context &context, const xfrt_entry &entry) {
  const Handle &handle = *context.gpu;
  const EntryState &state = handle.entries[&entry - context.model->entries];
  return cuda::checkFits(handle.device, entry, handle.kernels + state.firstKernel);
}

/// Copies arguments in, runs the kernels and copies results out. Sets `waits` to true where a copy involves the host's
/// memory; where `waits` is true, also on entry, waits for all work.
static xfrt_status runEntry(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame, bool &waits) {
  Handle &handle = *context.gpu;
  xfrt_status status = copyArguments(context, entry, waits);
  bool started = !status;
  if (!status)
    status = runKernels(context, entry, frame);
  if (!status)
    status = copyResults(context, entry, waits);
  if (!status && waits)
    status = synchronize(handle.device);
  if (status)
    drain(handle.device);
  if (status && started)
    dropUpdated(handle, entry);
  if (updatesParameters(entry))
    forgetParameters(context);
  return status;
}

xfrt_status cuda::fetch(Handle &handle) {
  if (xfrt_status status = handle.device.checkAlive())
    return status;
  Current current(handle.device);
  if (current.status)
    return current.status;
  noteRecording(handle.device);
  return fetchParameters(handle);
}

xfrt_status cuda::call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = *context.gpu;
  if (xfrt_status status = handle.device.checkAlive())
    return status;
  if (xfrt_status status = checkFits(context, entry))
    return status;
  if (xfrt_status status = checkOverlap(context, entry))
    return status;
  Current current(handle.device);
  if (current.status)
    return current.status;
  Doing doing(handle.device, entry, nullptr);
  noteRecording(handle.device);
  if (xfrt_status status = checkIntegers(context, entry))
    return status;
  if (xfrt_status status = ensureMemory(context, entry, frame))
    return status;
  if (xfrt_status status = placeBuffers(context, entry))
    return status;
  if (handle.device.isRecording && needsCopies(context, entry))
    return handle.device.failRecording();
  bool waits = handle.device.ownsStream;
  return runEntry(context, entry, frame, waits);
}

xfrt_status cuda::reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  if (xfrt_status status = context.gpu->device.checkAlive())
    return status;
  if (xfrt_status status = checkFits(context, entry))
    return status;
  Current current(context.gpu->device);
  if (current.status)
    return current.status;
  noteRecording(context.gpu->device);
  if (xfrt_status status = growBlock(context.gpu->device, context.gpu->staging, stagedAlignment))
    return status;
  return ensureMemory(context, entry, frame);
}
