//===- xf/omninet.h - Layers that attend to all layers before them -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OmniNet (Tay 2021): tokens of L layers are one sequence of N L tokens, in which token n of layer l stands at n L + l.
// An omnidirectional layer runs a block on it, pools the layers of every token and adds the result to the residual
// stream.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OMNINET_H
#define XF_OMNINET_H

#include "xf/nn.h"

namespace xf::nn {

/// What is pooled: what attention gives, before the feed-forward of the block, or the block's result.
enum class PoolAfter { attention, feed_forward };

/// Of nn::OmniNet. `width`, `heads`, `layers` and `partition` have no default.
struct OmniNetOptions {
  int64_t width, heads;
  /// Layer l, from 1, with l mod partition = 0 attends to the partition - 1 layers before it, with include_boundary to
  /// one more. With partition 1 all layers are ordinary ones, with the pattern `inner`.
  int64_t layers, partition;
  bool include_boundary = false;
  /// Of the feed-forward; 0: 4 width.
  int64_t hidden = 0;
  Activation activation = gelu;
  /// Of ordinary layers.
  Pattern pattern = dense();
  /// Of omnidirectional ones: any set on the N L tokens (token) or on the N positions (position), kernelised, of low
  /// rank or BigBird. Without low rank and learned features it adds no parameters.
  Pattern inner = dense();
  Granularity granularity = Granularity::token;
  /// Rows of W of an inner kernelised pattern, as in MultiheadAttentionOptions; 0: none.
  int64_t features = 0;
  /// A token's layers attend to one another only.
  bool factorised = false;
  /// top: only the layer before attends, to all layers; its tokens are the last ones of their positions.
  GridQueries queries = GridQueries::all;
  Pool pool = Pool::max;
  PoolAfter pool_after = PoolAfter::feed_forward;
  /// N: for low rank, whose parameter `projection` has N L rows in every omnidirectional layer.
  int64_t tokens = 0;
};

/// Pre-norm attention and feed-forward, both with residuals, on one layer's tokens or on those of several.
class OmniNetBlock : public Module {
public:
  /// `inputs` layers at once; 0 for an ordinary layer.
  OmniNetBlock(const OmniNetOptions &options, int64_t inputs, Here here = Here::current());
  /// x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;
  /// What a layer after these gives: the last one, plus what all of them pool to.
  Tensor operator()(const std::vector<Tensor> &layers, Here here = Here::current()) const;

  LayerNorm norm1, norm2;
  MultiheadAttention attention;
  MLP mlp;
  /// E, for keys and values: N L x rank.
  Parameter projection;
  XF_MEMBERS(norm1, norm2, attention, mlp, projection)

private:
  Tensor attend(const Tensor &x, const Tensor &memory, const Pattern &pattern, Here here) const;
  Tensor attendFromTop(const std::vector<Tensor> &layers, Here here) const;

  OmniNetOptions options;
};

/// Ordinary and omnidirectional layers by partition: layers = 6, partition = 3 is std1 std2 omni(1, 2) std4 std5
/// omni(4, 5). Its blocks are blocks.0, blocks.1, ..
class OmniNet : public Module {
public:
  explicit OmniNet(OmniNetOptions options, Here here = Here::current());
  /// x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;

  OmniNetOptions options;
  std::vector<OmniNetBlock> blocks;
  XF_MEMBERS(blocks)

private:
  /// Whether block `number`, from 0, attends to several layers.
  bool isOmnidirectional(int64_t number) const;
};

} // namespace xf::nn

#endif // XF_OMNINET_H
