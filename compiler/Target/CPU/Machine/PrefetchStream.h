//===- PrefetchStream.h - Lines asked for while other work goes on ----------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A long loop asks for cache lines in even steps, one of each stream in each turn, so that memory works while the
// multipliers do:
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

/// `count` cache lines, in rows of `perRow` neighbours that are `stride` bytes apart.
struct CacheLines {
  Value pointer, stride, count;
  int64_t perRow = 1;
  bool forWriting = false;
};

struct PrefetchStream {
  CacheLines lines;
  Value position, step; ///< in lines, times 2^16

  /// From the first line on; `count` of them, at most those of the stream, in `turns` (at least 1).
  static PrefetchStream start(KernelBuilder &kb, const CacheLines &lines, Value count, Value turns);

  /// Asks for the line at the given position; returns the next one.
  Value prefetch(KernelBuilder &kb, Value position) const;
};

/// What a loop carries of several streams, and back.
SmallVector<Value> positionsOf(ArrayRef<PrefetchStream> prefetches);
void resume(MutableArrayRef<PrefetchStream> prefetches, ValueRange positions);

} // namespace mlir::xf::cpu

#endif // XF_COMPILER_TARGET_CPU_MACHINE_PREFETCHSTREAM_H
