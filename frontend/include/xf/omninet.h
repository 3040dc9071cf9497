//===- xf/omninet.h - Layers that attend to many layers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OmniNet (Tay 2021): the tokens of L layers form one sequence of N L tokens, in which token n of layer l stands at
// n L + l. An omnidirectional layer applies a block to this sequence, pools the layers of every token and adds the
// result to the residual stream.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OMNINET_H
#define XF_OMNINET_H

#include "xf/nn.h"

namespace xf::nn {

/// Where an omnidirectional layer pools the layers of a token: after attention, before the block's feed-forward, or
/// after the feed-forward.
enum class PoolAfter { attention, feed_forward };

/// Options of nn::OmniNet. `width`, `heads`, `layers` and `partition` have no default.
struct OmniNetOptions {
  int64_t width, heads;
  /// Number of layers, and the period of omnidirectional layers. Layer l, counted from 1, is omnidirectional where
  /// l mod partition = 0: it attends to the partition - 1 layers before it, or to partition layers with
  /// include_boundary. With partition 1 all layers are ordinary and have the pattern `inner`.
  int64_t layers, partition;
  bool include_boundary = false;
  /// Width of the feed-forward's hidden layer; 0: 4 width.
  int64_t hidden = 0;
  Activation activation = gelu;
  /// Pattern of ordinary layers.
  Pattern pattern = dense();
  /// Pattern of omnidirectional layers: a set of pairs of the N L tokens (granularity token) or of the N positions
  /// (granularity position), a kernelised pattern, or a low-rank one. The pattern adds no parameters, except for low
  /// rank and learned features.
  Pattern inner = dense();
  Granularity granularity = Granularity::token;
  /// Number of rows of W of a kernelised `inner`, as in MultiheadAttentionOptions; 0: no W.
  int64_t features = 0;
  /// Restricts attention to the layers of the same token.
  bool factorised = false;
  /// all: the tokens of all layers are queries. top: only the tokens of the last layer are queries, and attend to all
  /// layers.
  GridQueries queries = GridQueries::all;
  Pool pool = Pool::max;
  PoolAfter pool_after = PoolAfter::feed_forward;
  /// Number of tokens N, required for a learned low-rank pattern, whose parameter `projection` has N L rows in every
  /// omnidirectional layer.
  int64_t tokens = 0;
};

/// Pre-norm attention and feed-forward, both with residuals, on the tokens of one layer or of several.
class OmniNetBlock : public Module {
public:
  /// Makes a block that attends to `inputs` layers at once, or an ordinary layer where `inputs` is 0.
  OmniNetBlock(const OmniNetOptions &options, int64_t inputs, Here here = Here::current());
  /// Applies an ordinary block to x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;
  /// Applies the block to the stacked tokens of `layers`, each batch x tokens x width, pools the result over the layers
  /// of every token, and returns the sum of the last layer and the pooled result. With GridQueries::top only the last
  /// layer's tokens pass through the block, and nothing is pooled.
  Tensor operator()(const std::vector<Tensor> &layers, Here here = Here::current()) const;

  LayerNorm norm1, norm2;
  MultiheadAttention attention;
  MLP mlp;
  /// Projection E of low-rank attention, shared by keys and values: N L x rank.
  Parameter projection;
  XF_MEMBERS(norm1, norm2, attention, mlp, projection)

private:
  Tensor attend(const Tensor &x, const Tensor &memory, const Pattern &pattern, Here here) const;
  Tensor attendFromTop(const std::vector<Tensor> &layers, Here here) const;

  OmniNetOptions options;
};

/// A stack of ordinary and omnidirectional layers: layers = 6, partition = 3 is std1 std2 omni(1, 2) std4 std5
/// omni(4, 5). The blocks are named blocks.0, blocks.1, ..
class OmniNet : public Module {
public:
  explicit OmniNet(OmniNetOptions options, Here here = Here::current());
  /// Applies all layers to x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;

  OmniNetOptions options;
  std::vector<OmniNetBlock> blocks;
  XF_MEMBERS(blocks)

private:
  /// Returns true if block `number`, counted from 0, attends to several layers.
  bool isOmnidirectional(int64_t number) const;
};

} // namespace xf::nn

#endif // XF_OMNINET_H
