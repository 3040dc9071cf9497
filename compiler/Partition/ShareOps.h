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

/// Takes the axes from factors over which parts of the op are not the same op on parts: an op that draws numbers, or a
/// score, asks which element, entry or head it has; a pattern, which token. Where heads can be shared instead of
/// tokens, they get their axes; with `sharesQueries` tokens keep theirs where that is fewer bytes. Returns why axes
/// were taken and have no factor now, or an empty text.
StringRef restrictFactors(Operation *op, MeshAttr mesh, bool sharesQueries, FactorShardings &assigned);

/// Whether so many ranks can share the heads of an attention, or of its gradient, each as many as the others.
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

/// Builds a rank's share of an op. What ranks have summands of is summed. Fails after an error.
FailureOr<SmallVector<Value>> buildShare(OpBuilder &b, const OpShare &share);

/// Returns whether ranks that share the `tokens` of a kernelised attention of all ranks, or of its gradient, send each
/// other states: sums over keys. Those of a causal one are of tokens in order. `dividesHeads`: ranks could share heads
/// instead, and do where that is fewer elements. A gradient says the same as its attention.
bool sendsStates(Operation *attention, MeshAttr mesh, const DimSharding &tokens, bool dividesHeads);

/// Builds a rank's share of an attention, or of its gradient, of whose tokens it has a part. Fails after an error.
FailureOr<SmallVector<Value>> buildAttention(OpBuilder &b, const OpShare &share);

/// Builds a rank's share of an attention, or of its gradient, for which sendsStates is true. Fails after an error.
FailureOr<SmallVector<Value>> buildWithStates(OpBuilder &b, const OpShare &share);

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_SHAREOPS_H
