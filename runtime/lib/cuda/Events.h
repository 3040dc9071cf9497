//===- Events.h - When the steps of a call ran on the GPU -------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CUDA_EVENTS_H
#define XFRT_LIB_CUDA_EVENTS_H

#include "Gpu.h"

namespace xfrt::cuda {

/// Events of the driver around the steps of one call: one before the first step, and one behind each step. Memory comes
/// from the C library. All functions need the device's context to be current.
class StepEvents {
public:
  /// Creates events for a call of `steps` steps. Fails with XFRT_OLD_DRIVER if the driver lacks events. release() must
  /// be called even after a failure.
  xfrt_status create(Gpu &device, int32_t steps);
  void release(const Gpu &device);

  /// Records the event before the first step of a call on the device's stream.
  xfrt_status begin(Gpu &device);
  /// Records the event behind step `step` of the entry.
  xfrt_status mark(Gpu &device, int32_t step);

  /// Waits for the last event, and calls body(step, start, stop) for each step that was marked. Times are in
  /// nanoseconds of the clock `now`. The clock is read once, after the last event. Events resolve half a microsecond.
  template <typename Now, typename Body>
  xfrt_status read(Gpu &device, Now now, Body body) const {
    if (xfrt_status status = device.run(device.driver->eventSynchronize, events[marked]))
      return status;
    const int64_t end = now();
    int64_t start = 0;
    for (int32_t n = 0; n <= marked; ++n) {
      float milliseconds = 0; // from this event to the last
      if (xfrt_status status = device.run(device.driver->eventElapsedTime, &milliseconds, events[n], events[marked]))
        return status;
      int64_t stop = end - int64_t(double(milliseconds) * 1e6);
      if (n > 0)
        body(steps[n - 1], start, stop);
      start = stop;
    }
    return XFRT_OK;
  }

private:
  Event *events = nullptr;
  int32_t *steps = nullptr; ///< the step in front of each event, except the first event
  int32_t created = 0, marked = 0;
};

} // namespace xfrt::cuda

#endif // XFRT_LIB_CUDA_EVENTS_H
