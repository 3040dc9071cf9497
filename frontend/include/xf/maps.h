//===- xf/maps.h - Attention weights for people -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights of an attention, of chosen rows, keys and heads. They are computed in blocks of keys; memory is that of
// the result, and of one block of all queries:
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

/// The part of an attention's weights that is asked for.
struct MapOptions {
  /// Queries and keys, by their numbers from 0 on, in the order of the result; empty: all.
  std::vector<Interval> rows = {}, keys = {};
  /// Heads, in the order of the result; empty: all.
  std::vector<int64_t> heads = {};
  /// The number of keys whose weights are added up to one element of the result. The last element of an interval may
  /// have fewer keys.
  int64_t key_block = 1;
};

/// Returns the weights P of scaled_dot_product_attention(q, k, v, options), o = P v, as B x heads x rows x keys; f64
/// where q is f64, else f32. Pairs that the pattern does not have, and rows without keys, have weight 0. Dropout is
/// left out.
///
/// Kernelised attention has the weights <phi(q_i), phi(k_j)> by the normaliser (Normalizer::norm: without it, as it
/// depends on v). With decay or beta, they are what keys contribute after both. Weights of low-rank attention are those
/// of its `rank` projected keys. Throws Error for wrong shapes and clauses, for dynamic numbers of queries or keys, and
/// for rows, keys or heads that do not exist.
Tensor attention_weights(const Tensor &q, const Tensor &k, const AttentionOptions &options = {},
                         const MapOptions &chosen = {}, Here here = Here::current());

/// Returns the share of each of `layers` layers among the maxima that pool_layers(x, layers, Pool::max) takes: numbers
/// that add up to 1, as f32. Of equal elements the first counts.
Tensor pool_shares(const Tensor &x, int64_t layers, Here here = Here::current());

} // namespace xf

#endif // XF_MAPS_H
