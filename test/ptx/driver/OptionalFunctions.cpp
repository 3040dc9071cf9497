//===- OptionalFunctions.cpp - What drivers of CUDA 11 may lack -----------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Left out of the driver that stands for an old one.
//
//===----------------------------------------------------------------------===//

#include "test/ptx/TensorMap.h"
#include "test/ptx/driver/Streams.h"

#include <stdio.h>

using namespace xf;
using namespace xf::sim;

static Graph *addGraph(Context &context, std::vector<Operation> nodes) {
  auto made = std::make_unique<Graph>(Graph{std::move(nodes)});
  Graph *graph = made.get();
  context.graphs[graph] = std::move(made);
  return graph;
}

static Event *findEvent(Context &context, void *handle) {
  auto found = context.events.find(static_cast<Event *>(handle));
  return found == context.events.end() ? nullptr : found->first;
}

static Result destroyGraph(Call &call, void *graph) {
  if (call.failure())
    return call.failure();
  return call.context->graphs.erase(static_cast<Graph *>(graph)) ? call.answer() : Result(invalidHandle);
}

extern "C" {

Result cuDeviceGetName(char *name, int bytes, int device) {
  Call call("cuDeviceGetName", Call::Driver);
  if (call.failure())
    return call.failure();
  if (device < 0 || device >= call.state.settings.devices)
    return invalidDevice;
  snprintf(name, size_t(bytes), "simulated GPU %d", device);
  return success;
}

Result cuMemAllocAsync(uint64_t *address, size_t bytes, void *stream) {
  Call call("cuMemAllocAsync", Call::InContext);
  if (call.failure())
    return call.failure();
  Stream *known = findStream(*call.context, stream);
  if (!known)
    return invalidHandle;
  Result result = allocate(*call.context, address, bytes);
  if (result != outOfMemory || known->isCapturing)
    return result;
  // What the stream gives back before may be had again.
  if (Result failed = call.context->finish(*known))
    return failed;
  return allocate(*call.context, address, bytes);
}

Result cuMemFreeAsync(uint64_t address, void *handle) {
  Call call("cuMemFreeAsync", Call::Releases);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  if (!call.context->allocations.erase(address))
    return invalidValue;
  return call.answer(enqueue(*stream, {Operation::Free, address}));
}

Result cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *address, const uint64_t *sizes,
                              const uint64_t *strides, const uint32_t *box, const uint32_t *elementStrides,
                              int interleave, int swizzle, int promotion, int fill) {
  Call call("cuTensorMapEncodeTiled", Call::Free);
  if (call.failure())
    return call.failure();
  std::string error;
  Result result = ptx::encodeTiled(type, rank, reinterpret_cast<uint64_t>(address), sizes, strides, box, elementStrides,
                                   interleave, swizzle, promotion, fill, map, &error);
  if (result)
    say("cuTensorMapEncodeTiled: %s", error.c_str());
  return result;
}

Result cuStreamIsCapturing(void *handle, int *status) {
  Call call("cuStreamIsCapturing", Call::InContext);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  *status = stream->isInvalidated ? 2 : stream->isCapturing;
  return success;
}

Result cuStreamBeginCapture_v2(void *handle, int mode) {
  Call call("cuStreamBeginCapture_v2", Call::InContext);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  if (mode < 0 || mode > 2)
    return invalidValue;
  if (stream->isCapturing)
    return illegalState;
  stream->isCapturing = true;
  stream->isInvalidated = false;
  stream->captured.clear();
  return success;
}

Result cuStreamEndCapture(void *handle, void **graph) {
  Call call("cuStreamEndCapture", Call::Releases);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  if (!stream)
    return invalidHandle;
  if (!stream->isCapturing)
    return illegalState;
  stream->isCapturing = false;
  *graph = nullptr;
  if (stream->isInvalidated || call.answer())
    return call.answer(stream->isInvalidated ? captureInvalidated : success);
  *graph = addGraph(*call.context, std::move(stream->captured));
  return success;
}

Result cuGraphInstantiateWithFlags(void **exec, void *graph, unsigned long long) {
  Call call("cuGraphInstantiateWithFlags", Call::InContext);
  if (call.failure())
    return call.failure();
  auto found = call.context->graphs.find(static_cast<Graph *>(graph));
  if (found == call.context->graphs.end())
    return invalidHandle;
  *exec = addGraph(*call.context, found->first->nodes);
  return success;
}

Result cuGraphLaunch(void *exec, void *handle) {
  Call call("cuGraphLaunch", Call::InContext);
  if (call.failure())
    return call.failure();
  auto found = call.context->graphs.find(static_cast<Graph *>(exec));
  Stream *stream = findStream(*call.context, handle);
  if (found == call.context->graphs.end() || !stream)
    return invalidHandle;
  for (const Operation &node : found->first->nodes)
    if (Result result = enqueue(*stream, node))
      return result;
  return success;
}

Result cuGraphExecDestroy(void *exec) {
  Call call("cuGraphExecDestroy", Call::Releases);
  return destroyGraph(call, exec);
}

Result cuGraphDestroy(void *graph) {
  Call call("cuGraphDestroy", Call::Releases);
  return destroyGraph(call, graph);
}

Result cuEventCreate(void **event, unsigned flags) {
  Call call("cuEventCreate", Call::InContext);
  if (call.failure())
    return call.failure();
  if (flags > 7)
    return invalidValue;
  auto made = std::make_unique<Event>();
  *event = made.get();
  call.context->events[made.get()] = std::move(made);
  return success;
}

Result cuEventRecord(void *handle, void *stream) {
  Call call("cuEventRecord", Call::InContext);
  if (call.failure())
    return call.failure();
  Event *event = findEvent(*call.context, handle);
  Stream *known = findStream(*call.context, stream);
  if (!event || !known)
    return invalidHandle;
  event->stream = known;
  Operation record{Operation::Record};
  record.event = event;
  ++event->recorded;
  return enqueue(*known, record);
}

Result cuEventSynchronize(void *handle) {
  Call call("cuEventSynchronize", Call::InContext);
  if (call.failure())
    return call.failure();
  Event *event = findEvent(*call.context, handle);
  if (!event)
    return invalidHandle;
  Stream *stream = findStream(*call.context, event->stream);
  return stream ? call.context->finish(*stream) : Result(success);
}

Result cuEventQuery(void *handle) {
  Call call("cuEventQuery", Call::InContext);
  if (call.failure())
    return call.failure();
  Event *event = findEvent(*call.context, handle);
  if (!event)
    return invalidHandle;
  Stream *stream = event->reached < event->recorded ? findStream(*call.context, event->stream) : nullptr;
  if (Result result = stream ? call.context->flush(*stream) : Result(success); result && result != notReady)
    return result;
  return event->reached < event->recorded ? notReady : success;
}

Result cuStreamWaitEvent(void *handle, void *event, unsigned flags) {
  Call call("cuStreamWaitEvent", Call::InContext);
  if (call.failure())
    return call.failure();
  Stream *stream = findStream(*call.context, handle);
  Event *known = findEvent(*call.context, event);
  if (!stream || !known || flags != 0)
    return stream && known ? invalidValue : invalidHandle;
  Operation wait{Operation::Wait};
  wait.event = known;
  wait.recorded = known->recorded;
  return enqueue(*stream, wait);
}

Result cuEventElapsedTime(float *milliseconds, void *from, void *to) {
  Call call("cuEventElapsedTime", Call::InContext);
  if (call.failure())
    return call.failure();
  Event *first = findEvent(*call.context, from), *last = findEvent(*call.context, to);
  if (!first || !last || first->nanoseconds == 0 || last->nanoseconds == 0)
    return invalidHandle;
  *milliseconds = float(double(last->nanoseconds - first->nanoseconds) * 1e-6);
  return success;
}

Result cuEventDestroy_v2(void *handle) {
  Call call("cuEventDestroy_v2", Call::Releases);
  if (call.failure())
    return call.failure();
  Event *event = findEvent(*call.context, handle);
  if (!event)
    return invalidHandle;
  if (Stream *stream = findStream(*call.context, event->stream))
    call.context->finish(*stream);
  call.context->events.erase(event);
  return call.answer();
}

} // extern "C"
