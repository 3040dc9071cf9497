//===- Peak.h - What the cores can do at best ------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The yardstick of every measured figure: chains of fused multiply-adds in registers, in the widest vectors that this
// processor has, for a few milliseconds at a time, so that a measurement can stand between two of them.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_PEAK_H
#define XFRT_TOOLS_PEAK_H

#include <stdint.h>

namespace xfrt::tools {

/// CPU seconds of the calling thread: what others take from it does not count.
double threadSeconds();

/// Seconds of the wall clock.
double wallSeconds();

enum class PeakKind {
  F32, ///< a multiply-add of f32 is 2 FLOP a lane
  BF16 ///< vdpbf16ps: 4 FLOP a lane of f32
};

/// False for BF16 where the processor has no such instruction.
bool hasPeak(PeakKind kind);

/// GFLOP/s of `threads` threads together over a burst of about `seconds`: by CPU time for one thread, by wall clock
/// from the first start to the last end for more.
double measurePeak(PeakKind kind, int threads, double seconds);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_PEAK_H
