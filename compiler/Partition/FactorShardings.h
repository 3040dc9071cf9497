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

/// One of several dimensions that a reshape has merged into one.
struct CountedDim {
  int64_t size;
  ArrayAttr axes = {}; ///< null: none
  int64_t chunks = 1;

  bool operator==(const CountedDim &) const = default;
};

/// The axes of one dimension, and the argument that they come from.
struct DimSharding {
  ArrayAttr axes = {}; ///< null: none
  std::optional<Location> origin = {};
  SmallVector<CountedDim, 2> counted = {}; ///< that were merged into it, if ranks do not have ranges of it
  int64_t chunks = 1;                      ///< of each rank (#xf.sharding)

  bool isWhole() const { return !axes || axes.empty(); }
  /// Whether a rank has the same elements by both.
  bool isLike(const DimSharding &other) const {
    if (isWhole() || other.isWhole())
      return isWhole() && other.isWhole();
    return axes == other.axes && counted == other.counted && chunks == other.chunks;
  }
};
/// The shardings of a tensor's dimensions. Empty if the tensor is whole.
using DimShardings = SmallVector<DimSharding>;
using FactorShardings = llvm::SmallMapVector<int, DimSharding, 8>;

/// Returns the axes as text: {"data", "sequence"}, {"sequence" zigzag 2}.
std::string textOf(ArrayAttr axes, int64_t chunks = 1);

/// Returns the dimensions that were merged into one of this size: itself if none were.
SmallVector<CountedDim, 2> countedDims(const DimSharding &dim, int64_t size);

/// Returns the shardings of dimensions of these sizes that a reshape merges into `dim`. Returns an empty list if a part
/// of `dim` is not one part of each of them.
DimShardings countedBy(const DimSharding &dim, ArrayRef<int64_t> sizes, MeshAttr mesh);

/// Returns the sizes of the fewest dimensions that a reshape could merge into `a`, and as well into `b`. One of the two
/// was merged. Returns an empty list if there are no such dimensions.
SmallVector<int64_t> commonSizes(const DimSharding &a, const DimSharding &b);

/// Returns the shardings of all dimensions.
DimShardings dimsOf(ShardingAttr sharding, Location origin);

/// Returns the largest number of slices in which the order `keys` sums a dimension over these axes.
int64_t maxSlices(ArrayAttr axes);

/// Returns the parts of equal length that a dimension is cut into: chunks of all ranks.
int64_t partsOf(MeshAttr mesh, const DimSharding &dim);

/// Reports that dimension `dim` of an operand is sharded otherwise than its factor, so that the operand has to be
/// gathered. `other` is what it contradicts, or null.
using ReportMeeting =
    function_ref<LogicalResult(OpOperand &operand, unsigned dim, const DimSharding &found, const DimSharding *other)>;

/// Assigns the axes of an op's operands to its factors, in the order of operands and dimensions. Fails where `report`
/// does.
LogicalResult assignFactors(Operation *op, const DimensionFactors &factors,
                            function_ref<ArrayRef<DimSharding>(Value)> shardingOf, FactorShardings &assigned,
                            ReportMeeting report);

/// Returns the sharding that an op with these factors needs of an operand, which has the sharding `given`.
DimShardings shardingOfOperand(const DimensionFactors &factors, OpOperand &operand, const FactorShardings &assigned,
                               ArrayRef<DimSharding> given);

/// Returns the shardings of the dimensions of an op's result, and the axes over which ranks have summands of it.
DimShardings shardingOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned);
SmallVector<Attribute> sumsOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned);

/// Returns the sharding of a result for the ops that use it. It is that of the result's factors, but all ranks have all
/// of a dimension that ranks do not divide, such as key heads that are fewer than a factor's query heads. In the order
/// `keys` they also have all of a dimension that the slices of that order (maxSlices) do not divide, so that the
/// sharding is the same for any number of ranks.
DimShardings knownSharding(OpResult result, const DimensionFactors &factors, const FactorShardings &assigned,
                           MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_FACTORSHARDINGS_H
