//===- TaskThreads.h - The threads of a task ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of some kernels works on matrices in its own memory, step by step: products, maps, sums along rows. A CPU
// worker runs a step as loops over vector registers. On a GPU, a block of threads runs it: iterations are distributed
// to threads, and a thread has vectors of one element. Code written once for both declares which iterations are
// independent, and what one thread of a block does for all.
//
// Control flow around a step is uniform: its conditions are read from memory by all threads, after synchronize() and
// before any thread writes them again. Steps end with synchronize(), unless their comment says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// A tile of a product that a warp computes together: its threads are `down` x `across`, row by row, each with `rows` x
/// `columns` consecutive accumulators.
struct WarpTile {
  static constexpr int64_t down = 8, across = 4;
  int64_t rows, columns;

  int64_t allRows() const { return down * rows; }
  int64_t allColumns() const { return across * columns; }
};

/// A matrix that warps multiply; element (n, t) - row or column n, term t - is at pointer[n * step + t * stride]; step
/// or stride is 1.
struct WarpOperand {
  Value pointer;
  int64_t step, stride;
  bool isAligned; ///< `pointer` is a multiple of 16 bytes
  bool isExact;   ///< rounded() would change no element
};

/// The threads of a task. This class is one thread, a worker of a CPU.
class TaskThreads {
public:
  explicit TaskThreads(KernelBuilder &kb) : kb(kb) {}
  virtual ~TaskThreads() = default;

  using Body = function_ref<void(Value index)>;
  using Combine = function_ref<Value(Value, Value)>;

  /// Returns whether the task has one thread, with vector registers.
  virtual bool isOne() const { return true; }
  /// Return the number of threads of a warp, and of the task.
  virtual int64_t perWarp() const { return 1; }
  virtual int64_t count() const { return 1; }
  /// Returns the bytes of memory that threads share; 0 for one thread, which has memory of its own.
  virtual int64_t sharedBytes() const { return 0; }

  //===--- distributed loops; no synchronize() ---===//
  /// Runs the iterations 0, step, .. below `end`, each in some thread.
  virtual void overThreads(int64_t end, int64_t step, Body body) { loop(end, step, body); }
  /// Runs each iteration in all threads of some warp.
  virtual void overWarps(int64_t end, int64_t step, Body body) { loop(end, step, body); }
  /// Runs each iteration in some thread of every warp.
  virtual void overLanes(int64_t end, int64_t step, Body body) { loop(end, step, body); }

  //===--- work of few threads for all; no synchronize() ---===//
  /// Runs `body` in one thread.
  virtual void once(function_ref<void()> body) { body(); }
  /// Runs `body` in all threads of the first warp.
  virtual void inFirstWarp(function_ref<void()> body) { body(); }
  /// Runs `body` in the first thread of every warp.
  virtual void inFirstLane(function_ref<void()> body) { body(); }

  /// Waits for all threads of the task, and makes their stores visible.
  virtual void synchronize() {}
  /// Combines x of the lanes of a warp, in all of them; x is a vector of one element.
  virtual Value combineLanes(Value x, Combine) { return x; }
  /// Combines x of the lanes up to this one (an inclusive scan).
  virtual Value combineLowerLanes(Value x, Combine) { return x; }
  /// Returns x of the last lane.
  virtual Value fromLastLane(Value x) { return x; }
  /// Reduces the indices below `end`, in steps, from `init` by `add`; lanes share the indices, and all get the result.
  virtual Value reduceOverLanes(int64_t end, int64_t step, Value init, function_ref<Value(Value index, Value sum)> add,
                                Combine) {
    return kb.loop(kb.integer(0), kb.integer(end), step, init,
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }
  /// Combines x of the same lane of all warps, in all of them.
  virtual Value combineWarps(Value x, Combine) { return x; }
  /// Reduces the indices below `count` by add(index, so far), lane by lane: each warp starts with `init` and takes some
  /// of the indices; the results of the same lane of all warps are combined, in all of them.
  virtual Value reduceOverWarps(int64_t count, Value init, function_ref<Value(Value index, Value sum)> add, Combine) {
    return kb.loop(kb.integer(0), kb.integer(count), 1, init,
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }
  /// Returns the sum over the indices below `count`, in all threads.
  virtual Value sumOverThreads(int64_t count, Type real, function_ref<Value(Value index, Value sum)> add) {
    return kb.loop(kb.integer(0), kb.integer(count), 1, kb.real(real, 0),
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }

  //===--- products of a warp ---===//
  /// Returns whether tensor cores multiply: then operands are rounded(), and tiles are multiples of 2 x 2 with
  /// multiples of 8 terms.
  virtual bool usesTensorCores() const { return false; }
  /// Rounds x to the precision of tensor cores.
  virtual Value rounded(Value x) { return x; }
  /// Return the thread's place in a tile.
  virtual Value tileRow() { return kb.integer(0); }
  virtual Value tileColumn() { return kb.integer(0); }
  /// Adds terms [lower, upper) of a tile, whose operands start at its first row and column, to `sums`; runs in all
  /// threads of the warp, with the same bounds. With `onlyFinite`, non-finite elements are read as zeros.
  virtual SmallVector<Value> multiplyTile(WarpTile, ValueRange sums, const WarpOperand &left, const WarpOperand &right,
                                          Value lower, Value upper, bool onlyFinite) {
    (void)left, (void)right, (void)lower, (void)upper, (void)onlyFinite;
    return SmallVector<Value>(sums);
  }
  /// Returns whether `condition` holds in any thread; synchronizes.
  virtual Value any(Value condition) { return condition; }

protected:
  void loop(int64_t end, int64_t step, Body body) { kb.loop(kb.integer(0), kb.integer(end), step, body); }

  KernelBuilder &kb;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H
