//===- BlockThreads.h - A block that runs a task step by step - -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_GPU_SCAN_BLOCKTHREADS_H
#define XF_COMPILER_TARGET_GPU_SCAN_BLOCKTHREADS_H

#include "compiler/Target/GPU/Machine/ThreadBlock.h"
#include "compiler/Target/Kernel/Scan/TaskThreads.h"

namespace mlir::xf::gpu {

/// How a thread block multiplies the matrices of a scan.
enum class ScanFactors {
  Exact, ///< scalar fused multiply-adds
  TF32,  ///< tensor cores; factors are rounded to TF32
  Split  ///< tensor cores; a factor is the sum of two TF32 numbers (22 bits); the product of lower parts is left out
};

/// The threads of a thread block. Thread t runs iterations t, t + threads, .. of a loop over threads. Loops over warps
/// and over lanes are shared in the same way. Values pass from warp to warp through shared memory.
class BlockThreads final : public TaskThreads {
public:
  /// Allocates shared memory for one value of type `real` of each thread. `factors` says how products of tiles are
  /// computed.
  BlockThreads(ThreadBlock &block, Type real, ScanFactors factors);

  bool isOne() const override { return false; }
  int64_t perWarp() const override { return ThreadBlock::warpSize; }
  int64_t count() const override { return block.threads; }

  void overThreads(int64_t end, int64_t step, Body body) override;
  void overWarps(int64_t end, int64_t step, Body body) override;
  void overLanes(int64_t end, int64_t step, Body body) override;

  void once(function_ref<void()> body) override { onFirst(block.thread, body); }
  void inFirstWarp(function_ref<void()> body) override { onFirst(block.warp, body); }
  void inFirstLane(function_ref<void()> body) override { onFirst(block.lane, body); }

  void synchronize() override { block.synchronize(); }
  Value combineLanes(Value x, Combine combine) override;
  Value combineLowerLanes(Value x, Combine combine) override;
  Value fromLastLane(Value x) override { return block.fromLane(x, kb.integer(ThreadBlock::warpSize - 1)); }
  Value combineWarps(Value x, Combine combine) override;
  Value reduceOverLanes(int64_t end, int64_t step, Value init, function_ref<Value(Value, Value)> add,
                        Combine combine) override;
  Value reduceOverWarps(int64_t count, Value init, function_ref<Value(Value, Value)> add, Combine combine) override;
  Value sumOverThreads(int64_t count, Type real, function_ref<Value(Value, Value)> add) override;

  //===--- BlockProducts.cpp ---===//
  bool usesTensorCores() const override { return factors != ScanFactors::Exact; }
  bool roundsFactors() const override { return factors == ScanFactors::TF32; }
  Value rounded(Value x) override;
  Value canonicalized(Value x) override;
  Value tileRow() override { return kb.floorDiv(block.lane, WarpTile::across); }
  Value tileColumn() override { return kb.floorMod(block.lane, WarpTile::across); }
  SmallVector<Value> multiplyTile(WarpTile tile, ValueRange sums, const WarpTerms &terms, bool onlyFinite) override;
  Value any(Value condition) override { return block.any(condition); }

private:
  /// Loads a part of an operand: `count` rows from `first` on and, of each row, `terms` terms from `term` on. Returns
  /// the elements as [row][term]. Loads vectors if terms or rows are contiguous.
  SmallVector<SmallVector<Value>> loadPart(const WarpOperand &operand, Value first, int64_t count, Value term,
                                           int64_t terms);
  SmallVector<Value> loadFollowing(Value pointer, int64_t count, bool isAligned);
  /// An element as a factor of tensor cores: `upper` + `lower`. A null `lower` stands for 0.
  struct SplitFactor {
    Value upper, lower;
  };
  using SplitPart = SmallVector<SmallVector<SplitFactor>>; ///< [row][term]
  SplitFactor asFactor(Value x, bool isExact, bool onlyFinite);
  void multiplyTensors(WarpTile tile, MutableArrayRef<Value> sums, MutableArrayRef<Value> lowerSums,
                       const SplitPart &left, const SplitPart &right);
  int64_t warps() const { return block.threads / ThreadBlock::warpSize; }
  void onFirst(Value number, function_ref<void()> body);
  /// Shares a loop among `others` threads, warps or lanes. Builds the iterations of the one with index `first`: body(i)
  /// for i = first step, (first + others) step, (first + 2 others) step, .., as long as i < end.
  void share(Value first, int64_t others, int64_t end, int64_t step, Body body);
  Value reduce(Value first, int64_t others, int64_t end, Value init, function_ref<Value(Value, Value)> add);

  ThreadBlock &block;
  Type real;
  ScanFactors factors;
  Value partials; ///< [warp][lane]
};

} // namespace mlir::xf::gpu

#endif // XF_COMPILER_TARGET_GPU_SCAN_BLOCKTHREADS_H
