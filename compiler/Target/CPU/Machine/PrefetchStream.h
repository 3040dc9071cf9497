//===- PrefetchStream.h - Software prefetch in loops ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prefetches cache lines by software while a long loop computes. Each iteration of the loop prefetches a line of each
// stream, in even steps, so that memory works while the multipliers do:
//   position = 0
//   for .. { prefetch the line at position; position += count / turns; .. }
// Positions are fractions of lines, carried by the loop.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_CPU_MACHINE_PREFETCHSTREAM_H
#define XF_COMPILER_TARGET_CPU_MACHINE_PREFETCHSTREAM_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::cpu {
using namespace kernel;

/// Prefetches the cache line at `pointer` to the first-level cache. KernelBuilder::prefetch leaves it in the second.
void prefetchToFirstLevel(KernelBuilder &kb, Value pointer);
/// Keeps the code generator from moving loads and prefetches across this point. Otherwise the code generator would
/// gather the prefetches of a loop in one place, and the processor would wait, because it takes only few prefetches at
/// a time. Emits no instruction.
void keepOrder(KernelBuilder &kb);

/// A set of `count` cache lines, in rows of `perRow` adjacent lines. Rows are `stride` bytes apart.
struct CacheLines {
  Value pointer, stride, count;
  int64_t perRow = 1;
  bool forWriting = false;
};

/// A set of cache lines that a loop prefetches line by line, and the position that it has reached.
struct PrefetchStream {
  CacheLines lines;
  Value position, step; ///< in lines, times 2^16

  /// Returns a stream at the first of `lines`. It spreads `count` lines, at most all of `lines`, evenly over the
  /// iterations of a loop. `turns` is the number of iterations, at least 1.
  static PrefetchStream start(KernelBuilder &kb, const CacheLines &lines, Value count, Value turns);

  /// Prefetches the line at `position`, and returns the position of the next iteration.
  Value prefetch(KernelBuilder &kb, Value position) const;
};

/// Returns the positions of `prefetches`, which a loop carries from iteration to iteration.
SmallVector<Value> positionsOf(ArrayRef<PrefetchStream> prefetches);
/// Sets the positions of `prefetches` to `positions`, the values that a loop carried.
void resume(MutableArrayRef<PrefetchStream> prefetches, ValueRange positions);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_PREFETCHSTREAM_H
