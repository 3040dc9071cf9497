//===- ShareSizes.h - Dynamic sizes of a rank's shares ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A named size of a function of all ranks is, in that of one rank, the size of a share. Expressions of sizes change
// with it: of n tokens in all and n of a share, those in all are ranks * n.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SHARESIZES_H
#define XF_COMPILER_PARTITION_SHARESIZES_H

#include "compiler/Partition/FactorShardings.h"
#include "dialects/xf/IR/XfSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Converts the sizes of one function to those of a rank's shares.
class ShareSizes {
public:
  ShareSizes(func::FuncOp function, MeshAttr mesh);

  /// Returns the attributes of an argument or result of the rank's function, whose type is `share`: `attributes` with
  /// the ranges and expressions of the share's sizes. Fails after an error.
  FailureOr<DictionaryAttr> ofInterface(DictionaryAttr attributes, RankedTensorType share, ArrayRef<DimSharding> dims,
                                        Location location) const;

  /// Adapts the sizes and starts that the op of `share` lists, which was copied from the op of all ranks. Fails after
  /// an error.
  LogicalResult adapt(Value share, ArrayRef<DimSharding> dims) const;

private:
  FailureOr<SizeExpression> ofShare(const SizeExpression &whole, int64_t ranks, Location location) const;
  FailureOr<ArrayAttr> ofShares(ArrayAttr whole, ArrayRef<int64_t> ranks, Location location) const;

  MeshAttr mesh;
  llvm::StringMap<int64_t> ranksOfName; ///< the ranks that share each named size
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SHARESIZES_H
