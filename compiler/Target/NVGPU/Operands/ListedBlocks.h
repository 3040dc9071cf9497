//===- ListedBlocks.h - Blocks that a predicate leaves -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Streams only the blocks of rows or keys in which a predicate holds for some pair. The predicate reads data, so these
// blocks are known only at run time. Producers find them. Consumers learn of a block from the record of its stage:
//
//   producer                                      consumer
//     decide 32 blocks, one a lane                  do
//     for each that is left                           wait until the stage is full; read its record
//       wait until the stage is empty                 use the block; mask its pairs unless the predicate holds for all
//       write its record, start its copies          until it is the last one
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_LISTEDBLOCKS_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_LISTEDBLOCKS_H

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"

namespace mlir::xf::nvgpu {

/// A block that the record of its stage names. `number` (i32) is one of the numbers of a BlockNumbers. `isFull` (i1)
/// says that the predicate holds for all pairs of the block, `isLast` (i1) that it is the last block of its walk.
struct ListedBlock {
  Value number, isFull, isLast;
};

/// The number of bytes of the record of a stage.
constexpr int64_t blockRecordBytes = 8;
/// Returns the number of bytes of the records of `stages` stages.
constexpr int64_t blockRecordsBytes(int64_t stages) { return (stages * blockRecordBytes + 15) / 16 * 16; }

/// The records of the blocks in the stages of a ring, in shared memory.
struct BlockRecords {
  Value pointer;

  /// Writes the record of the stage at `place`, which must be empty. Called by one thread.
  void publish(KernelBuilder &kb, const ListedBlock &block, const PipelineState &place) const;
  /// Reads the record of the stage at `place`. The stage must be full. Called by all lanes of a warp. When the call
  /// returns, all lanes have read the record, so one lane may release the stage.
  ListedBlock read(ThreadBlock &block, const PipelineState &place) const;
};

/// The blocks of a range, among which a walk looks for the blocks to copy. Their numbers (ranks or indices of blocks,
/// i64) are begin, begin + step, .. below `end`.
struct BlockNumbers {
  Value begin, end;
  int64_t step;
};
/// Whether a predicate is known to hold for no pair of a block, and whether it is known to hold for all its pairs (i1).
struct BlockDecision {
  Value isEmpty, isFull;
};

/// Builds the walk of a producer warp over the blocks of a range in which a predicate holds for some pair. If there are
/// none, the walk has the first block of the range, because consumers compute at least one. decide(number) decides
/// about block `number` (i64), a different one in each lane. copy(number, record, place) copies a block to the stage at
/// `place`. The pipeline has `stages` stages. Returns its state after the walk. Does nothing if the range is empty.
PipelineState walkListed(ThreadBlock &block, int64_t stages, const BlockNumbers &range, const PipelineState &place,
                         function_ref<BlockDecision(Value number)> decide,
                         function_ref<void(Value number, const ListedBlock &record, const PipelineState &place)> copy);

/// Stores numbers (i64) that fit 32 bits side by side at `pointer`. The pointer must be aligned to the bytes of all
/// numbers.
void storeNumbers(KernelBuilder &kb, ValueRange numbers, Value pointer);
/// Loads `count` numbers of 32 bits at `pointer` as i64.
SmallVector<Value> loadNumbers(KernelBuilder &kb, int64_t count, Value pointer);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_LISTEDBLOCKS_H
