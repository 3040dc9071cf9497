//===- Samples.h - Sets evaluated at chosen points --------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates sets at chosen points, the samples. Samples suggest couplings and bounds and refute wrong ones, but prove
// nothing. Presburger arithmetic is slowest where a claim is wrong, and there a few thousand points suffice to refute
// it.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PATTERN_SET_SAMPLES_H
#define XF_COMPILER_PATTERN_SET_SAMPLES_H

#include "compiler/Pattern/Set/Import.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::xf::pattern {

/// The sizes and run-time symbols of a call at which patterns are sampled. `queries` and `keys` are the sampled
/// positions, ascending.
struct SampleSize {
  int64_t numQueries, numKeys;
  SmallVector<int64_t> symbols;
  SmallVector<int64_t> queries, keys;

  /// Returns the values of a pattern's variables at the point i = j = 0: 0 and 0, Nq, Nk and the run-time symbols.
  SmallVector<int64_t, 32> origin() const;
  /// Calls visit(number, values) for each sampled point, row by row. `number` is the index of the point. `values` holds
  /// the values of a pattern's variables there (i, j, Nq, Nk, run-time symbols), and `visit` may append to it.
  void visitPoints(function_ref<void(unsigned number, SmallVectorImpl<int64_t> &values)> visit) const;
};

/// The points of a sample size that belong to a set.
struct SampleGrid {
  const SampleSize *size;
  llvm::BitVector members; // row by row

  bool contains(unsigned row, unsigned column) const { return members[row * size->keys.size() + column]; }
};

/// Numbers that describe how a set's divisions repeat. `periods` are the distances after which divisions repeat: their
/// denominators, and products of denominators if divisions are nested. `cells` are the lengths of runs of positions at
/// which a division may have the same value.
struct Moduli {
  SmallVector<int64_t> periods, cells; // ascending, distinct
};
Moduli moduliOf(const Set &set);

/// Returns the first key in [begin, end) that query `i` sees, or nullopt if it sees none of them.
std::optional<int64_t> firstKey(const Set &set, const SampleSize &size, int64_t i, int64_t begin, int64_t end);

/// Returns the half-open range of the indices n at which coefficient * coordinates[n] + rest >= 0. `coordinates` is
/// ascending.
std::pair<unsigned, unsigned> placesWhere(int64_t coefficient, int64_t rest, ArrayRef<int64_t> coordinates);

/// The sample points of all sets that come from one pattern.
class Samples {
public:
  explicit Samples(const Set &pattern);

  ArrayRef<SampleSize> getSizes() const { return sizes; }
  SmallVector<SampleGrid> evaluate(const Set &set) const;

private:
  SmallVector<SampleSize> sizes;
};

/// Returns whether the sampled members of each row are consecutive.
bool hasIntervalRows(const SampleGrid &grid);
/// Returns whether the sampled members of each column are consecutive.
bool hasIntervalColumns(const SampleGrid &grid);

} // namespace mlir::xf::pattern

#endif // XF_COMPILER_PATTERN_SET_SAMPLES_H
