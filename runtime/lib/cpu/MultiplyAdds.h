//===- MultiplyAdds.h - The fastest arithmetic of a core --------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of fused multiply-adds in registers, in the widest vectors of this processor: the rate that no kernel exceeds.
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

/// What a loop has reached on several threads at once.
struct Burst {
  double gflops; ///< by the CPU time of each thread, so that other programs on its CPU do not count; of threads that
                 ///< have no CPU of their own, as many count as have one
  double share;  ///< CPU time over the time of the CPUs that the threads have: less than 1 where other programs run
};

/// Runs a loop `iterations` times on each of `threads` threads, of which the caller is one.
Burst runBurst(const MultiplyAdds &loop, int32_t threads, int64_t iterations);

/// Bursts of a loop, one after the other.
class Bursts {
public:
  void add(const Burst &burst);
  double most() const { return highest; }
  /// The fastest over the slowest; 1 without bursts.
  double spread() const { return lowest > 0 ? highest / lowest : 1; }
  /// Whether other programs have disturbed them: fractions of such a peak are not to be trusted.
  bool areDisturbed() const { return spread() > 1.1 || (count > 0 && shares / count < 0.9); }

private:
  double highest = 0, lowest = 0, shares = 0;
  int32_t count = 0;
};

/// Returns the f32 rate of `threads` threads together. The variable XFRT_PEAK of the environment gives it in GFLOP/s;
/// otherwise the threads run short bursts, a few milliseconds in all, of which the fastest counts.
Peak findPeak(int32_t threads);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_MULTIPLYADDS_H
