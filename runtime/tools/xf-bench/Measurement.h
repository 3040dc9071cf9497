//===- Measurement.h - Timing of an entry ----------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_XF_BENCH_MEASUREMENT_H
#define XFRT_TOOLS_XF_BENCH_MEASUREMENT_H

#include "../EntryCall.h"
#include "../Ranks.h"

namespace xfrt::tools {

/// The measured figures of one entry, as the table and the JSON file report them. Unknown figures (such as the FLOP of
/// a dynamic entry) are 0.
struct Measurement {
  std::string device; ///< name and architecture of a GPU; empty on the CPU
  std::string entry, target;
  int32_t ranks = 1; ///< number of ranks; flop, pairs and bytes are those of the first rank's share
  int threads = 1;   ///< threads of each rank
  int64_t repetitions = 0;
  double secondsMin = 0, secondsMedian = 0;
  double flop = 0, gflops = 0;               ///< gflops is flop over the median time
  double peakGflops = 0, peakGflopsBf16 = 0; ///< medians of the bursts; peakGflopsBf16 is 0 without 16-bit tensors
  double fractionOfPeak = 0;                ///< median over repetitions of the rate over the peak just before and after
  double secondsSpread = 1, peakSpread = 1; ///< median time over the least; fastest burst over the slowest
  bool isDisturbed = false;                 ///< other programs have disturbed the measurement
  double pairs = 0, executedPairs = 0;
  int64_t workspaceBytes = 0, peakRssBytes = 0;
};

/// Measures an entry. Calls it twice to warm up and to estimate its time, then runs `repetitions` repetitions. Between
/// repetitions, bursts measure the peak rate. A repetition is one call, or several calls if a call takes less than some
/// milliseconds. Calls on one thread are timed by CPU time, calls on several threads by the wall clock.
///
/// A GPU has no measured peak, and calls on it are timed by the wall clock, from the call to the end of its work. If
/// there are several ranks, all make the same calls and begin each repetition together. The time of a repetition is the
/// wall-clock time of the slowest rank. A failure after the first call ends all ranks.
bool measure(EntryCall &call, xfrt_context *context, const Ranks &ranks, int64_t repetitions, Measurement &measurement,
             Failure &failure);

void printTable(const Measurement &measurement);

/// Returns the measurement as one line of JSON.
std::string toJson(const Measurement &measurement);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_XF_BENCH_MEASUREMENT_H
