//===- ScoreRegion.cpp - Score regions in attention kernels ---------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Kernel/Attend/ScoreRegion.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::kernel;

ScoreRegion::ScoreRegion(KernelBuilder &kb, Region &region, ValueRange operands, ValueRange sizes)
    : body(&region.front()) {
  for (Value operand : operands)
    captures.emplace_back(kb, operand);
  isSmall = buildSmallIndices(kb, *body, sizes);
}

SmallVector<Value> ScoreRegion::forEachLimit(KernelBuilder &kb, TypeRange types, VersionBody build) const {
  auto general = [&] { return build(anyIndexLimit); };
  return isSmall ? kb.ifElse(isSmall, types, [&] { return build(narrowIndexLimit); }, general) : general();
}

SmallVector<LaneValue> ScoreRegion::evaluate(AttendTask &task, Value position, const LaneValue &key, Value score,
                                             int64_t indexLimit) const {
  auto index = [&](Value x, int64_t low) { return LaneValue::index(x, 0, low, indexLimit); };
  LaneValue arguments[] = {LaneValue{nullptr, 0, score}, index(task.b, 0), index(task.h, 0),
                           index(position, -indexLimit), key};
  return buildLaneRegion(task.kb, *body, arguments, captures, task.lanes);
}
