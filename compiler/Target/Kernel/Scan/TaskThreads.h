//===- TaskThreads.h - The threads of a task ------------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs steps of a task on its threads: products, maps, sums along rows. A CPU worker is one thread and runs a step as
// loops over vector registers. On a GPU, a thread block runs the step: iterations are distributed to threads, and
// vectors have one element. Code is written once for both. It declares which iterations are independent, and what one
// thread of a block does for all.
//
// Control flow around a step is uniform: all threads read its conditions from memory after synchronize(), and before
// any thread writes them again. Steps end with synchronize(), unless their comment says otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H
#define XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H

#include "compiler/Target/Kernel/Code/KernelBuilder.h"
#include "compiler/Target/Kernel/Code/ProductForm.h"

namespace mlir::xf::kernel {

/// A tile of a product that a warp computes. The threads of the warp form a grid of `down` x `across`, in row-major
/// order, and each has `rows` x `columns` consecutive accumulators.
struct WarpTile {
  static constexpr int64_t down = 8, across = 4;
  int64_t rows, columns;

  int64_t allRows() const { return down * rows; }
  int64_t allColumns() const { return across * columns; }
};

/// An operand of a product of warps. Let n be a row or column of the result, and t a term. Element (n, t) is at
/// pointer[n * step + t * stride]. `step` or `stride` is 1.
struct WarpOperand {
  Value pointer;
  int64_t step, stride;
  bool isAligned; ///< whether `pointer` is a multiple of 16 bytes
  bool isExact;   ///< whether rounded() leaves every element unchanged
};

/// The terms [lower, upper) of a product of warps. The operands start at the first row and column of a tile.
struct WarpTerms {
  WarpOperand left, right;
  Value lower, upper;
};

/// The threads that run a task. This class is for one thread, a worker of a CPU. A derived class is for a thread block.
class TaskThreads {
public:
  explicit TaskThreads(KernelBuilder &kb) : kb(kb) {}
  virtual ~TaskThreads() = default;

  using Body = function_ref<void(Value index)>;
  using Combine = function_ref<Value(Value, Value)>;

  /// Returns whether the task has one thread, which computes in vector registers.
  virtual bool isOne() const { return true; }
  /// Returns the number of threads in a warp.
  virtual int64_t perWarp() const { return 1; }
  /// Returns the number of threads of the task.
  virtual int64_t count() const { return 1; }

  //===--- distributed loops; no synchronize() ---===//
  /// Calls `body` for the indices 0, step, 2 step, .. below `end`, each in one thread.
  virtual void overThreads(int64_t end, int64_t step, Body body) { loop(end, step, body); }
  /// Calls `body` for the indices 0, step, 2 step, .. below `end`, each in all threads of one warp.
  virtual void overWarps(int64_t end, int64_t step, Body body) { loop(end, step, body); }
  /// Calls `body` for the indices 0, step, 2 step, .. below `end` in every warp, each in one of its lanes.
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
  /// Combines `x`, a vector of one element, over all lanes of a warp. Returns the result in all of them.
  virtual Value combineLanes(Value x, Combine) { return x; }
  /// Combines `x` over the lanes up to and including this one (an inclusive scan over a warp).
  virtual Value combineLowerLanes(Value x, Combine) { return x; }
  /// Returns the `x` of the last lane of the warp, in all lanes.
  virtual Value fromLastLane(Value x) { return x; }
  /// Reduces the indices 0, step, 2 step, .. below `end`: starts from `init`, and add(index, sum) returns the next sum.
  /// The lanes of a warp share the indices. Their sums are combined, and all lanes get the result.
  virtual Value reduceOverLanes(int64_t end, int64_t step, Value init, function_ref<Value(Value index, Value sum)> add,
                                Combine) {
    return kb.loop(kb.integer(0), kb.integer(end), step, init,
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }
  /// Combines `x` over the same lane of all warps. Returns the result in these lanes.
  virtual Value combineWarps(Value x, Combine) { return x; }
  /// Reduces the indices below `count` for each lane: starts from `init`, and add(index, sum) returns the next sum. The
  /// warps share the indices. The sums of the same lane of all warps are combined, and all of these lanes get the
  /// result.
  virtual Value reduceOverWarps(int64_t count, Value init, function_ref<Value(Value index, Value sum)> add, Combine) {
    return kb.loop(kb.integer(0), kb.integer(count), 1, init,
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }
  /// Reduces indices as reduceOverLanes does, by addition.
  Value sumOverLanes(int64_t end, int64_t step, Value init, function_ref<Value(Value index, Value sum)> add) {
    return reduceOverLanes(end, step, init, add, [&](Value x, Value y) { return kb.addf(x, y); });
  }
  Value sumOverWarps(int64_t count, Value init, function_ref<Value(Value index, Value sum)> add) {
    return reduceOverWarps(count, init, add, [&](Value x, Value y) { return kb.addf(x, y); });
  }
  /// Reduces the indices below `count`: starts from 0 of type `real`, and add(index, sum) returns the next sum. All
  /// threads of the task share the indices, and all get the total.
  virtual Value sumOverThreads(int64_t count, Type real, function_ref<Value(Value index, Value sum)> add) {
    return kb.loop(kb.integer(0), kb.integer(count), 1, kb.real(real, 0),
                   [&](Value index, ValueRange sum) { return SmallVector<Value>{add(index, sum[0])}; })[0];
  }

  //===--- products of one thread ---===//
  /// The form of products whose instructions add several terms, if the machine has such instructions.
  std::optional<ProductForm> termsForm = {};
  /// Returns term `term` of each lane of an operand of termsForm, converted to the type of sums.
  Value (*termOf)(KernelBuilder &kb, Value operand, int64_t term) = nullptr;

  //===--- products of a warp ---===//
  /// Returns whether tensor cores compute products. If so, operands must be rounded() when they are stored. The rows
  /// and columns of a WarpTile must be multiples of 2, and numbers of terms multiples of 8.
  virtual bool usesTensorCores() const { return false; }
  /// Returns whether operands are rounded when they are stored. If not, products take them as they are.
  virtual bool roundsFactors() const { return false; }
  /// Rounds x to the precision of the operands of tensor cores, if roundsFactors().
  virtual Value rounded(Value x) { return x; }
  /// Returns `x`, elements of an input that were loaded without conversion, as products can take it. Numbers and
  /// infinities stay unchanged. Each NaN becomes a NaN that is still one when it is rounded.
  virtual Value canonicalized(Value x) { return x; }
  /// Return the row and column of this thread in the grid of a WarpTile.
  virtual Value tileRow() { return kb.integer(0); }
  virtual Value tileColumn() { return kb.integer(0); }
  /// Adds terms of a product to `sums`, this thread's accumulators of a tile. Returns the new sums. All threads of the
  /// warp must call it, with the same bounds. If `onlyFinite`, elements that are not finite are read as zeros.
  virtual SmallVector<Value> multiplyTile(WarpTile, ValueRange sums, const WarpTerms &terms, bool onlyFinite) {
    (void)terms, (void)onlyFinite;
    return SmallVector<Value>(sums);
  }
  /// Returns whether `condition` (i1) holds in any thread of the task. All threads get the result. Synchronizes.
  virtual Value any(Value condition) { return condition; }

protected:
  void loop(int64_t end, int64_t step, Body body) { kb.loop(kb.integer(0), kb.integer(end), step, body); }

  KernelBuilder &kb;
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_SCAN_TASKTHREADS_H
