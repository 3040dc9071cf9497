//===- TaskThreads.h - The threads that run a task together --- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A task of some kernels works on matrices in memory of its own, step by step: products, maps, sums along rows. A CPU's
// worker runs a step as loops over vector registers. On a GPU a block of threads runs it, whose iterations are shared
// out; a thread then stands for a vector of one element. Code that is written once for both says which iterations do
// not depend on each other, and what one thread of a block does for all.
//
// Control flow around a step is the same in all threads: what it depends on is read from memory by all of them, after
// synchronize() and before anybody writes it again. Steps that are built here end with synchronize(), unless said
// otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"

namespace mlir::xf::kernel {

/// A tile of a product that a warp computes together: its threads are `down` x `across`, row by row, each with
/// `rows` x `columns` sums that follow each other.
struct WarpTile {
  static constexpr int64_t down = 8, across = 4;
  int64_t rows, columns;

  int64_t allRows() const { return down * rows; }
  int64_t allColumns() const { return across * columns; }
};

/// A matrix that warps multiply; element (n, t) - row or column n, term t - is at pointer[n * step + t * stride], and
/// one of those is 1.
struct WarpOperand {
  Value pointer;
  int64_t step, stride;
  bool isAligned; ///< whether `pointer` is a multiple of 16 bytes
  bool isExact;   ///< whether rounded() would change no element
};

/// One thread: a worker of a CPU.
class TaskThreads {
public:
  explicit TaskThreads(KernelBuilder &kb) : kb(kb) {}
  virtual ~TaskThreads() = default;

  using Body = function_ref<void(Value index)>;
  using Combine = function_ref<Value(Value, Value)>;

  virtual bool isOne() const { return true; }
  /// Threads of a warp, and all.
  virtual int64_t perWarp() const { return 1; }
  virtual int64_t count() const { return 1; }

  //===--- shares of a loop; no synchronize() ---===//
  /// Iterations from 0 on in steps, each of some thread.
  virtual void overThreads(int64_t end, int64_t step, Body body) { loop(end, step, body); }
  /// Each of some warp, all of whose threads run it.
  virtual void overWarps(int64_t end, int64_t step, Body body) { loop(end, step, body); }
  /// Each of some thread of every warp.
  virtual void overLanes(int64_t end, int64_t step, Body body) { loop(end, step, body); }

  //===--- what few threads do for all; no synchronize() ---===//
  virtual void once(function_ref<void()> body) { body(); }
  virtual void inFirstWarp(function_ref<void()> body) { body(); }
  virtual void inFirstLane(function_ref<void()> body) { body(); }

  virtual void synchronize() {}
  /// x of the lanes of a warp combined, in all of them; of a vector of one element.
  virtual Value combineLanes(Value x, Combine) { return x; }
  /// x of the lanes up to one's own combined; of the last lane x itself.
  virtual Value combineLowerLanes(Value x, Combine) { return x; }
  virtual Value fromLastLane(Value x) { return x; }
  /// The same of what the indices below `end`, in steps, make of `init`, where lanes share them out.
  virtual Value reduceOverLanes(int64_t end, int64_t step, Value init, function_ref<Value(Value index, Value sum)> add,
                                Combine) {
    return kb.loop(kb.integer(0), kb.integer(end), step, init,
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }
  /// x of the same lane of all warps combined, in all of them.
  virtual Value combineWarps(Value x, Combine) { return x; }
  /// init, changed by add(index, so far) for every index below `count`: of the same lane of all warps, each of which
  /// starts with `init` and takes some of the indices; combined, in all of them.
  virtual Value reduceOverWarps(int64_t count, Value init, function_ref<Value(Value index, Value sum)> add, Combine) {
    return kb.loop(kb.integer(0), kb.integer(count), 1, init,
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }
  /// The sum over the indices below `count`, in all threads.
  virtual Value sumOverThreads(int64_t count, Type real, function_ref<Value(Value index, Value sum)> add) {
    return kb.loop(kb.integer(0), kb.integer(count), 1, kb.real(real, 0),
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }

  //===--- products of a warp ---===//
  /// Whether tensor cores multiply: operands are rounded() then, and tiles are whole multiples of 2 x 2 of 8 terms.
  virtual bool usesTensorCores() const { return false; }
  virtual Value rounded(Value x) { return x; }
  /// The thread's place in a tile.
  virtual Value tileRow() { return kb.integer(0); }
  virtual Value tileColumn() { return kb.integer(0); }
  /// sums += terms [lower, upper) of a tile whose operands start at its first row and column; all threads of the warp,
  /// with the same bounds. With `onlyFinite`, elements that are not finite are read as zeros.
  virtual SmallVector<Value> multiplyTile(WarpTile, ValueRange sums, const WarpOperand &left, const WarpOperand &right,
                                          Value lower, Value upper, bool onlyFinite) {
    (void)left, (void)right, (void)lower, (void)upper, (void)onlyFinite;
    return SmallVector<Value>(sums);
  }
  /// Whether `condition` holds in any thread; synchronizes.
  virtual Value any(Value condition) { return condition; }

protected:
  void loop(int64_t end, int64_t step, Body body) { kb.loop(kb.integer(0), kb.integer(end), step, body); }

  KernelBuilder &kb;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H
