//===- Trace.h - When kernels ran -------------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A trace of one handle. The environment variable XFRT_TRACE names the file. A handle writes it when it is destroyed,
// in the trace event format of Chrome and Perfetto (https://ui.perfetto.dev). Events are calls, launches, and the tiles
// that each worker ran. The event of a launch also states its work, as far as the tables have it (xfrt_work). The first
// handle of a process writes to the file of this name, handle n to NAME.n (see RecordFile.h).
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_TRACE_H
#define XFRT_LIB_OBSERVE_TRACE_H

#include "Peak.h"
#include "RecordFile.h"
#include "xfrt/xfrt.h"

namespace xfrt {

class TextFile;

/// Records the events of one handle's workers. Its memory comes from the C library.
class Trace {
public:
  /// Returns the time in nanoseconds of a monotonic clock.
  static int64_t now();

  /// Starts a trace for a handle of the model called `model`, with `threads` workers (0 on a GPU), and creates the file
  /// of rank `rank` (0 for one rank). Sets `trace` to null if XFRT_TRACE is not set. Returns false, with errno, if the
  /// file cannot be created or memory could not be allocated. The caller releases the trace by finish.
  static bool start(const char *model, int32_t rank, int32_t threads, Peak peak, Trace *&trace);

  /// Records that a worker ran the tiles [begin, end) of `kernel` from `start` to now. Workers may record at the same
  /// time, because each has its own events. `kernel` and `work`, which may be null, must outlive the trace.
  void addTiles(int32_t worker, const char *kernel, const xfrt_work *work, int64_t begin, int64_t end, int64_t start);

  /// Records that a launch of `name` with `tiles` tiles ran from `start` to `stop`. If `tiles` < 0, records a call of
  /// the entry `name` instead. The launch or call ran on the calling thread or on the handle's GPU.
  void addSpan(const char *name, const xfrt_work *work, int64_t tiles, int64_t start, int64_t stop = now());

  /// Writes the file and releases the trace. Null is ignored.
  static xfrt_status finish(Trace *trace, Message &message);
  /// Releases the trace without writing, in a child of the process that started it: the file belongs to the parent.
  /// Null is ignored.
  static void abandon(Trace *trace);

private:
  struct Event {
    const char *name;
    const xfrt_work *work; ///< or null
    int64_t begin, end, start, stop;
  };
  /// The events of one worker, on cache lines of their own.
  struct alignas(64) Events {
    Event *events;
    int64_t count, capacity, dropped;
  };
  static void add(Events &events, const Event &event);
  void write(TextFile &file) const;
  void writeEvents(TextFile &file, int32_t thread) const;
  void release();

  RecordFile file;
  const char *model;
  int32_t handle, threads;
  Peak peak;
  int64_t began;
  Events *workers; ///< [threads + 1]: the workers, then the spans of the caller
};

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_TRACE_H
