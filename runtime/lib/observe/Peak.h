//===- Peak.h - What fractions of peak are of -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_OBSERVE_PEAK_H
#define XFRT_LIB_OBSERVE_PEAK_H

#include "../Message.h"

#include <stdint.h>
#include <stdlib.h>

namespace xfrt {

/// A peak rate in GFLOP/s, with which measured rates are compared. It is 0 if no peak is known.
struct Peak {
  double gflops;
  bool isMeasured;          ///< measured, not given by XFRT_PEAK
  bool isDisturbed = false; ///< other programs disturbed the measurement
};

/// Returns the rate of XFRT_PEAK in GFLOP/s, or a rate of 0 if it is not set.
inline Peak givenPeak() {
  const char *given = getenv("XFRT_PEAK");
  double gflops = given ? strtod(given, nullptr) : 0;
  return {gflops > 0 ? gflops : 0, false};
}

/// Fails with XFRT_INVALID_ARGUMENT if XFRT_PEAK is set but is not a rate.
inline xfrt_status checkGivenPeak(Message &message) {
  const char *given = getenv("XFRT_PEAK");
  if (!given)
    return XFRT_OK;
  char *end = nullptr;
  double gflops = strtod(given, &end);
  if (end != given && !*end && gflops >= 1e-6 && gflops <= 1e12)
    return XFRT_OK;
  return message.fail(XFRT_INVALID_ARGUMENT, "expected XFRT_PEAK to be GFLOP/s from 1e-6 to 1e12, got %s",
                      Quoted(given).get());
}

} // namespace xfrt

#endif // XFRT_LIB_OBSERVE_PEAK_H
