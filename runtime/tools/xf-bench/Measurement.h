//===- Measurement.h - How fast an entry runs ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_XF_BENCH_MEASUREMENT_H
#define XFRT_TOOLS_XF_BENCH_MEASUREMENT_H

#include "../EntryCall.h"

namespace xfrt::tools {

/// The figures of one entry, as they go into the table and the JSON file. Figures that are not known (the FLOP of a
/// dynamic entry) are 0 and printed as such.
struct Measurement {
  std::string device; ///< name and architecture of a GPU; empty on the CPU
  std::string entry, target;
  int threads = 1;
  int64_t repetitions = 0;
  double secondsMin = 0, secondsMedian = 0;
  double flop = 0, gflops = 0;               ///< gflops: flop over the median
  double peakGflops = 0, peakGflopsBf16 = 0; ///< medians; bf16: 0 unless the entry has 16-bit tensors
  double fractionOfPeak = 0;                 ///< median over repetitions of rate / peak just before and after
  double pairs = 0, executedPairs = 0;
  int64_t workspaceBytes = 0, peakRssBytes = 0;
};

/// Calls the entry once to warm up, then `repetitions` times between bursts of the FMA peak. One thread is timed by its
/// CPU clock, several by the wall clock. Entries that take less than some milliseconds are called several times per
/// repetition.
/// On a GPU, whose peak is not measured, everything is timed by the wall clock, from the call to the end of its work.
bool measure(EntryCall &call, xfrt_context *context, int64_t repetitions, Measurement &measurement, Failure &failure);

void printTable(const Measurement &measurement);

/// One JSON object on one line.
std::string toJson(const Measurement &measurement);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_XF_BENCH_MEASUREMENT_H
