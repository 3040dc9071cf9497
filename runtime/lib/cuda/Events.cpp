//===- Events.cpp - When the steps of a call ran on the GPU ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Events.h"

#include <stdlib.h>

using namespace xfrt;
using namespace xfrt::cuda;

xfrt_status StepEvents::create(Gpu &device, int32_t most) {
  const Driver &driver = *device.driver;
  if (!driver.eventCreate || !driver.eventRecord || !driver.eventSynchronize || !driver.eventElapsedTime ||
      !driver.eventDestroy)
    return device.message->fail(XFRT_OLD_DRIVER, "expected a CUDA driver with events for XFRT_TRACE and XFRT_PROFILE");
  events = static_cast<Event *>(calloc(size_t(most) + 1, sizeof(Event)));
  steps = static_cast<int32_t *>(calloc(size_t(most) + 1, sizeof(int32_t)));
  if (!events || !steps)
    return device.message->fail(XFRT_OUT_OF_MEMORY, "cannot allocate events for %d steps", most);
  for (; created <= most; ++created)
    if (xfrt_status status = device.run(driver.eventCreate, &events[created], 0u))
      return status;
  return XFRT_OK;
}

void StepEvents::release(const Gpu &device) {
  for (int32_t n = 0; n < created; ++n)
    device.driver->eventDestroy.pointer(events[n]);
  free(events);
  free(steps);
  *this = {};
}

xfrt_status StepEvents::begin(Gpu &device) {
  marked = 0;
  return device.run(device.driver->eventRecord, events[0], device.stream);
}

xfrt_status StepEvents::mark(Gpu &device, int32_t step) {
  steps[marked++] = step;
  return device.run(device.driver->eventRecord, events[marked], device.stream);
}
