//===- Peak.h - Peak rate of the cores -------------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures the peak rate with which xf-bench compares its figures. A burst runs chains of fused multiply-adds in
// registers, in the widest vectors of this processor. It takes a few milliseconds, so that each measurement can have
// one burst before it and one after it.
//
//===----------------------------------------------------------------------===//

#ifndef XFRT_TOOLS_PEAK_H
#define XFRT_TOOLS_PEAK_H

#include "../lib/cpu/MultiplyAdds.h"

namespace xfrt::tools {

/// Returns the CPU time in seconds that the calling thread has used. Time during which other threads run does not
/// count.
double threadSeconds();

/// Returns the wall-clock time in seconds.
double wallSeconds();

/// The instruction whose peak rate is measured.
enum class PeakKind {
  F32, ///< multiply-add of f32: 2 FLOP per lane
  BF16 ///< vdpbf16ps: 4 FLOP per lane of f32
};

/// Returns whether the processor has the instruction; always true for F32.
bool hasPeak(PeakKind kind);

/// Measures the peak rate of `threads` threads together in a burst of about `seconds`, as a profile does
/// (XFRT_PROFILE).
cpu::Burst measurePeak(PeakKind kind, int threads, double seconds);

} // namespace xfrt::tools

#endif // XFRT_TOOLS_PEAK_H
