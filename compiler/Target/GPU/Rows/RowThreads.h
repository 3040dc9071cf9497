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

/// The threads that work on a row: some lanes of a warp or, chosen at run time, a warp or all threads of a thread
/// block. Warps that work on different rows never wait for each other.
class RowThreads {
public:
  /// Allocates shared memory for `reductions` partial results of each warp.
  RowThreads(ThreadBlock &block, unsigned reductions);
  /// Selects the team for the next rows: the whole thread block if `isBlock` (i1, the same in all threads), else the
  /// warp. Must be called before the other members are used.
  void choose(Value isBlock);
  /// Selects `count` adjacent lanes, a power of 2, as the team for the next rows. From then on, all lanes of a warp
  /// must call the other members together.
  void chooseLanes(int64_t count);

  ThreadBlock &block;
  Value thread;  ///< index in the team
  Value threads; ///< number of threads of the team, a power of 2
  Value number;  ///< index of the team in the thread block
  Value teams;   ///< number of teams in the thread block

  /// Combines the partial results `own` of all threads of the team by `combiners`. Returns the results in all threads.
  /// Lanes are combined as a tree, then warps in order.
  SmallVector<Value> combine(ArrayRef<xft::Combiner> combiners, ValueRange own);
  /// Runs `body` in the first thread of the team.
  void onFirst(function_ref<void()> body);
  /// Builds a barrier of the team. What a thread wrote before the barrier is visible to the other threads of the team
  /// after it. Between two calls of `combine`, there must be a call of this function.
  void synchronize();

private:
  Value slot(unsigned reduction, Value warp);

  Value isBlock;                         ///< null for teams of lanes
  int64_t lanes = ThreadBlock::warpSize; ///< lanes of a warp that a team has
  Value partials;                        ///< [reduction][warp], 8 bytes each
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_ROWS_ROWTHREADS_H
