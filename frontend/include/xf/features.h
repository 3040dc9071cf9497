//===- xf/features.h - Random features of kernelised attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws W of kernelised attention (Choromanski 2021, section 2 and 3) on the host. A program takes W as an input or a
// parameter, or holds it as a constant; a compiled program never draws W itself. So a redraw is explicit: draw for the
// next step and pass the array, or write the new values over the parameter of an executable.
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

/// Distribution of the rows of W. iid: elements are standard normal. orthogonal: the rows of each block of D rows are
/// orthogonal, with uniformly distributed directions and the lengths of rows of D standard normals, which lowers the
/// variance and keeps the estimate unbiased. regularized: orthogonal rows of length sqrt D.
enum class FeatureRows { orthogonal, regularized, iid };

/// Determines a draw of W: its values depend only on these members and the shape, and are the same on every machine.
struct FeatureDraw {
  FeatureRows rows = FeatureRows::orthogonal;
  uint64_t seed = 0;
  /// Training step; every step has a draw of its own.
  uint64_t step = 0;
};

/// Draws W as an array of count x width; `width` is the size of a head. Throws Error unless both are positive and
/// `dtype` is a floating-point type.
Array random_features(int64_t count, int64_t width, FeatureDraw draw = {}, Dtype dtype = f32,
                      Here here = Here::current());
/// Draws W into an existing floating-point array of count x width, in place.
void redraw_features(const Array &features, FeatureDraw draw, Here here = Here::current());

/// Returns the initializer of a parameter that holds W: the model's seed is the seed of the draw, and a hash of the
/// parameter's name is its step.
Initializer features_init(FeatureRows rows = FeatureRows::orthogonal);

/// Computes phi(x) for every row of x, ..xD to ..xM, as ordinary operations without a stabiliser. These are the
/// features that kernelised attention computes internally, for programs that keep the state (S, z) themselves. `w` is M
/// x D, or undefined where rows are used as they are. The default of epsilon is that of causal attention.
Tensor feature_map(const Tensor &x, const Tensor &w, const Kernelized &parameters, Here here = Here::current());

} // namespace xf

#endif // XF_FEATURES_H
