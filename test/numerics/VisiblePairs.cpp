//===- VisiblePairs.cpp - Which keys each row of a test sees --------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/numerics/VisiblePairs.h"
#include "dialects/xf/IR/XfOps.h"
#include "test/reference/attention/PatternSet.h"

using namespace mlir;
using namespace mlir::xf;
using namespace xftest;

VisiblePairs::VisiblePairs(const CompiledProgram &program, const Sizes &sizes, ArrayRef<Tensor> arguments)
    : sizes(sizes) {
  AttentionOp op = *program.function().getOps<AttentionOp>().begin();
  reference::PatternClauses clauses;
  if (op.getLengths())
    clauses.lengths = &arguments[3];
  if (op.getQueryLengths())
    clauses.queryLengths = &arguments[3];
  if (!op.getSymbols().empty())
    clauses.symbols.push_back(&arguments[3]);
  if (op.getSegmentsQ()) {
    clauses.segmentsQ = &arguments[3];
    clauses.segmentsK = &arguments[4];
  }
  if (op.getTableOffsets()) {
    clauses.tableOffsets = &arguments[3];
    clauses.tableColumns = &arguments[4];
  }
  auto set = reference::PatternSet::create(op, op.getPattern(), clauses, sizes.queries, sizes.keys);
  visible.resize(rows() * sizes.keys);
  for (int64_t row = 0; row < rows(); ++row)
    for (int64_t key = 0; key < sizes.keys; ++key)
      visible[row * sizes.keys + key] =
          set->contains(row / sizes.queries / sizes.heads, row / sizes.queries % sizes.heads, row % sizes.queries, key);
}

bool VisiblePairs::looksBack(int64_t row, int64_t t) const {
  bool isEarly = position(row) < t;
  for (int64_t key = t; isEarly && key < sizes.keys; ++key)
    isEarly = !sees(row, key);
  return isEarly;
}
