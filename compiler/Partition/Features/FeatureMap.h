//===- FeatureMap.h - Feature maps as ops on tensors ------------ -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the features of rows as tensors. This is for ranks that send each other states: products with the states of
// other ranks read the features. Without such ranks, no tensor has the features, because kernels of scans compute them
// as they load their operands.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_PARTITION_FEATURES_FEATUREMAP_H
#define XF_COMPILER_PARTITION_FEATURES_FEATUREMAP_H

#include "dialects/xf/IR/XfOps.h"
#include "dialects/xf/IR/XfPieces.h"

namespace mlir::xf {

/// A feature map phi (docs/specification.md, "Kernelised attention"), with the same weights for queries and keys. The
/// features of queries include the factor of <phi(q), phi(k)>. Only queries have stabilisers.
class FeatureMap {
public:
  /// `weights` (mxD) and rows have the type of the computation. Without weights, features are computed from the rows
  /// themselves.
  FeatureMap(OpBuilder &b, Location loc, KernelSumAttr sum, Value weights)
      : b(b), loc(loc), sum(sum), weights(weights) {}

  /// Returns whether the features of a query or key depend on its row alone.
  static bool isOfRows(KernelSumAttr sum);
  /// Returns the number of features of a row. `projections` is the number of rows of the weights or, without weights,
  /// the width of a row.
  static int64_t count(KernelSumAttr sum, int64_t projections);

  /// Builds the features, BxHxNxM, of `rows`, BxHxNxD, which are queries if `areQueries`, else keys.
  Value build(Value rows, bool areQueries);

  struct Gradients {
    Value rows, weights; ///< the gradients; `weights` is null without weights
  };
  /// Builds the gradients of `rows` and of the weights from `dFeatures`, the gradient of the features. Fails after an
  /// error.
  FailureOr<Gradients> buildVjp(Value rows, bool areQueries, Value dFeatures);

private:
  /// Builds the features of each slot. A slot has one feature for each projection. `stabilizer` may be null.
  SmallVector<Value> buildSlots(OpBuilder &at, Value rows, Value stabilizer, bool areQueries);
  Value project(OpBuilder &at, Value rows);
  Value buildStabilizer(OpBuilder &at, Value rows);
  Value scaled(OpBuilder &at, Value rows);

  OpBuilder &b;
  Location loc;
  KernelSumAttr sum;
  Value weights;
};

} // namespace mlir::xf

#endif // XF_COMPILER_PARTITION_FEATURES_FEATUREMAP_H
