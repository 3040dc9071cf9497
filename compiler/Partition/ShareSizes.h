//===- ShareSizes.h - Dynamic sizes of a rank's shares ---------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts dynamic sizes when a function of all ranks becomes the function of one rank. A named size keeps its name,
// but means the size of a share from then on. So expressions of sizes change: if n was the number of all tokens and is
// now the number of a share's tokens, the number of all tokens is ranks * n.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SHARESIZES_H
#define XF_COMPILER_PARTITION_SHARESIZES_H

#include "compiler/Partition/FactorShardings.h"
#include "dialects/xf/IR/XfSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::xf {

/// Converts the sizes in one function of all ranks to the sizes of a rank's shares.
class ShareSizes {
public:
  ShareSizes(func::FuncOp function, MeshAttr mesh);

  /// Returns the attributes of an argument or result of the rank's function, which has the type `share` and the
  /// sharding `dims`. They are `attributes`, with ranges and expressions of sizes converted to those of the share.
  /// Fails after an error.
  FailureOr<DictionaryAttr> ofInterface(DictionaryAttr attributes, RankedTensorType share, ArrayRef<DimSharding> dims,
                                        Location location) const;

  /// Converts the attributes `sizes` and `starts` of the op that defines `share`, so that they are sizes of a share.
  /// The op is a copy of an op of all ranks. `dims` is the sharding of its result. Fails after an error.
  LogicalResult adapt(Value share, ArrayRef<DimSharding> dims) const;

private:
  FailureOr<SizeExpression> ofShare(const SizeExpression &whole, int64_t ranks, Location location) const;
  FailureOr<ArrayAttr> ofShares(ArrayAttr whole, ArrayRef<int64_t> ranks, Location location) const;

  MeshAttr mesh;
  llvm::StringMap<int64_t> ranksOfName; ///< the number of ranks that share each named size
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SHARESIZES_H
