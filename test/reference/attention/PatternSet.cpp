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

xftest::PatternCall PatternSet::callOf(int64_t batch, int64_t head) const {
  xftest::PatternCall call{queries, keys};
  call.head = head;
  for (const Tensor *symbol : clauses.symbols)
    call.symbols.push_back(valueOf(*symbol, batch, head));
  llvm::append_range(call.querySegments, rowOf(clauses.segmentsQ, batch));
  llvm::append_range(call.keySegments, rowOf(clauses.segmentsK, batch));
  if (clauses.tableOffsets) {
    ArrayRef<int64_t> offsets = clauses.tableOffsets->integers, columns = clauses.tableColumns->integers;
    for (size_t row = 0; row + 1 < offsets.size(); ++row) {
      ArrayRef<int64_t> ofRow = columns.slice(offsets[row], offsets[row + 1] - offsets[row]);
      call.table.emplace_back(ofRow.begin(), ofRow.end());
    }
  }
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
