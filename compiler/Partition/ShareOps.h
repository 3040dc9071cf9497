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

/// Takes axes from factors that ranks cannot share. A rank cannot compute its part by itself if the op draws numbers or
/// has a score, which read the number of an element, entry or head, or a pattern, which reads that of a token. If heads
/// can be shared instead of tokens, they get the axes of tokens. With `sharesQueries` tokens keep theirs if that is
/// fewer bytes. Returns why axes have no factor now, or an empty text.
StringRef restrictFactors(Operation *op, MeshAttr mesh, bool sharesQueries, FactorShardings &assigned);

/// Returns whether `ranks` ranks can share the heads of an attention, or of its gradient, all with equally many.
bool canShareHeads(Operation *attention, int64_t ranks);

/// One op of a program, and what a rank has of it.
struct OpShare {
  Operation *op;
  MeshAttr mesh;
  ArrayRef<Value> operands;                  ///< shares
  ArrayRef<DimShardings> operandDims;        ///< and what they are shares of
  ArrayRef<RankedTensorType> types;          ///< of shares of results
  ArrayRef<SmallVector<Attribute>> sums;     ///< axes over which ranks have summands, of each result
  SmallVector<Attribute> axes;               ///< over which the op is shared
  const DimensionFactors *factors = nullptr; ///< of the op, and what they were assigned
  const FactorShardings *assigned = nullptr;
  DimSharding tokens = {}; ///< of queries and keys of attention
};

/// Builds a rank's share of an op, and the sums over ranks of results of which ranks have summands. Fails after an
/// error.
FailureOr<SmallVector<Value>> buildShare(OpBuilder &b, const OpShare &share);

/// Returns whether ranks that share the `tokens` of a kernelised attention, or of its gradient, send each other states,
/// which are sums over keys. A causal one has such states if tokens are in order. With `dividesHeads` ranks can share
/// heads instead, and do if that is fewer elements. The result is the same for an attention and its gradient.
bool sendsStates(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads);

/// Builds a rank's share of an attention, or of its gradient, of whose tokens it has a part. Fails after an error.
FailureOr<SmallVector<Value>> buildAttention(OpBuilder &b, const OpShare &share);

/// Builds a rank's share of an attention, or of its gradient, for which sendsStates is true. Fails after an error.
FailureOr<SmallVector<Value>> buildWithStates(OpBuilder &b, const OpShare &share);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SHAREOPS_H
