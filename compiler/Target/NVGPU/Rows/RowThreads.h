//===- RowThreads.h - The threads that share a row ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_ROWS_ROWTHREADS_H
#define XF_COMPILER_TARGET_NVGPU_ROWS_ROWTHREADS_H

#include "compiler/Target/NVGPU/Machine/ThreadBlock.h"
#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf::nvgpu {

/// A warp, or all threads of a block, which of the two is known when the kernel runs. Where teams are warps, they have
/// different rows and never wait for each other.
class RowThreads {
public:
  /// Takes shared memory for `reductions` results of each warp. `isBlock` (i1) is the same in all threads.
  RowThreads(ThreadBlock &block, unsigned reductions);
  void choose(Value isBlock);

  ThreadBlock &block;
  Value thread;  ///< number within the team, i64
  Value threads; ///< how many there are: a power of 2
  Value number;  ///< of the team
  Value teams;   ///< of the block

  /// Partial results of threads as one, the same in all of them: lanes as a tree, then warps in order.
  SmallVector<Value> combine(ArrayRef<xft::Combiner> combiners, ValueRange own);
  /// Where code runs in one thread of the team.
  void onFirst(function_ref<void()> body);
  /// What threads of the team wrote, others then see; partial results may be combined again.
  void synchronize();

private:
  Value slot(unsigned reduction, Value warp);

  Value isBlock, partials; ///< [reduction][warp], 8 bytes each
};

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_ROWS_ROWTHREADS_H
