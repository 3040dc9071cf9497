//===- DatumCode.h - Data of a predicate in a kernel ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Data that a predicate reads besides i and j (#xf.datum): its range over a box of pairs, and its values for one query
// and a register of keys.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "compiler/Target/Kernel/Attend/LaneRegion.h"

namespace mlir::xf::kernel {

/// The range low <= x <= high.
struct IntegerRange {
  Value low, high;
};

/// Returns the range of a quasi-affine expression by interval arithmetic.
IntegerRange buildRange(KernelBuilder &kb, AffineExpr expression, ArrayRef<IntegerRange> dims,
                        ArrayRef<IntegerRange> symbols);
/// Builds the expression as arith ops on the arguments of the builder's block, dimensions before symbols.
Value buildIndexCode(OpBuilder &b, Location loc, AffineExpr expression, unsigned numDims);

/// The code of one datum of a predicate.
class DatumCode {
public:
  /// `first` and `second` are the operands of the datum. Builds code at the kernel's head.
  DatumCode(KernelBuilder &kb, DatumAttr datum, Value first, Value second);

  /// Loads the addresses of the datum's numbers or lists for the batch entry and head of the task.
  void startTask(AttendTask &task);

  /// Returns the range of the datum over a box of pairs. `symbols` are the ranges of sizes, run-time symbols and
  /// earlier data over the same box.
  IntegerRange range(AttendTask &task, IntegerRange positions, IntegerRange keys, ArrayRef<IntegerRange> symbols) const;
  /// Returns the datum for the query at `position` and the register of keys from `key` on. `symbols` are values.
  LaneValue evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit,
                     ArrayRef<LaneValue> symbols) const;

private:
  IntegerRange rangeOfNumbers(AttendTask &task, IntegerRange positions, IntegerRange keys) const;
  IntegerRange rangeOfLists(AttendTask &task, IntegerRange rows, IntegerRange columns) const;
  LaneValue evaluateLists(AttendTask &task, Value row, const LaneValue &columns) const;
  /// Returns the begin and end of list `row`; equal if there is no such list.
  std::pair<Value, Value> listAt(AttendTask &task, Value row) const;

  DatumAttr datum;
  View first, second;                         ///< values and ranges, or offsets and columns
  std::shared_ptr<Block> rowCode, columnCode; ///< (x, symbols..) -> index, for a datum of pairs
  Value values, ranges, firstList, numLists;  ///< of the task
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H
