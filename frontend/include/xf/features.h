//===- xf/features.h - Random features of kernelised attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws the projection W of random features, a matrix of count x width, on the host (Choromanski 2021, sections 2 and
// 3). Kernelised attention uses W. A program takes W as an input or a parameter, or holds it as a constant; a compiled
// program never draws W itself. So a redraw is explicit: draw W for the next step and pass the array, or write the new
// values over the parameter of an executable.
//
//   Tensor w = constant(random_features(256, 64, {.seed = 1}));
//   Tensor o = scaled_dot_product_attention(q, k, v, {.pattern = kernelized({.of = causal()}), .parameters = {w}});
//   ..
//   redraw_features(run.state_dict().at("attention.w"), {.seed = 1, .step = step});
//
//===----------------------------------------------------------------------===//

#ifndef XF_FEATURES_H
#define XF_FEATURES_H

#include "xf/array.h"
#include "xf/attention.h"
#include "xf/module.h"

namespace xf {

/// Distribution of the rows of the random-feature projection W, M x D. iid: all elements are standard normal.
/// orthogonal: W is cut into blocks of D rows. The rows of a block are orthogonal, with uniformly distributed
/// directions, and their lengths are distributed as those of standard normal rows. This lowers the variance of the
/// estimate, which remains unbiased. regularized: as orthogonal, but every row has length sqrt(D).
enum class FeatureRows { orthogonal, regularized, iid };

/// Identifies one random draw of the projection W. The values depend only on these members and on the shape, and are
/// the same on every machine.
struct FeatureDraw {
  FeatureRows rows = FeatureRows::orthogonal;
  uint64_t seed = 0;
  /// Training step. Different steps give independent draws.
  uint64_t step = 0;
};

/// Draws the random-feature projection W as an array of count x width: `count` features of heads of size `width`.
/// Throws Error unless both are positive and `dtype` is a floating-point type.
Array random_features(int64_t count, int64_t width, FeatureDraw draw = {}, Dtype dtype = f32,
                      Here here = Here::current());
/// Draws the random-feature projection W anew, in place, into an array of count x width. Throws Error unless the array
/// has rank 2 and a floating-point type.
void redraw_features(const Array &features, FeatureDraw draw, Here here = Here::current());

/// Returns the initializer of a parameter that holds the random-feature projection W. FeatureDraw::seed is the seed of
/// the model, and FeatureDraw::step a hash of the parameter's name. Files contain the parameter. A training step does
/// not change it, unless optim::GroupOptions::frozen is false for it.
Initializer features_init(FeatureRows rows = FeatureRows::orthogonal);

/// Computes the feature map phi(x) of every row of x, ..xD to ..xM, as ordinary operations without a stabiliser.
/// Kernelised attention computes the same features internally. This function is for programs that keep the attention's
/// state (S, z) themselves. `w` is the projection W, M x D, or undefined for a feature map without a projection. If
/// parameters.epsilon is not set, 1e-3 is added to features of relu, and 0 to others, as in causal attention. Throws
/// Error for wrong shapes or element types.
Tensor feature_map(const Tensor &x, const Tensor &w, const Kernelized &parameters, Here here = Here::current());

} // namespace xf

#endif // XF_FEATURES_H
