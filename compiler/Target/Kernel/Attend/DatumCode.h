//===- DatumCode.h - Data of a predicate in a kernel ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates data that a predicate reads besides the positions i and j (#xf.datum): the range of a datum over a box of
// pairs, and its values for one query and a register of keys.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "compiler/Target/Kernel/Attend/LaneRegion.h"

namespace mlir::xf::kernel {

/// The integers x with low <= x <= high.
struct IntegerRange {
  Value low, high;
};

/// Returns the range of a quasi-affine expression by interval arithmetic. `dims` and `symbols` are the ranges of its
/// dimensions and symbols.
IntegerRange buildRange(KernelBuilder &kb, AffineExpr expression, ArrayRef<IntegerRange> dims,
                        ArrayRef<IntegerRange> symbols);
/// Builds a quasi-affine expression as arith ops on index values. The dimensions and symbols of the expression are the
/// arguments of the builder's block: first `numDims` dimensions, then symbols.
Value buildIndexCode(OpBuilder &b, Location loc, AffineExpr expression, unsigned numDims);

/// Builds the code of one datum of a predicate (#xf.datum). A datum is a number for each row, a number for each key, or
/// says whether a pair is in lists.
class DatumCode {
public:
  /// Reads the sizes and strides of `first` and `second`, the operands of the datum, so it must be called at the head
  /// of the kernel.
  DatumCode(KernelBuilder &kb, DatumAttr datum, Value first, Value second);

  /// Computes the addresses of the datum's numbers or lists for the task. The task's b and h must be set.
  void startTask(AttendTask &task);

  /// Returns the range of the datum over a box of pairs, `positions` x `keys`. `symbols` are the ranges of the
  /// predicate's symbols before this datum (Nq, Nk, the run-time symbols, and earlier data) over the same box.
  IntegerRange range(AttendTask &task, IntegerRange positions, IntegerRange keys, ArrayRef<IntegerRange> symbols) const;
  /// Returns the datum for the query at `position` and the register of keys `key`, `key` + 1, .. Positions and keys are
  /// at most `indexLimit`. `symbols` are the values of the predicate's symbols before this datum: Nq, Nk, the run-time
  /// symbols, and earlier data.
  LaneValue evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit,
                     ArrayRef<LaneValue> symbols) const;

private:
  IntegerRange rangeOfNumbers(AttendTask &task, IntegerRange positions, IntegerRange keys) const;
  IntegerRange rangeOfLists(AttendTask &task, IntegerRange rows, IntegerRange columns) const;
  LaneValue evaluateLists(AttendTask &task, Value row, const LaneValue &columns) const;
  /// Returns the interval [begin, end) of list `row` in the array that has the columns of all lists. The interval is
  /// empty if there is no list `row`.
  std::pair<Value, Value> listAt(AttendTask &task, Value row) const;

  DatumAttr datum;
  View first, second;                         ///< values and their ranges, or offsets and columns of lists
  std::shared_ptr<Block> rowCode, columnCode; ///< (x, symbols..) -> index, for a datum of pairs
  Value values, ranges, firstList, numLists;  ///< for the task
  View lists;                                 ///< for the task: the offsets of its lists
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H
