//===- ShareOps.h - A rank's share of single ops ---------------- -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_SHAREOPS_H
#define XF_COMPILER_PARTITION_SHAREOPS_H

#include "compiler/Partition/FactorShardings.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::xf {

/// Removes from `assigned` the axes of those factors of `op` that ranks cannot share. Returns the reason, or an empty
/// text if it removes none. Ranks cannot share a factor whose index the op reads: the index of an element (dropout), of
/// a batch entry or head (scores, drawn pairs), or of a token (patterns).
///
/// Ranks share the tokens of attention if they can send each other keys (only if `sharesQueries`) or states, unless
/// ranks can share the heads and this sends less. Otherwise, the axes of tokens move to the heads, if ranks can share
/// these.
StringRef restrictFactors(Operation *op, MeshAttr mesh, bool sharesQueries, FactorShardings &assigned);

/// Returns whether `ranks` ranks can share the heads of an attention, or of its gradient: all get the same number of
/// heads, and no value depends on the index of a head. Returns false in the order `keys`.
bool canShareHeads(Operation *attention, int64_t ranks);

/// One op of a program, and a rank's share of its operands and results.
struct OpShare {
  Operation *op;
  MeshAttr mesh;
  ArrayRef<Value> operands;                  ///< the rank's shares of the operands
  ArrayRef<DimShardings> operandDims;        ///< the shardings of these shares
  ArrayRef<RankedTensorType> types;          ///< the types of the rank's shares of the results
  ArrayRef<SmallVector<Attribute>> sums;     ///< for each result, the axes over which ranks have summands
  SmallVector<Attribute> axes;               ///< the axes over which the op is shared
  const DimensionFactors *factors = nullptr; ///< the factors of the op; `assigned` are their shardings
  const FactorShardings *assigned = nullptr;
  DimSharding tokens = {}; ///< the sharding of the queries and keys of attention
};

/// Builds a rank's share of an op, and returns the shares of its results. If ranks have summands of a result, builds
/// their sum over ranks. Fails after an error.
FailureOr<SmallVector<Value>> buildShare(OpBuilder &b, const OpShare &share);

/// Returns whether ranks send each other states, which are sums over keys, for a kernelised attention or its gradient.
/// `tokens` is the sharding of its tokens. A causal attention has such states only if tokens have no zigzag chunks. If
/// `dividesHeads`, ranks can share heads instead, and do so if that sends fewer elements. The result is the same for an
/// attention and its gradient.
bool sendsStates(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads);

/// Builds a rank's share of an attention, or of its gradient, if ranks share its tokens. Fails after an error.
FailureOr<SmallVector<Value>> buildAttention(OpBuilder &b, const OpShare &share);

/// Builds a rank's share of an attention, or of its gradient, for which sendsStates is true. Fails after an error.
FailureOr<SmallVector<Value>> buildWithStates(OpBuilder &b, const OpShare &share);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SHAREOPS_H
