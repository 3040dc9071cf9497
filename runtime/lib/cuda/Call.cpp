//===- Call.cpp - Running an entry on a GPU -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a call on a GPU: copies arguments to the device, runs the steps, and copies results back. Each function of the
// interface (Device) makes the device's context current while it runs.
//
//===----------------------------------------------------------------------===//

#include "../Buffers.h"
#include "../Held.h"
#include "../Model.h"
#include "../Tables.h"
#include "Collective.h"
#include "Graph.h"
#include "Ranges.h"
#include "Transfer.h"

using namespace xfrt;
using namespace xfrt::cuda;

/// Makes the device memory for intermediate tensors as large as the entry needs. If the handle holds parameters, also
/// allocates the memory for prepacked weights.
static xfrt_status ensureMemory(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  Doing doing(handle.device, entry, nullptr);
  size_t bytes;
  if (xfrt_status status = workspaceBytes(*context.model, entry, frame, /*threads=*/0, bytes, context.message))
    return status;
  if (xfrt_status status = growBlock(handle.device, handle.arena, bytes))
    return status;
  const xfrt_model &model = *context.model;
  if (!context.holdsParameters || model.held_count == 0)
    return XFRT_OK;
  return growBlock(handle.device, handle.held, size_t(model.held_bytes));
}

static xfrt_status checkFits(const xfrt_context &context, const xfrt_entry &entry) {
  const Handle &handle = handleOf(context);
  const EntryState &state = handle.entries[&entry - context.model->entries];
  return cuda::checkFits(handle.device, entry, handle.kernels + state.firstKernel);
}

/// Waits for the steps of a call, and adds their times to the trace and the profile. Does nothing if the handle has no
/// observers, or if the caller is capturing the stream into a CUDA graph.
static xfrt_status noteSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  if (!handle.observers || handle.device.isRecording)
    return XFRT_OK;
  return handle.events.read(handle.device, Trace::now, [&](int32_t index, int64_t start, int64_t stop) {
    const xfrt_step &step = entry.steps[index];
    const xfrt_launch *launch = step.kind == XFRT_LAUNCH ? entry.launches + step.index : nullptr;
    if (handle.observers.trace)
      handle.observers.trace->addSpan(launch                         ? launch->name
                                      : step.kind == XFRT_COPY       ? "copy"
                                      : step.kind == XFRT_COLLECTIVE ? "send"
                                                                     : "receive",
                                      workOf(*context.model, entry, index), launch ? frame[launch->grid] : 1, start,
                                      stop);
    if (handle.observers.profile)
      handle.observers.profile->addStep(entry, index, stop - start);
  });
}

/// Copies arguments to the device, runs the steps and copies results back. `status` is the result of the preparation on
/// this rank. With several ranks, all first agree that every rank is prepared. Sets `waits` to true if data is copied
/// from or to host memory. Waits for all work if `waits` is true.
static xfrt_status runEntry(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame, xfrt_status status,
                            bool &waits) {
  Handle &handle = handleOf(context);
  const bool isPrepared = !status;
  if (!status)
    status = copyArguments(context, entry, waits);
  if (context.ranks)
    status = context.ranks->begin(entry, context.symbols, status, context.message);
  bool started = !status;
  if (!status)
    status = runSteps(context, entry, frame);
  if (!status)
    status = noteSteps(context, entry, frame);
  if (!status)
    status = copyResults(context, entry, waits);
  if (!status && waits)
    status = synchronize(handle.device);
  if (status && isPrepared) {
    drain(handle.device);
    if (handle.collectives.stream) // of which the transport has ended those that would wait for ever
      handle.device.driver->streamSynchronize.pointer(handle.collectives.stream);
  }
  if (status && started)
    dropUpdated(handle, entry);
  if (isPrepared && updatesParameters(entry))
    forgetParameters(context);
  return status;
}

xfrt_status cuda::fetch(xfrt_context &context, const void *data) {
  Handle &handle = handleOf(context);
  if (xfrt_status status = handle.device.checkAlive())
    return status;
  Current current(handle.device);
  if (current.status)
    return current.status;
  noteRecording(handle.device);
  return fetchParameters(handle, data);
}

/// Verifies the shared memory of kernels, overlaps of buffers and integer arguments, and allocates the memory of the
/// call, before any of its work starts. The device's context must be current.
static xfrt_status prepareCall(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  if (xfrt_status status = checkFits(context, entry))
    return status;
  for (int32_t memory : {hostMemory, int32_t(XFRT_CUDA)})
    if (xfrt_status status = checkOverlap(context, entry, memory))
      return status;
  if (xfrt_status status = cuda::checkIntegers(context, entry))
    return status;
  if (xfrt_status status = ensureMemory(context, entry, frame))
    return status;
  if (xfrt_status status = placeBuffers(context, entry))
    return status;
  if (handle.device.isRecording && needsCopies(context, entry))
    return handle.device.failRecording();
  return context.ranks ? reserveCollectives(context, entry, frame) : XFRT_OK;
}

xfrt_status cuda::call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  const int64_t start = handle.observers ? Trace::now() : 0;
  xfrt_status alive = handle.device.checkAlive();
  if (alive && !context.ranks)
    return alive;
  Current current(handle.device);
  Doing doing(handle.device, entry, nullptr);
  Range range(entry.name);
  noteRecording(handle.device);
  xfrt_status prepared = alive ? alive : current.status ? current.status : prepareCall(context, entry, frame);
  bool waits = handle.device.ownsStream || context.ranks;
  if (prepared && !context.ranks)
    return prepared;
  xfrt_status status = runEntry(context, entry, frame, prepared, waits);
  if (handle.observers.trace)
    handle.observers.trace->addSpan(entry.name, nullptr, -1, start);
  if (handle.observers.profile && status == XFRT_OK)
    handle.observers.profile->addCall(entry, Trace::now() - start);
  return status;
}

xfrt_status cuda::reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  if (xfrt_status status = handle.device.checkAlive())
    return status;
  if (xfrt_status status = checkFits(context, entry))
    return status;
  Current current(handle.device);
  if (current.status)
    return current.status;
  noteRecording(handle.device);
  if (xfrt_status status = growBlock(handle.device, handle.staging, stagedAlignment))
    return status;
  return ensureMemory(context, entry, frame);
}
