//===- PatternSet.cpp - Which pairs an attention op has -------------------===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/reference/attention/PatternSet.h"
#include "dialects/xf/Patterns/PatternSizes.h"

using namespace mlir;
using namespace mlir::xf;
using namespace mlir::xf::reference;

/// Returns element (batch, head) of a scalar, per-batch or per-head symbol.
static int64_t valueOf(const Tensor &symbol, int64_t batch, int64_t head) {
  if (symbol.rank() == 0)
    return symbol.integers[0];
  return symbol.integers[symbol.rank() == 1 ? batch : batch * symbol.shape[1] + head];
}

static ArrayRef<int64_t> rowOf(const Tensor *segments, int64_t batch) {
  if (!segments)
    return {};
  return ArrayRef(segments->integers).slice(batch * segments->columns(), segments->columns());
}

/// Returns the lists of the table that one batch entry and head see.
std::vector<std::vector<int64_t>> PatternSet::tableOf(int64_t batch, int64_t head) const {
  const Tensor &given = *clauses.tableColumns;
  ArrayRef<int64_t> columns = given.integers;
  std::vector<std::vector<int64_t>> table;
  auto append = [&](int64_t begin, int64_t end) {
    ArrayRef<int64_t> row = columns.slice(begin, end - begin);
    table.emplace_back(row.begin(), row.end());
  };
  if (clauses.tableOffsets) {
    ArrayRef<int64_t> offsets = clauses.tableOffsets->integers;
    for (size_t row = 0; row + 1 < offsets.size(); ++row)
      append(offsets[row], offsets[row + 1]);
    return table;
  }
  int64_t length = given.columns(), rows = given.shape[given.rank() - 2], first = 0;
  if (given.rank() > 2)
    first = given.rank() == 3 ? batch : batch * given.shape[1] + head;
  for (int64_t row = first * rows; row < (first + 1) * rows; ++row)
    append(row * length, (row + 1) * length);
  return table;
}

xftest::PatternCall PatternSet::callOf(int64_t batch, int64_t head) const {
  xftest::PatternCall call{queries, keys};
  call.head = head;
  for (const Tensor *symbol : clauses.symbols)
    call.symbols.push_back(valueOf(*symbol, batch, head));
  llvm::append_range(call.querySegments, rowOf(clauses.segmentsQ, batch));
  llvm::append_range(call.keySegments, rowOf(clauses.segmentsK, batch));
  if (clauses.tableColumns)
    call.table = tableOf(batch, head);
  return call;
}

FailureOr<PatternSet> PatternSet::create(Operation *op, xf::Pattern pattern, PatternClauses clauses, int64_t queries,
                                         int64_t keys) {
  auto emitError = [&] { return op->emitError(); };
  if (failed(verifyTable(op, clauses)) || (pattern && failed(verifyTokens(pattern, keys, emitError))))
    return failure();
  return PatternSet(pattern, std::move(clauses), queries, keys);
}

bool PatternSet::contains(int64_t batch, int64_t head, int64_t query, int64_t key) {
  if (clauses.lengths && key >= clauses.lengths->integers[batch])
    return false;
  if (clauses.queryLengths && query >= clauses.queryLengths->integers[batch])
    return false;
  if (!pattern)
    return true;
  if (!oracle || current != std::pair(batch, head)) {
    oracle.emplace(pattern, callOf(batch, head));
    current = {batch, head};
  }
  return oracle->contains(query + firstPosition(), key);
}
