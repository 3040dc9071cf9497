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

/// The sizes of a kernelised attention on which the operations for a row depend: the columns of a key and of a value,
/// and the rows of the projection W (0 without W).
struct KernelSumSizes {
  int64_t depth, valueDepth, projections = 0;
  bool isGradient = false, hasWeightGradient = false;
};

/// Returns the floating-point operations for each query and each key of a head of a kernelised attention: to compute
/// the row's features, and to multiply them with the state. A gradient takes twice as many.
inline double flopOfRow(Feature feature, const KernelSumSizes &sizes) {
  int64_t ofElement = feature == Feature::k_hyperbolic || feature == Feature::k_trigonometric ? 2 : 1;
  int64_t features = ofElement * (sizes.projections ? sizes.projections : sizes.depth);
  double projecting = double(sizes.projections) * sizes.depth;
  double products = double(features) * sizes.valueDepth + projecting;
  return 2 * (sizes.isGradient ? 2 : 1) * products + (sizes.hasWeightGradient ? 2 * projecting : 0);
}

} // namespace mlir::xf

#endif // XF_DIALECTS_XF_PIECES_KERNELSUMWORK_H
