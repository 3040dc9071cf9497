//===- FactorShardings.h - The axes of an op's factors ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Propagates shardings through one op. The shardings of its operands give the shardings of its dimension factors
// (DimensionFactorsOpInterface). These give the shardings of its results.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_FACTORSHARDINGS_H
#define XF_COMPILER_PARTITION_FACTORSHARDINGS_H

#include "dialects/xf/Factors/DimensionFactors.h"
#include "dialects/xf/Sharding/XfSharding.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::xf {

/// One of several dimensions that a reshape has merged into a single dimension.
struct CountedDim {
  int64_t size;
  ArrayAttr axes = {}; ///< null: none
  int64_t chunks = 1;

  bool operator==(const CountedDim &) const = default;
};

/// The sharding of one dimension, and the location of the argument from which it comes.
struct DimSharding {
  ArrayAttr axes = {}; ///< null: none
  std::optional<Location> origin = {};
  SmallVector<CountedDim, 2> counted = {}; ///< the dimensions merged into this one; empty if ranks have ranges of it
  int64_t chunks = 1;                      ///< the number of chunks of each rank (#xf.sharding)

  bool isWhole() const { return !axes || axes.empty(); }
  /// Returns whether each rank has the same elements under this sharding as under `other`.
  bool isLike(const DimSharding &other) const {
    if (isWhole() || other.isWhole())
      return isWhole() && other.isWhole();
    return axes == other.axes && counted == other.counted && chunks == other.chunks;
  }
};
/// The shardings of a tensor's dimensions. Empty if every rank has the whole tensor.
using DimShardings = SmallVector<DimSharding>;
using FactorShardings = llvm::SmallMapVector<int, DimSharding, 8>;

/// Returns `axes` as text, and `chunks` if it is more than 1: {"data", "sequence"}, {"sequence" zigzag 2}.
std::string textOf(ArrayAttr axes, int64_t chunks = 1);

/// Returns the dimensions that were merged into `dim`. If none were, returns `dim` itself as the only one, with the
/// size `size`.
SmallVector<CountedDim, 2> countedDims(const DimSharding &dim, int64_t size);

/// Splits a dimension with the sharding `dim` into dimensions of the sizes `sizes`, and returns the sharding of each.
/// For this, a rank must have the same elements before and after: it must have one range, or chunks, of each new
/// dimension, and all combinations of these. Returns an empty list if this is not so.
DimShardings countedBy(const DimSharding &dim, ArrayRef<int64_t> sizes, MeshAttr mesh);

/// Returns sizes [s0, s1, ..] of dimensions that are as fine as both lists need: reshapes can merge these dimensions to
/// those of `a.counted` and to those of `b.counted`. There are as few as possible. If one of the two lists is empty,
/// returns the sizes of the other. Returns an empty list if there are no such dimensions.
SmallVector<int64_t> commonSizes(const DimSharding &a, const DimSharding &b);

/// Returns the shardings of all dimensions of a tensor with the sharding `sharding`. Each gets the location `origin`.
DimShardings dimsOf(ShardingAttr sharding, Location origin);

/// Returns the largest number of slices into which a sum over a dimension is cut in the order `keys`, if `axes` shard
/// the dimension.
int64_t maxSlices(ArrayAttr axes);

/// Returns the number of equal ranges into which `dim` cuts a dimension: the chunks of all ranks.
int64_t partsOf(MeshAttr mesh, const DimSharding &dim);

/// A function that is called if dimension `dim` of `operand` has the sharding `found`, but its factor gets another one.
/// If `other` is null, the operand has to be gathered. Otherwise, `other` is the sharding of the factor, which
/// contradicts `found`.
using ReportMeeting =
    function_ref<LogicalResult(OpOperand &operand, unsigned dim, const DimSharding &found, const DimSharding *other)>;

/// Computes `assigned`, the shardings of the factors of `op`, from the shardings of its operands. `shardingOf` returns
/// the sharding of an operand. Goes through operands and dimensions in order. Calls `report` for each dimension whose
/// factor gets another sharding than the dimension has. Fails if `report` fails.
LogicalResult assignFactors(Operation *op, const DimensionFactors &factors,
                            function_ref<ArrayRef<DimSharding>(Value)> shardingOf, FactorShardings &assigned,
                            ReportMeeting report);

/// Returns the sharding that an op requires of `operand` if its factors have the shardings `assigned`. `given` is the
/// operand's own sharding.
DimShardings shardingOfOperand(const DimensionFactors &factors, OpOperand &operand, const FactorShardings &assigned,
                               ArrayRef<DimSharding> given);

/// Returns the shardings of the dimensions of result number `result`, or an empty list if all are whole.
DimShardings shardingOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned);

/// Returns the axes over which each rank has only a summand of result number `result`.
SmallVector<Attribute> sumsOfResult(const DimensionFactors &factors, unsigned result, const FactorShardings &assigned);

/// Returns the sharding of `result` that its readers see. This is the sharding by its factors (shardingOfResult), but a
/// dimension becomes whole if the number of its parts does not divide its size: there may be fewer key heads than query
/// heads, for example. In the order `keys`, maxSlices() must also divide the size, unless an operand has the same size
/// in a dimension with this factor. This makes shardings alike on all meshes.
DimShardings knownSharding(OpResult result, const DimensionFactors &factors, const FactorShardings &assigned,
                           MeshAttr mesh);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_FACTORSHARDINGS_H
