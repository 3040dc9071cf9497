//===- ScanFeatures.h - Feature maps of scans -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A feature map reaches kernels as two parts: exponents, linear in u and |x|^2 / 2, and a function of u.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_SCAN_SCANFEATURES_H
#define XF_COMPILER_TILE_SCAN_SCANFEATURES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// Returns the coefficients a and b of the exponent of each slot (xft.scan); none if the feature has no exponents.
SmallVector<double> exponentsOf(Feature feature);

/// Fill an empty region of xft.scan or its gradient with the function of u of each slot, or with its derivative.
void buildFeatureValues(Region &region, Location loc, Type real, Feature feature);
void buildFeatureSlopes(Region &region, Location loc, Type real, Feature feature);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_SCAN_SCANFEATURES_H
