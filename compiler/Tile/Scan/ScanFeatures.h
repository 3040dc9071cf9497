//===- ScanFeatures.h - Feature maps of scans -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A feature map reaches kernels as what it is made of: exponents, linear in u and |x|^2 / 2, and a function of u.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_SCAN_SCANFEATURES_H
#define XF_COMPILER_TILE_SCAN_SCANFEATURES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// a and b of each slot (xft.scan).
SmallVector<double> exponentsOf(Feature feature);

/// Fills an empty region of xft.scan or its gradient: the function of u in each slot; its derivative.
void buildFeatureValues(Region &region, Location loc, Type real, Feature feature);
void buildFeatureSlopes(Region &region, Location loc, Type real, Feature feature);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_SCAN_SCANFEATURES_H
