//===- RowThreads.h - The threads that share a row ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_ROWS_ROWTHREADS_H
#define XF_COMPILER_TARGET_GPU_ROWS_ROWTHREADS_H

#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::gpu {

/// The threads that share a row: a warp, or all threads of a block, chosen at run time. Warps have different rows and
/// never wait for each other.
class RowThreads {
public:
  /// Allocates shared memory for `reductions` results of each warp. `choose` selects the block or the warp for the rows
  /// that follow; `isBlock` (i1) must be the same in all threads.
  RowThreads(ThreadBlock &block, unsigned reductions);
  void choose(Value isBlock);

  ThreadBlock &block;
  Value thread;  ///< number in the team
  Value threads; ///< threads of the team, a power of 2
  Value number;  ///< the team's number in the block
  Value teams;   ///< teams of the block

  /// Combines the threads' partial results; returns the result in all threads. Order: lanes as a tree, then warps in
  /// sequence.
  SmallVector<Value> combine(ArrayRef<xft::Combiner> combiners, ValueRange own);
  /// Runs `body` in the first thread of the team.
  void onFirst(function_ref<void()> body);
  /// Barrier of the team: memory written before is visible after, and combine may be called again.
  void synchronize();

private:
  Value slot(unsigned reduction, Value warp);

  Value isBlock, partials; ///< [reduction][warp], 8 bytes each
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_ROWTHREADS_H
