//===- ScoreBounds.cpp - Bounds of the indices that scores read -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifies the indices with which score functions read tensors. The rule is the dialect's (IndexRange). It is applied
// to the recorded expressions, too, so that an error has the user's line.
//
//===----------------------------------------------------------------------===//

#include "Regions.h"
#include "dialects/xf/Scores/IndexRange.h"

#include <unordered_map>

using namespace xf;
using namespace xf::detail;
using E = ExpressionOp;
using mlir::xf::IndexRange;

namespace {
class Bounds {
public:
  explicit Bounds(const ScoreSizes &sizes) : sizes(sizes) {}

  /// Finds the bounds of all integers of a score function, operands before their users, and verifies its reads. Uses no
  /// recursion, since a long loop may build a deep expression.
  void verify(const Expression &score) {
    std::vector<const Expression *> pending = {&score};
    while (!pending.empty()) {
      const Expression *expression = pending.back();
      size_t before = pending.size();
      for (const ExpressionPtr &operand : expression->operands)
        if (!known.contains(operand.get()))
          pending.push_back(operand.get());
      if (pending.size() > before)
        continue;
      pending.pop_back();
      if (known.contains(expression))
        continue;
      known[expression] = find(*expression);
      if (expression->op == E::load)
        verifyRead(*expression);
    }
  }

private:
  IndexRange find(const Expression &e) const;
  void verifyRead(const Expression &read) const;

  const ScoreSizes &sizes;
  std::unordered_map<const Expression *, IndexRange> known;
};
} // namespace

/// Returns the range of an index into a dimension of size `size`, [0, `size`). If the size is named, its largest value
/// is the bound.
static IndexRange counting(const Dim &size, IndexRange::Leaf leaf) {
  if (size.is_static())
    return IndexRange::counting(size.value(), /*isExact=*/true, leaf);
  return size.is_named() ? IndexRange::counting(size.range().max, /*isExact=*/false, leaf) : IndexRange{.leaves = leaf};
}

static IndexRange position(const Dim &queries, const Dim &keys) {
  return IndexRange::position(counting(queries, IndexRange::ofQuery), counting(keys, IndexRange::ofKey),
                              keys.is_static()  ? keys.value()
                              : keys.is_named() ? keys.range().min
                                                : 0);
}

IndexRange Bounds::find(const Expression &e) const {
  auto operand = [&](size_t n) -> const IndexRange & { return known.at(e.operands[n].get()); };
  switch (e.op) {
  case E::batch:
    return counting(sizes.batch, IndexRange::ofBatch);
  case E::head:
    return counting(sizes.heads, IndexRange::ofHead);
  case E::query:
    return position(sizes.queries, sizes.keys);
  case E::key:
    return counting(sizes.keys, IndexRange::ofKey);
  case E::integer:
    return IndexRange::constant(e.integer);
  case E::add:
    return operand(0).plus(operand(1));
  case E::sub:
    return operand(0).minus(operand(1));
  case E::mul:
    return operand(0).times(operand(1));
  case E::floorDiv:
    return operand(0).quotient(operand(1).low);
  case E::mod:
    return operand(0).remainder(operand(1).low);
  default:
    return {};
  }
}

void Bounds::verifyRead(const Expression &read) const {
  for (size_t axis = 0; axis < read.operands.size(); ++axis) {
    const IndexRange &index = known.at(read.operands[axis].get());
    const Dim &size = read.tensor.shape()[axis];
    if (!size.is_static())
      continue;
    std::string got = std::to_string(index.low);
    if (index.high != index.low)
      got += " to " + std::to_string(index.high);
    expect(index.mayFit(size.value(), sizes.seesAllPairs), read.here, "expected an index in [0, ", size,
           ") in dimension ", axis, " of a tensor of shape ", read.tensor.shape(), ", got ", got);
  }
}

void xf::detail::expectReadsInBounds(const Expression &score, const ScoreSizes &sizes) { Bounds(sizes).verify(score); }
