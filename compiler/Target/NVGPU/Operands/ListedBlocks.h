//===- ListedBlocks.h - Blocks that a predicate leaves -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With a predicate, producers copy only the blocks in which it holds for some pair, which data decide. Consumers learn
// of a block from the record of its stage:
//
//   producer                                      consumer
//     decide 32 blocks, one a lane                  do
//     for each that is left                           wait until the stage is full; read its record
//       wait until the stage is empty                 the block, with a mask unless the predicate holds for all pairs
//       write its record, start its copies          until it is the last one
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_NVGPU_OPERANDS_LISTEDBLOCKS_H
#define XF_COMPILER_TARGET_NVGPU_OPERANDS_LISTEDBLOCKS_H

#include "compiler/Target/NVGPU/Machine/Warpgroup.h"

namespace mlir::xf::nvgpu {

/// A block that consumers learn of by its stage: its number in units of the walk (i32; ranks or blocks), whether the
/// predicate holds for all its pairs, and whether it is the last of its walk (i1).
struct ListedBlock {
  Value number, isFull, isLast;
};

/// The bytes of the record by which a stage tells its block.
constexpr int64_t blockRecordBytes = 8;
/// Returns the bytes of the records of `stages` stages.
constexpr int64_t blockRecordsBytes(int64_t stages) { return (stages * blockRecordBytes + 15) / 16 * 16; }

/// The records of the blocks in the stages of a ring, in shared memory.
struct BlockRecords {
  Value pointer;

  /// Writes the record of the stage at `place`, which is empty. Called by one thread.
  void publish(KernelBuilder &kb, const ListedBlock &block, const PipelineState &place) const;
  /// Reads the record of the stage at `place`, which is full. Called by all lanes of a warp, before the one that
  /// releases the stage goes on.
  ListedBlock read(ThreadBlock &block, const PipelineState &place) const;
};

/// The blocks among which a walk looks: numbers begin, begin + step, .. below `end` (i64).
struct BlockNumbers {
  Value begin, end;
  int64_t step;
};
/// What a predicate shows about a block (i1).
struct BlockDecision {
  Value isEmpty, isFull;
};

/// Walks the blocks of a range that a predicate leaves, in a producer warp; where it leaves none, one of them, because
/// consumers compute at least one. decide(number) is asked for the lane's own block (i64), which is in the range.
/// copy(number, record, place) sends a block. Returns the state of a ring of `stages` stages behind the walk. Does
/// nothing if the range is empty.
PipelineState walkListed(ThreadBlock &block, int64_t stages, const BlockNumbers &range, const PipelineState &place,
                         function_ref<BlockDecision(Value number)> decide,
                         function_ref<void(Value number, const ListedBlock &record, const PipelineState &place)> copy);

/// Stores numbers (i64) that fit 32 bits side by side at `pointer`, which is aligned to their bytes.
void storeNumbers(KernelBuilder &kb, ValueRange numbers, Value pointer);
/// Loads `count` numbers of 32 bits as i64.
SmallVector<Value> loadNumbers(KernelBuilder &kb, int64_t count, Value pointer);

} // namespace mlir::xf::nvgpu

#endif // XF_COMPILER_TARGET_NVGPU_OPERANDS_LISTEDBLOCKS_H
