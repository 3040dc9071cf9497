//===- Call.cpp - Running an entry on a CPU -------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Buffers.h"
#include "../Held.h"
#include "../Model.h"
#include "Launch.h"
#include "Model.h"

#include <algorithm>
#include <stdlib.h>
#include <utility>

using namespace xfrt;
using namespace xfrt::cpu;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Makes the workspace as large as the entry's frame requires. Grows a workspace that the handle owns. If the caller's
/// workspace is too small, fails with XFRT_WORKSPACE_TOO_SMALL.
static xfrt_status ensureWorkspace(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  size_t bytes;
  if (xfrt_status status = workspaceBytes(*context.model, entry, frame, handle.threads, bytes, context.message))
    return status;
  if (bytes <= handle.workspaceBytes)
    return XFRT_OK;
  if (!handle.ownsWorkspace)
    return context.message.fail(XFRT_WORKSPACE_TOO_SMALL, "entry %s: expected a workspace of %zu bytes, got %zu",
                                Quoted(entry.name).get(), bytes, handle.workspaceBytes);
  // The contents of the old workspace do not outlive a call; releasing it first keeps the peak of memory use low.
  // The handle forgets it before, as a child of fork may be made in between, and releases what it finds.
  handle.allocator.release(std::exchange(handle.workspace, nullptr), std::exchange(handle.workspaceBytes, 0));
  handle.workspace = static_cast<char *>(handle.allocator.allocate(bytes));
  handle.workspaceBytes = handle.workspace ? bytes : 0;
  if (!handle.workspace)
    return context.message.fail(XFRT_OUT_OF_MEMORY, "entry %s: cannot allocate a workspace of %zu bytes",
                                Quoted(entry.name).get(), bytes);
  return XFRT_OK;
}

xfrt_status xfrt_workspace_size(const xfrt_model *model, int32_t entryIndex, const int64_t *symbols,
                                int32_t symbolCount, int32_t threads, size_t *bytes) {
  Message &message = threadMessage();
  if (xfrt_status status = selectModel(model, message))
    return status;
  threads = resolveThreads(threads);
  if (entryIndex < 0 || entryIndex >= model->entry_count || threads < 0 || !bytes)
    return message.fail(XFRT_INVALID_ARGUMENT, "expected an entry below %d, a number of threads and a place to answer",
                        model->entry_count);
  const xfrt_entry &entry = model->entries[entryIndex];
  if (xfrt_status status = checkSymbols(entry, symbols, symbolCount, message))
    return status;
  if (!entry.prepare)
    return workspaceBytes(*model, entry, entry.frame, threads, *bytes, message);
  auto *frame = static_cast<int64_t *>(calloc(entry.frame_size, sizeof(int64_t)));
  if (!frame)
    return message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate a frame of %d numbers", entry.frame_size);
  entry.prepare(symbols, frame);
  xfrt_status status = workspaceBytes(*model, entry, frame, threads, *bytes, message);
  free(frame);
  return status;
}

/// Allocates the memory for prepacked weights, unless it is allocated already or the handle holds no parameters.
static xfrt_status ensureHeld(xfrt_context &context) {
  Handle &handle = handleOf(context);
  const xfrt_model &model = *context.model;
  if (!context.holdsParameters || handle.held || model.held_count == 0)
    return XFRT_OK;
  size_t bytes = alignUp(size_t(std::max<int64_t>(model.held_bytes, 1))); // all forms may be empty
  handle.held = static_cast<char *>(handle.allocator.allocate(bytes));
  if (!handle.held)
    return context.message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate %zu bytes to hold parameters", bytes);
  handle.heldBytes = bytes;
  return XFRT_OK;
}

xfrt_status cpu::reserve(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  if (xfrt_status status = ensureHeld(context))
    return status;
  return ensureWorkspace(context, entry, frame);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Verifies the buffers of a call, and allocates all memory that its steps need. Must be called before the first step.
static xfrt_status prepareCall(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  if (xfrt_status status = ensureWorkspace(context, entry, frame))
    return status;
  const Handle &handle = handleOf(context);
  const Span workspace = {handle.workspace, int64_t(handle.workspaceBytes), hostMemory};
  if (xfrt_status status = checkOverlap(context, entry, hostMemory, workspace))
    return status;
  if (xfrt_status status = checkIntegers(context, entry))
    return status;
  return ensureHeld(context);
}

xfrt_status cpu::call(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  if (handle.process.isAncestor())
    handle.pool.forgetWorkers();
  int64_t start = handle.observers ? Trace::now() : 0;
  xfrt_status status = prepareCall(context, entry, frame);
  if (context.ranks)
    status = context.ranks->begin(entry, context.symbols, status, context.message);
  if (status)
    return status;
  status = runSteps(context, entry, frame);
  if (updatesParameters(entry))
    forgetParameters(context);
  if (handle.observers.trace)
    handle.observers.trace->addSpan(entry.name, nullptr, -1, start);
  if (handle.observers.profile && status == XFRT_OK)
    handle.observers.profile->addCall(entry, Trace::now() - start);
  return status;
}
