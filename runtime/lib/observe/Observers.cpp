//===- Observers.cpp - The trace and the profile of a handle --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Observers.h"
#include "../../support/ClassicNumbers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace xfrt;

static bool isSet(const char *variable) {
  const char *value = getenv(variable);
  return value && *value;
}

xfrt_status Observers::start(const xfrt_model &model, const xfrt_communicator *ranks, int32_t threads,
                             Peak (*findPeak)(int32_t threads), Message &message) {
  if (!isSet("XFRT_TRACE") && !isSet("XFRT_PROFILE"))
    return XFRT_OK;
  ClassicNumbers classic;
  if (xfrt_status status = checkGivenPeak(message))
    return status;
  Peak peak = findPeak(threads);
  const int32_t rank = ranks ? ranks->rank : 0;
  const char *variable = "XFRT_TRACE";
  bool hasFiles = Trace::start(model.name, rank, threads, peak, trace);
  if (hasFiles) {
    variable = "XFRT_PROFILE";
    hasFiles = Profile::start(model, rank, threads, peak, profile);
  }
  if (hasFiles)
    return XFRT_OK;
  int error = errno;
  Message ignored;
  finish(ignored);
  return message.fail(XFRT_IO_ERROR, "expected to write the file of %s, %s: %s", variable,
                      Quoted(getenv(variable)).get(), error == ENXIO ? "no program reads it" : strerror(error));
}

xfrt_status Observers::finish(Message &message) {
  ClassicNumbers classic;
  xfrt_status status = XFRT_OK;
  if (process.isAncestor()) {
    Trace::abandon(trace);
    Profile::abandon(profile);
  } else {
    Message second;
    status = Trace::finish(trace, message);
    if (xfrt_status other = Profile::finish(profile, status ? second : message); !status)
      status = other;
  }
  trace = nullptr;
  profile = nullptr;
  return status;
}

Observers::~Observers() {
  Message message;
  if (finish(message))
    fprintf(stderr, "xfrt: %s\n", message.get());
}
