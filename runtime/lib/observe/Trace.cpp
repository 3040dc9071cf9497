//===- Trace.cpp - When kernels ran ---------------------------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"
#include "TextFile.h"

#include <atomic>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

using namespace xfrt;

/// The largest number of events that a worker keeps. Later events are only counted.
static constexpr int64_t mostEvents = 1 << 21;

int64_t Trace::now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return int64_t(time.tv_sec) * 1000000000 + time.tv_nsec;
}

bool Trace::start(const char *model, int32_t rank, int32_t threads, Peak peak, Trace *&trace) {
  static std::atomic<int32_t> handles{0};
  trace = nullptr;
  const char *name = getenv("XFRT_TRACE");
  if (!name || !*name)
    return true;
  int32_t handle = handles.fetch_add(1) + 1;
  auto *made = static_cast<Trace *>(malloc(sizeof(Trace)));
  auto *workers = static_cast<Events *>(aligned_alloc(alignof(Events), sizeof(Events) * size_t(threads + 1)));
  RecordFile file;
  if (!made || !workers || !file.open(name, rank, handle)) {
    free(made);
    free(workers);
    return false;
  }
  memset(workers, 0, sizeof(Events) * size_t(threads + 1));
  made->file = file;
  made->model = model;
  made->handle = handle;
  made->threads = threads;
  made->peak = peak;
  made->began = now();
  made->workers = workers;
  trace = made;
  return true;
}

void Trace::add(Events &events, const Event &event) {
  if (events.count == events.capacity) {
    int64_t capacity = events.capacity ? events.capacity * 2 : 1024;
    void *grown = capacity <= mostEvents ? realloc(events.events, size_t(capacity) * sizeof(Event)) : nullptr;
    if (!grown) {
      ++events.dropped;
      return;
    }
    events.events = static_cast<Event *>(grown);
    events.capacity = capacity;
  }
  events.events[events.count++] = event;
}

void Trace::addTiles(int32_t worker, const char *kernel, const xfrt_work *work, int64_t begin, int64_t end,
                     int64_t start) {
  add(workers[worker], {kernel, work, begin, end, start, now()});
}

void Trace::addSpan(const char *name, const xfrt_work *work, int64_t tiles, int64_t start, int64_t stop) {
  add(workers[threads], {name, work, 0, tiles, start, stop});
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Writes the known figures of the work of a step that took `nanoseconds`.
static void writeWork(TextFile &file, const xfrt_work &work, int64_t nanoseconds, const Peak &peak) {
  auto time = double(nanoseconds > 0 ? nanoseconds : 1);
  if (*work.source) {
    file.format(",\"source\":");
    file.string(work.source);
  }
  if (work.flop >= 0)
    file.format(",\"flop\":%.0f,\"gflops\":%.2f", work.flop, work.flop / time);
  if (work.flop >= 0 && peak.gflops > 0)
    file.format(",\"fraction_of_peak\":%.4f", work.flop / time / peak.gflops);
  if (work.bytes >= 0)
    file.format(",\"bytes\":%.0f,\"gigabytes_per_second\":%.2f", work.bytes, work.bytes / time);
}

void Trace::writeEvents(TextFile &file, int32_t thread) const {
  const Events &events = workers[thread];
  for (int64_t i = 0; i < events.count; ++i) {
    const Event &event = events.events[i];
    const char *kind = thread < threads ? "tiles" : event.end < 0 ? "call" : "launch";
    file.format("{\"ph\":\"X\",\"cat\":\"%s\",\"pid\":%" PRId32 ",\"tid\":%" PRId32 ",\"ts\":%.3f,\"dur\":%.3f", kind,
                handle, thread, double(event.start - began) / 1e3, double(event.stop - event.start) / 1e3);
    if (thread < threads)
      file.format(",\"args\":{\"first\":%" PRId64 ",\"tiles\":%" PRId64, event.begin, event.end - event.begin);
    else if (event.end >= 0)
      file.format(",\"args\":{\"tiles\":%" PRId64, event.end);
    if (thread < threads && event.work && *event.work->source) {
      file.format(",\"source\":");
      file.string(event.work->source);
    } else if (event.work && thread == threads) {
      writeWork(file, *event.work, event.stop - event.start, peak);
    }
    file.format(event.end >= 0 ? "},\"name\":" : ",\"name\":");
    file.string(event.name);
    file.format("},\n");
  }
}

void Trace::write(TextFile &file) const {
  auto name = [&](const char *what, int32_t thread, const char *text) {
    file.format("{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%" PRId32 ",\"tid\":%" PRId32 ",\"args\":{\"name\":", what,
                handle, thread);
    file.string(text);
    file.format("}},\n");
  };
  int64_t dropped = 0;
  file.format("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
  name("process_name", 0, model);
  if (peak.gflops > 0)
    file.format("{\"ph\":\"M\",\"name\":\"peak\",\"pid\":%" PRId32 ",\"args\":{\"gflops\":%.2f,\"measured\":%s}},\n",
                handle, peak.gflops, peak.isMeasured ? "true" : "false");
  for (int32_t thread = 0; thread <= threads; ++thread) {
    char text[32];
    snprintf(text, sizeof(text), "worker %" PRId32, thread);
    name("thread_name", thread, thread == threads ? "calls and launches" : text);
    writeEvents(file, thread);
    dropped += workers[thread].dropped;
  }
  file.format("{\"ph\":\"M\",\"name\":\"dropped_events\",\"pid\":%" PRId32 ",\"args\":{\"count\":%" PRId64 "}}\n]}\n",
              handle, dropped);
}

void Trace::release() {
  for (int32_t i = 0; i <= threads; ++i)
    free(workers[i].events);
  free(workers);
  free(this);
}

xfrt_status Trace::finish(Trace *trace, Message &message) {
  if (!trace)
    return XFRT_OK;
  TextFile file(trace->file.file);
  trace->write(file);
  const xfrt_status status = trace->file.close(file.flush(), "trace", message);
  trace->release();
  return status;
}

void Trace::abandon(Trace *trace) {
  if (!trace)
    return;
  trace->file.abandon();
  trace->release();
}
