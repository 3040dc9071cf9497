//===- Collective.cpp - What ranks with GPUs send each other --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages whose transport does not reach the device's memory, such as those of MPI, pass through that of the host: the
// buffer that is sent is copied there, which waits for the stream, and what is received is copied back.
//
//===----------------------------------------------------------------------===//

#include "Collective.h"
#include "../Tables.h"
#include "../ranks/Parts.h"

#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static StagedCollective &stagedOf(const xfrt_context &context, const xfrt_collective &row) {
  return handleOf(context).collectives[&row - context.model->tables->collectives];
}

static xfrt_status grow(xfrt_context &context, char *&memory, size_t &bytes, int64_t wanted) {
  const Allocator &allocator = handleOf(context).allocator;
  if (memory && size_t(wanted) <= bytes)
    return XFRT_OK;
  allocator.release(memory, bytes);
  bytes = wanted > 0 ? size_t(wanted) : 1;
  memory = static_cast<char *>(allocator.allocate(bytes));
  if (memory)
    return XFRT_OK;
  bytes = 0;
  return context.message.fail(XFRT_OUT_OF_MEMORY, "cannot allocate %zu bytes for messages of ranks", size_t(wanted));
}

xfrt_status cuda::reserveCollectives(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  for (int32_t i = 0; i < entry.step_count; ++i) {
    if (entry.steps[i].kind != XFRT_COLLECTIVE)
      continue;
    if (handleOf(context).device.isRecording)
      return context.message.fail(XFRT_INVALID_ARGUMENT,
                                  "entry %s: expected a stream that is not recorded, because ranks send each other "
                                  "messages",
                                  Quoted(entry.name).get());
    const xfrt_collective &row = context.model->tables->collectives[entry.steps[i].index];
    const Parts parts(row, frame, context.ranks->membersOf(row));
    if (!parts.areValid())
      return context.message.fail(XFRT_BAD_MODEL, "entry %s: step %d: expected parts of equal sizes",
                                  Quoted(entry.name).get(), i);
    StagedCollective &staged = stagedOf(context, row);
    if (xfrt_status status = grow(context, staged.send, staged.sendBytes, parts.sentBytes()))
      return status;
    if (xfrt_status status = grow(context, staged.receive, staged.receiveBytes, parts.receivedBytes()))
      return status;
  }
  return XFRT_OK;
}

void cuda::releaseCollectives(Handle &handle) {
  for (int32_t n = 0; n < handle.collectiveCount; ++n) {
    handle.allocator.release(handle.collectives[n].send, handle.collectives[n].sendBytes);
    handle.allocator.release(handle.collectives[n].receive, handle.collectives[n].receiveBytes);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

xfrt_status cuda::startCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                                  const int64_t *frame, Address send) {
  Gpu &device = handleOf(context).device;
  Doing doing(device, entry, nullptr);
  const StagedCollective &staged = stagedOf(context, row);
  const Parts parts(row, frame, context.ranks->membersOf(row));
  void *const to = staged.send;
  const auto bytes = size_t(parts.sentBytes());
  if (bytes > 0 && !context.ranks->hasFailed()) {
    xfrt_status status = device.run(device.driver->copyToHost, to, send, bytes, device.stream);
    if (!status)
      status = synchronize(device);
    if (status)
      context.ranks->refuse(status);
  }
  return context.ranks->start(row, frame, staged.send, context.message);
}

xfrt_status cuda::waitForCollective(xfrt_context &context, const xfrt_entry &entry, const xfrt_collective &row,
                                    const int64_t *frame, Address, Address receive) {
  Gpu &device = handleOf(context).device;
  Doing doing(device, entry, nullptr);
  const StagedCollective &staged = stagedOf(context, row);
  if (xfrt_status status = context.ranks->wait(row, frame, staged.send, staged.receive, context.message))
    return status;
  const Parts parts(row, frame, context.ranks->membersOf(row));
  const void *const from = staged.receive;
  const auto bytes = size_t(parts.receivedBytes());
  if (bytes > 0 && !context.ranks->hasFailed())
    if (xfrt_status status = device.run(device.driver->copyToDevice, receive, from, bytes, device.stream))
      context.ranks->refuse(status);
  return XFRT_OK;
}
