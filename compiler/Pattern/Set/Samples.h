//===- Samples.h - Sets evaluated at chosen points --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Samples refute and suggest, they never prove: refuting a wrong claim is where Presburger arithmetic explodes, and
// where a look at a few thousand points is enough.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_SAMPLES_H
#define XF_COMPILER_PATTERN_SET_SAMPLES_H

#include "compiler/Pattern/Set/Import.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::xf::pattern {

/// One choice of the sizes and symbols, and the rows and columns that are looked at, ascending.
struct SampleSize {
  int64_t numQueries, numKeys;
  SmallVector<int64_t> symbols;
  SmallVector<int64_t> queries, keys;

  /// i, j, Nq, Nk, p.. for i = j = 0.
  SmallVector<int64_t, 32> origin() const;
  /// Calls `visit` with the number of each point, row by row, and its i, j, Nq, Nk, p.., which it may append to.
  void visitPoints(function_ref<void(unsigned number, SmallVectorImpl<int64_t> &values)> visit) const;
};

/// Which points of a sample size belong to a set.
struct SampleGrid {
  const SampleSize *size;
  llvm::BitVector members; // row by row

  bool contains(unsigned row, unsigned column) const { return members[row * size->keys.size() + column]; }
};

/// Moduli of a set: every denominator, and products where divisions are nested.
struct Moduli {
  SmallVector<int64_t> periods, cells; // ascending, distinct
};
Moduli moduliOf(const Set &set);

/// The first key of [begin, end) that query `i` sees.
std::optional<int64_t> firstKey(const Set &set, const SampleSize &size, int64_t i, int64_t begin, int64_t end);

/// The places [first, second) of the ascending `coordinates` at which coefficient x + rest >= 0.
std::pair<unsigned, unsigned> placesWhere(int64_t coefficient, int64_t rest, ArrayRef<int64_t> coordinates);

/// The points at which the sets that come from one pattern are looked at.
class Samples {
public:
  explicit Samples(const Set &pattern);

  ArrayRef<SampleSize> getSizes() const { return sizes; }
  SmallVector<SampleGrid> evaluate(const Set &set) const;

private:
  SmallVector<SampleSize> sizes;
};

/// Whether the members of each row, or column, follow each other.
bool hasIntervalRows(const SampleGrid &grid);
bool hasIntervalColumns(const SampleGrid &grid);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_SAMPLES_H
