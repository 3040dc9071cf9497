//===- XfSharding.h - Meshes of ranks and shardings -------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_SHARDING_XFSHARDING_H
#define XF_DIALECTS_XF_SHARDING_XFSHARDING_H

#include "dialects/xf/IR/XfPatterns.h"

#define GET_ATTRDEF_CLASSES
#include "dialects/xf/IR/XfSharding.h.inc"

namespace mlir::xf {

/// The name of the attribute, a #xf.mesh, of a module that several ranks run.
inline constexpr llvm::StringLiteral kMeshAttrName = "xf.mesh";

/// The name of the attribute, a #xf.sharding, of an argument or result of a function.
inline constexpr llvm::StringLiteral kShardingAttrName = "xf.sharding";

/// The name of the unit attribute of a function that computes one rank's share of another function. Its tensors have
/// the sizes of shares.
inline constexpr llvm::StringLiteral kShareAttrName = "xf.share";

/// The name of a unit attribute of a module: its ranks add in an order that does not depend on their number. Results
/// then have the same bits as with one rank along each axis.
inline constexpr llvm::StringLiteral kKeysOrderAttrName = "xf.keys_order";

/// Returns whether the module around `op` has the attribute kKeysOrderAttrName.
bool hasKeysOrder(Operation *op);

/// The largest number of chunks of a dimension that a rank may have.
inline constexpr int64_t kMostChunks = 64;

/// Returns the mesh of the module around `op`, or null.
MeshAttr meshOf(Operation *op);

/// Returns the number of ranks along `axes` of `mesh`. Returns 0 if `mesh` is null, or if the number is known only when
/// a job starts.
int64_t ranksOf(MeshAttr mesh, ArrayAttr axes);

/// Verifies that a sharding fits a tensor and the mesh around `op`. Emits one error and fails if it does not.
LogicalResult verifySharding(ShardingAttr sharding, Type type, Operation *op);

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_SHARDING_XFSHARDING_H
