//===- MultiplyAdds.h - The fastest arithmetic of a core --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures the peak rate of this processor, which no kernel exceeds. The measured loops are chains of fused
// multiply-adds in registers, in the widest vectors of this processor.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_LIB_CPU_MULTIPLYADDS_H
#define XFRT_LIB_CPU_MULTIPLYADDS_H

#include "../observe/Peak.h"

namespace xfrt::cpu {

/// A loop of independent multiply-adds.
struct MultiplyAdds {
  void (*run)(int64_t iterations) = nullptr; ///< null where the processor has no such instruction
  double flopPerIteration = 0;
};

/// Returns the loop of f32: 2 FLOP per lane.
MultiplyAdds f32MultiplyAdds();
/// Returns the loop of vdpbf16ps: 4 FLOP per lane of f32.
MultiplyAdds bf16MultiplyAdds();

/// The rate that a loop has reached on several threads at once.
struct Burst {
  double gflops; ///< sum of the rates of threads by CPU time, which leaves out other programs; of threads that
                 ///< share CPUs, only as many count as there are CPUs
  double share;  ///< CPU time over the time of the threads' CPUs; less than 1 if other programs run
};

/// Runs a loop `iterations` times on each of `threads` threads. The caller is one of them. Threads that fail to start
/// do not count.
Burst runBurst(const MultiplyAdds &loop, int32_t threads, int64_t iterations);

/// Statistics of consecutive bursts of a loop.
class Bursts {
public:
  void add(const Burst &burst);
  double most() const { return highest; }
  /// Returns the ratio of the fastest burst's rate to the slowest burst's rate, or 1 without bursts.
  double spread() const { return lowest > 0 ? highest / lowest : 1; }
  /// Returns whether other programs have disturbed the bursts. The measured peak is then too uncertain to compare rates
  /// with.
  bool areDisturbed() const { return spread() > 1.1 || (count > 0 && shares / count < 0.9); }

private:
  double highest = 0, lowest = 0, shares = 0;
  int32_t count = 0;
};

/// Returns the peak rate in f32 of `threads` threads together. If the environment variable XFRT_PEAK is set, the rate
/// is its value, in GFLOP/s. If not, the threads run short bursts, for a few milliseconds in all, and the rate is that
/// of the fastest.
Peak findPeak(int32_t threads);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_MULTIPLYADDS_H
