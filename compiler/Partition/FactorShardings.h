//===- FactorShardings.h - The axes of an op's factors ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the shardings of an op's operands to those of its factors (DimensionFactorsOpInterface), and from these to those
// of its results.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_FACTORSHARDINGS_H
#define XF_COMPILER_PARTITION_FACTORSHARDINGS_H

#include "dialects/xf/Factors/DimensionFactors.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xf {

/// One of the dimensions that a reshape has merged into one.
struct CountedDim {
  int64_t size;
  ArrayAttr axes = {}; ///< null: none
  int64_t chunks = 1;

  bool operator==(const CountedDim &) const = default;
};

/// The axes that shard one dimension, and the location of the argument that they come from.
struct DimSharding {
  ArrayAttr axes = {}; ///< null: none
  std::optional<Location> origin = {};
  SmallVector<CountedDim, 2> counted = {}; ///< the dimensions merged into it, if ranks do not have ranges of it
  int64_t chunks = 1;                      ///< the number of chunks of each rank (#xf.sharding)

  bool isWhole() const { return !axes || axes.empty(); }
  /// Returns whether a rank has the same elements by both shardings.
  bool isLike(const DimSharding &other) const {
    if (isWhole() || other.isWhole())
      return isWhole() && other.isWhole();
    return axes == other.axes && counted == other.counted && chunks == other.chunks;
  }
};
/// The shardings of a tensor's dimensions. Empty if every rank has the whole tensor.
using DimShardings = SmallVector<DimSharding>;
using FactorShardings = llvm::SmallMapVector<int, DimSharding, 8>;

/// Returns the axes as text: {"data", "sequence"}, {"sequence" zigzag 2}.
std::string textOf(ArrayAttr axes, int64_t chunks = 1);

/// Returns the dimensions that were merged into `dim`, or `dim` itself, with size `size`, if none were.
SmallVector<CountedDim, 2> countedDims(const DimSharding &dim, int64_t size);

/// Returns the shardings of dimensions of these sizes, which a reshape merges into `dim`. Returns an empty list if a
/// rank's elements of `dim` are not the product of a range, or of chunks, in each of these dimensions.
DimShardings countedBy(const DimSharding &dim, ArrayRef<int64_t> sizes, MeshAttr mesh);

/// Returns the sizes of the fewest dimensions that a reshape could merge into `a` and also into `b`, at least one of
/// which was merged. Returns an empty list if no such dimensions exist.
SmallVector<int64_t> commonSizes(const DimSharding &a, const DimSharding &b);

/// Returns the shardings of all dimensions.
DimShardings dimsOf(ShardingAttr sharding, Location origin);

/// Returns the largest number of slices in which sums in the order `keys` run over a dimension that `axes` shard.
int64_t maxSlices(ArrayAttr axes);

/// Returns the number of equal ranges into which `dim` cuts a dimension: the chunks of all ranks.
int64_t partsOf(MeshAttr mesh, const DimSharding &dim);

/// Reports that the sharding of an operand's dimension `dim` differs from that of its factor, so that the operand has
/// to be gathered. `found` is the operand's sharding. `other` is the sharding that contradicts it, or null.
using ReportMeeting =
    function_ref<LogicalResult(OpOperand &operand, unsigned dim, const DimSharding &found, const DimSharding *other)>;

/// Assigns the axes of an op's operands to its factors, in the order of operands and dimensions. Fails if `report`
/// fails.
LogicalResult assignFactors(Operation *op, const DimensionFactors &factors,
                            function_ref<ArrayRef<DimSharding>(Value)> shardingOf, FactorShardings &assigned,
                            ReportMeeting report);

/// Returns the sharding that an op with these factors requires of an operand. `given` is the operand's own sharding.
DimShardings shardingOfOperand(const DimensionFactors &factors, OpOperand &operand, const FactorShardings &assigned,
                               ArrayRef<DimSharding> given);

/// Return the shardings of the dimensions of an op's result, and the axes over which each rank has only a summand of
/// it.
DimShardings shardingOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned);
SmallVector<Attribute> sumsOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned);

/// Returns the sharding of a result as the ops that use it see it. It is that of the result's factors, except that all
/// ranks have the whole of a dimension that they do not divide, such as key heads that are fewer than a factor's query
/// heads. In the order `keys`, they also have the whole of a dimension that the slices of that order (maxSlices) do not
/// divide, so that the sharding does not depend on the number of ranks.
DimShardings knownSharding(OpResult result, const DimensionFactors &factors, const FactorShardings &assigned,
                           MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_FACTORSHARDINGS_H
