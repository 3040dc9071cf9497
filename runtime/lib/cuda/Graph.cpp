//===- Graph.cpp - Replaying an entry's steps -----------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "../Held.h"
#include "../Tables.h"
#include "Launch.h"

#include <string.h>

using namespace xfrt;
using namespace xfrt::cuda;

int32_t cuda::graphKeySize(const xfrt_entry &entry) {
  return 2 + entry.argument_count + entry.result_count + (entry.prepare ? entry.frame_size : 0);
}

/// Replaces the key of the entry's graph by that of this call. Returns whether the previous call had the same key.
static bool updateKey(const Handle &handle, const xfrt_entry &entry, const int64_t *frame, EntryGraph &graph) {
  bool isSame = graph.hasKey;
  int64_t *next = graph.key;
  auto put = [&](int64_t value) {
    isSame &= *next == value;
    *next++ = value;
  };
  put(int64_t(handle.arena.address));
  put(int64_t(handle.held.address));
  for (int32_t i = 0; i < entry.argument_count; ++i)
    put(int64_t(handle.call.arguments[i].address));
  for (int32_t i = 0; i < entry.result_count; ++i)
    put(int64_t(handle.call.results[i].address));
  for (int32_t i = 0; i < (entry.prepare ? entry.frame_size : 0); ++i)
    put(frame[i]);
  graph.hasKey = true;
  return isSame;
}

/// Returns whether to launch the steps of this call as a graph. This is not so in three cases: there is a single step,
/// which a graph makes no faster; the call fills prepacked weights, so it does not recur; or there are messages of
/// ranks, which cannot be part of a graph.
static bool isWorthwhile(const xfrt_context &context, const xfrt_entry &entry) {
  int32_t due = 0;
  for (int32_t i = 0; i < entry.step_count; ++i)
    if (isDue(context, entry, entry.steps[i])) {
      if (entry.steps[i].when == XFRT_FILLS_HELD || isCollective(entry.steps[i]))
        return false;
      ++due;
    }
  return due > 1;
}

/// Returns whether the runtime may record the stream: the driver has all functions for graphs, and the caller is not
/// recording the stream already. Returns false for a driver without cuStreamIsCapturing, because it cannot tell whether
/// the caller is recording.
static bool canCapture(const Gpu &device) {
  const Driver &driver = *device.driver;
  if (!driver.streamIsCapturing || !driver.beginCapture || !driver.endCapture || !driver.graphInstantiate ||
      !driver.graphLaunch || !driver.graphExecDestroy || !driver.graphDestroy)
    return false;
  return !device.isRecording;
}

/// Records the steps of a call as a CUDA graph without running them. Returns null on failure.
static GraphExec capture(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Gpu &device = handleOf(context).device;
  const Driver &driver = *device.driver;
  if (driver.beginCapture.pointer(device.stream, captureThreadLocal) != 0)
    return nullptr;
  // A failure recurs, and is reported, when the steps are then enqueued one by one.
  xfrt_status enqueued = enqueueSteps(context, entry, frame);
  Graph graph = nullptr;
  GraphExec exec = nullptr;
  if (driver.endCapture.pointer(device.stream, &graph) != 0)
    return nullptr;
  if (enqueued == XFRT_OK && graph && driver.graphInstantiate.pointer(&exec, graph, 0) != 0)
    exec = nullptr;
  if (graph)
    driver.graphDestroy.pointer(graph);
  return exec;
}

xfrt_status cuda::runSteps(xfrt_context &context, const xfrt_entry &entry, const int64_t *frame) {
  Handle &handle = handleOf(context);
  Gpu &device = handle.device;
  EntryGraph &graph = handle.entries[&entry - context.model->entries].graph;
  // Steps of an observed handle run one by one, between events.
  if (handle.observers || graph.isRefused || !isWorthwhile(context, entry) || !canCapture(device))
    return enqueueSteps(context, entry, frame);
  if (!updateKey(handle, entry, frame, graph)) {
    destroyGraph(device, graph);
    return enqueueSteps(context, entry, frame);
  }
  if (!graph.exec)
    graph.exec = capture(context, entry, frame);
  graph.isRefused = !graph.exec;
  if (graph.isRefused)
    return enqueueSteps(context, entry, frame);
  Doing doing(device, entry, nullptr);
  return device.run(device.driver->graphLaunch, graph.exec, device.stream);
}

void cuda::destroyGraph(const Gpu &device, EntryGraph &graph) {
  if (graph.exec)
    device.driver->graphExecDestroy.pointer(graph.exec);
  graph.exec = nullptr;
}
