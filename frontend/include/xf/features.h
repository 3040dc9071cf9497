//===- xf/features.h - Random features of kernelised attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// W of kernelised attention (Choromanski 2021, section 2 and 3). It is drawn here, on the host: a program takes it as
// an input or a parameter, or holds it as a constant, and nothing in a compiled program draws anew. So a redraw is
// explicit: draw for the next step and pass the array, or write it over the parameter of an executable.
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

/// How rows of W are drawn. iid: elements are unit normals. orthogonal: the rows of each block of D are orthogonal, in
/// uniformly distributed directions, as long as rows of D unit normals are, which lowers the variance and leaves the
/// estimate unbiased. regularized: the same with rows of length sqrt D.
enum class FeatureRows { orthogonal, regularized, iid };

/// A draw is a function of these and the shape, the same on every machine.
struct FeatureDraw {
  FeatureRows rows = FeatureRows::orthogonal;
  uint64_t seed = 0;
  /// Of training: another one, another draw.
  uint64_t step = 0;
};

/// W: count rows of `width`, the size of a head.
Array random_features(int64_t count, int64_t width, FeatureDraw draw = {}, Dtype dtype = f32,
                      Here here = Here::current());
/// Draws W, count x width of floats, over what the array holds.
void redraw_features(const Array &features, FeatureDraw draw, Here here = Here::current());

/// The start of a parameter that is W: the seed is the model's, the step comes from the parameter's name.
Initializer features_init(FeatureRows rows = FeatureRows::orthogonal);

/// phi(x) for every row x ..xD, ..xM, as ordinary operations and without a stabiliser: the features that kernelised
/// attention computes inside, for those who keep a state of their own. `w` is M x D, or none. Epsilon has the default
/// of causal attention.
Tensor feature_map(const Tensor &x, const Tensor &w, const Kernelized &parameters, Here here = Here::current());

} // namespace xf

#endif // XF_FEATURES_H
