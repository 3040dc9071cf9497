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

/// Returns the f32 rate of `threads` threads together. The variable XFRT_PEAK of the environment gives it in GFLOP/s;
/// otherwise the calling thread runs short bursts, a few milliseconds in all, and the fastest counts for every thread.
Peak findPeak(int32_t threads);

} // namespace xfrt::cpu

#endif // XFRT_LIB_CPU_MULTIPLYADDS_H
