//===- DatumCode.h - Data of a predicate in a kernel ------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a predicate asks for beside i and j (#xf.datum): its range over a box of pairs, and its values for one query and
// a register of keys.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H
#define XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H

#include "compiler/Target/Kernel/Attend/AttendTask.h"
#include "compiler/Target/Kernel/Attend/LaneRegion.h"

namespace mlir::xf::kernel {

/// low <= x <= high.
struct IntegerRange {
  Value low, high;
};

/// Interval arithmetic on a quasi-affine expression.
IntegerRange buildRange(KernelBuilder &kb, AffineExpr expression, ArrayRef<IntegerRange> dims,
                        ArrayRef<IntegerRange> symbols);
/// The expression as arith ops on the arguments of the builder's block, dimensions before symbols.
Value buildIndexCode(OpBuilder &b, Location loc, AffineExpr expression, unsigned numDims);

class DatumCode {
public:
  /// To be built at the kernel's head, of the datum's two operands.
  DatumCode(KernelBuilder &kb, DatumAttr datum, Value first, Value second);

  /// Finds the datum's numbers or lists for a batch and head.
  void startTask(AttendTask &task);

  /// `symbols` are the ranges of sizes, run-time symbols and earlier data over the same box.
  IntegerRange range(AttendTask &task, IntegerRange positions, IntegerRange keys, ArrayRef<IntegerRange> symbols) const;
  /// For the query at `position` and the register of keys from `key` on; `symbols` as values.
  LaneValue evaluate(AttendTask &task, Value position, Value key, int64_t indexLimit,
                     ArrayRef<LaneValue> symbols) const;

private:
  IntegerRange rangeOfNumbers(AttendTask &task, IntegerRange positions, IntegerRange keys) const;
  IntegerRange rangeOfLists(AttendTask &task, IntegerRange rows, IntegerRange columns) const;
  LaneValue evaluateLists(AttendTask &task, Value row, const LaneValue &columns) const;
  /// Where list `row` begins and ends, behind each other; both the same where there is no such list.
  std::pair<Value, Value> listAt(AttendTask &task, Value row) const;

  DatumAttr datum;
  View first, second;                         ///< values and ranges, or offsets and columns
  std::shared_ptr<Block> rowCode, columnCode; ///< (x, symbols..) -> index, of a datum of a pair
  Value values, ranges, firstList, numLists;  ///< of the task
};

} // namespace mlir::xf::kernel

#endif // XF_COMPILER_TARGET_KERNEL_ATTEND_DATUMCODE_H
