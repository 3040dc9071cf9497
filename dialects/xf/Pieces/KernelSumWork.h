//===- KernelSumWork.h - Operations of kernelised attention -----*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef XF_DIALECTS_XF_PIECES_KERNELSUMWORK_H
#define XF_DIALECTS_XF_PIECES_KERNELSUMWORK_H

#include "dialects/xf/IR/XfPatterns.h"

namespace mlir::xf {

/// The sizes of a kernelised attention that determine the operations of a row: the sizes of a key and of a value, and
/// the rows of the projection W, or 0 without W.
struct KernelSumSizes {
  int64_t depth, valueDepth, projections = 0;
  bool isGradient = false, hasWeightGradient = false;
};

/// Returns the floating-point operations of a kernelised attention for each query and each key of a head: those of its
/// features, and of their product with the state. A gradient computes the products twice.
inline double flopOfRow(Feature feature, const KernelSumSizes &sizes) {
  int64_t ofElement = feature == Feature::k_hyperbolic || feature == Feature::k_trigonometric ? 2 : 1;
  int64_t features = ofElement * (sizes.projections ? sizes.projections : sizes.depth);
  double projecting = double(sizes.projections) * sizes.depth;
  double products = double(features) * sizes.valueDepth + projecting;
  return 2 * (sizes.isGradient ? 2 : 1) * products + (sizes.hasWeightGradient ? 2 * projecting : 0);
}

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PIECES_KERNELSUMWORK_H
