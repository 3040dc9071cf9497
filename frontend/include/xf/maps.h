//===- xf/maps.h - Attention weights for people -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the weights P of an attention o = P v, for chosen queries, keys and heads. Keys are processed in blocks. So
// the memory is that of the result and of one block, which has all queries:
//
//   Tensor w = attention_weights(q, k, {.pattern = causal()}, {.rows = {{100, 108}}});    // B x H x 8 x Nk
//   program.attention_maps("logits", {.heads = {0, 3}});                                  // of a whole model
//   draw(program.compile().call("logits_maps", inputs).at("attention0")).save("map.png"); // xf/picture.h
//
//===----------------------------------------------------------------------===//

#ifndef XF_MAPS_H
#define XF_MAPS_H

#include "xf/attention.h"

namespace xf {

/// Selects the weights of an attention that are computed: rows (queries), keys and heads.
struct MapOptions {
  /// Intervals of queries (`rows`) and of keys, both numbered from 0, in the order that the result has. An empty list
  /// stands for all.
  std::vector<Interval> rows = {}, keys = {};
  /// Numbers of heads, from 0, in the order that the result has. An empty list stands for all.
  std::vector<int64_t> heads = {};
  /// The number of consecutive keys whose weights are added up to one element of the result. The last element of an
  /// interval may have fewer keys.
  int64_t key_block = 1;
};

/// Returns the weights P of scaled_dot_product_attention(q, k, v, options), where o = P v. The shape is B x heads x
/// rows x keys; the type is f64 if q is f64, else f32. Pairs that the pattern does not have, and rows without keys,
/// have weight 0. Dropout is left out.
///
/// The weights of kernelised attention are <phi(q_i), phi(k_j)>, divided by the normaliser. With Normalizer::norm,
/// which depends on v, they are not divided, or by their sum if features are positive and the stabiliser is running. If
/// there is a decay or beta, P includes its effect on what a key contributes. The keys of low-rank attention are its
/// `rank` projected keys. Throws Error for wrong shapes and clauses, for dynamic numbers of queries or keys, and for
/// rows, keys or heads that do not exist.
Tensor attention_weights(const Tensor &q, const Tensor &k, const AttentionOptions &options = {},
                         const MapOptions &chosen = {}, Here here = Here::current());

/// Returns, for each of `layers` layers, the fraction of the maxima of pool_layers(x, layers, Pool::max) that lie in
/// this layer. The fractions are f32 and add up to 1. If layers have equal elements, the maximum lies in the first of
/// them.
Tensor pool_shares(const Tensor &x, int64_t layers, Here here = Here::current());

} // namespace xf

#endif // XF_MAPS_H
