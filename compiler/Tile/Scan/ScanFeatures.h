//===- ScanFeatures.h - Feature maps of scans -------------------*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides a feature map into the two parts that kernels take: the exponents of its exponential factor, which are linear
// in u and |x|^2 / 2, and a function of u for the rest. u is a projection of the row x.
//
//===----------------------------------------------------------------------===//

#ifndef XF_COMPILER_TILE_SCAN_SCANFEATURES_H
#define XF_COMPILER_TILE_SCAN_SCANFEATURES_H

#include "dialects/xft/IR/XftOps.h"

namespace mlir::xf {

/// Returns the exponents of a feature map as a flat list of pairs (a_p, b_p), one for each slot p: each projection u of
/// a row x gives one feature for each slot. This feature has the factor exp(a_p u + b_p |x|^2 / 2). Returns an empty
/// list if features have no exponential factor.
SmallVector<double> exponentsOf(Feature feature);

/// Returns true if no feature is negative, leaving aside the epsilon that is added to it.
bool isNonNegative(Feature feature);

/// Fills an empty region of xft.scan or xft.scan_vjp with a function of a projection u. The function yields value_p(u)
/// for each slot p: the factor of feature p without the exponential.
void buildFeatureValues(Region &region, Location loc, Type real, Feature feature);
/// Fills an empty region of xft.scan or xft.scan_vjp with a function of a projection u. The function yields the
/// derivative of value_p(u) by u for each slot p.
void buildFeatureSlopes(Region &region, Location loc, Type real, Feature feature);

} // namespace mlir::xf

#endif // XF_COMPILER_TILE_SCAN_SCANFEATURES_H
