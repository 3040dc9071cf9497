//===- SortRow.h - The first columns of a row in order -------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ROWS_SORTROW_H
#define XF_COMPILER_TARGET_KERNEL_ROWS_SORTROW_H

#include "compiler/Target/Kernel/Rows/RowSpace.h"
#include "dialects/xft/Ops/XftRowOrderOps.h"

namespace mlir::xf::kernel {

/// The threads that sort a row. This class is for one thread, a worker of a CPU. A derived class is for a thread block.
class SortThreads {
public:
  /// A pass sorts by `digit` bits of the keys. `counters` points to memory for an i64 counter of each value of these
  /// bits, for each thread. `candidates` is the number of columns that a step reads.
  SortThreads(KernelBuilder &kb, Value counters, int64_t digit, int64_t candidates)
      : kb(kb), counters(counters), digit(digit), candidates(candidates) {}
  virtual ~SortThreads() = default;

  KernelBuilder &kb;
  Value counters;
  int64_t digit;      ///< bits of a key by which a pass sorts
  int64_t candidates; ///< columns that a step reads, at most xft::leastSpareCandidates

  virtual int64_t count() const { return 1; }
  /// Returns the index of this thread.
  virtual Value number() { return kb.integer(0); }
  /// Waits for all threads, and makes their stores visible.
  virtual void synchronize() {}
  /// Returns the sum of `x` (i64) over the threads up to and including this one, and the sum over all threads.
  virtual std::pair<Value, Value> sumsOf(Value x) { return {x, x}; }

  /// The arguments of collect(), which reads columns [base, base + candidates) of a row `x` of `columns` columns. It
  /// appends the columns whose key is less than `limit` as candidates, in order, from candidate `count` on.
  /// append(column, key, place) stores candidate `place`. collect() returns the new number of candidates.
  struct Candidates {
    RowAccess x;
    Value base, columns, limit, count;
    /// Returns the sort keys of `elements`, given as their bits: integers or vectors of integers.
    function_ref<Value(Value elements)> keysOf;
    function_ref<void(Value column, Value key, Value place)> append;
  };
  virtual Value collect(const Candidates &from);
};

/// Builds `op` for row `row` of the current tile of `space`. All threads call it together.
void buildSortRow(SortThreads &threads, RowSpace &space, xft::SortRowOp op, Value row);

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ROWS_SORTROW_H
