//===- xf/nn/omninet.h - Layers that attend to many layers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OmniNet (Tay 2021): the tokens of L layers form one sequence of N L tokens, in which token n of layer l stands at
// n L + l. An omnidirectional layer applies a block to this sequence, pools the layers of every token and adds the
// result to the residual stream. In a decoder, blocks also read a memory, the encoder's result.
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_OMNINET_H
#define XF_NN_OMNINET_H

#include "xf/nn.h"

namespace xf::nn {

/// When an omnidirectional layer pools the rows of each token over the layers. attention: before the feed-forward,
/// after the attention and, if there is one, the attention to a memory. feed_forward: after the feed-forward.
enum class PoolAfter { attention, feed_forward };

/// Options of nn::OmniNet. `width`, `heads`, `layers` and `partition` have no default.
struct OmniNetOptions {
  int64_t width, heads;
  /// Number of layers, and the period of omnidirectional layers. Layer l, counted from 1, is omnidirectional if l mod
  /// partition = 0. It attends to the outputs of the partition - 1 layers before it, or of the `partition` layers
  /// before it if include_boundary is true. If `partition` is 1, all layers are ordinary and have the pattern `inner`.
  int64_t layers, partition;
  bool include_boundary = false;
  /// Width of the feed-forward's hidden layer; 0: 4 x width.
  int64_t hidden = 0;
  Activation activation = gelu;
  /// Pattern of ordinary layers.
  Pattern pattern = dense();
  /// Pattern of omnidirectional layers, which attend to L layers of N positions each. A set of pairs is a pattern of
  /// the N L tokens with Granularity::token, or of the N positions with Granularity::position. The pattern may also be
  /// kernelised or low-rank. Only a learned low-rank pattern and random features add parameters.
  Pattern inner = dense();
  Granularity granularity = Granularity::token;
  /// Number of random features of a kernelised `inner`, as in MultiheadAttentionOptions; 0: no projection W.
  int64_t features = 0;
  /// Whether queries see only keys of their own position. In an omnidirectional layer, these are the tokens of all
  /// layers at that position.
  bool factorised = false;
  /// Which tokens are queries. all: the tokens of all layers. top: the tokens of the last layer only. Keys are always
  /// the tokens of all layers.
  GridQueries queries = GridQueries::all;
  Pool pool = Pool::max;
  PoolAfter pool_after = PoolAfter::feed_forward;
  /// Number of positions N. Required by a learned low-rank pattern: its parameter `projection` has N rows in an
  /// ordinary layer and N L in an omnidirectional one that attends to L layers.
  int64_t tokens = 0;
  /// Whether blocks also read a memory. Each block then has a second attention, `cross`, between the first attention
  /// and the feed-forward (decoder, Vaswani 2017, section 3.1). In an omnidirectional block, the queries of `cross` are
  /// the tokens of all layers.
  bool memory = false;
};

/// Optional inputs of a call of nn::OmniNet, in addition to x.
struct OmniNetInputs {
  /// The tokens that blocks read where OmniNetOptions::memory is true: batch x memory tokens x width.
  Tensor memory = {};
  /// Numbers of valid tokens of x and of `memory` of each batch entry, integers of shape [batch]. Default: all.
  Tensor lengths = {}, memory_lengths = {};
};

/// A pre-norm block on the tokens of one layer or of several. It has attention, in a decoder also attention to a
/// memory, and a feed-forward, each with a residual.
class OmniNetBlock : public Module {
public:
  /// Makes an omnidirectional block that attends to `inputs` layers at once, or an ordinary block where `inputs` is 0.
  OmniNetBlock(const OmniNetOptions &options, int64_t inputs, Here here = Here::current());
  /// Applies an ordinary block to x: batch x tokens x width. inputs.memory must be given if the block reads a memory,
  /// and only then. Otherwise throws Error.
  Tensor operator()(const Tensor &x, const OmniNetInputs &inputs = {}, Here here = Here::current()) const;
  /// Applies an omnidirectional block to the stacked tokens of `layers`, each batch x tokens x width. Pools the result
  /// over the layers of every token, and adds it to the last of `layers`. With GridQueries::top, only the last layer's
  /// tokens pass through the block, and nothing is pooled.
  Tensor operator()(const std::vector<Tensor> &layers, const OmniNetInputs &inputs = {},
                    Here here = Here::current()) const;

  LayerNorm norm1, norm2;
  MultiheadAttention attention;
  MLP mlp;
  /// Projection E of learned low-rank attention, which keys and values share. E has a row for each token that the block
  /// attends to, and `rank` columns. It is undefined for any other pattern.
  Parameter projection;
  std::optional<LayerNorm> cross_norm;
  std::optional<MultiheadAttention> cross;
  XF_MEMBERS(norm1, norm2, attention, mlp, projection, cross_norm, cross)

private:
  Tensor attend(const Tensor &x, const Tensor &keys, int64_t layers, const OmniNetInputs &inputs, Here here) const;
  Tensor attendFromTop(const std::vector<Tensor> &layers, const OmniNetInputs &inputs, Here here) const;

  OmniNetOptions options;
};

/// OmniNet: a stack of ordinary and omnidirectional layers. With layers = 6 and partition = 3, layers 3 and 6 are
/// omnidirectional: layer 3 attends to layers 1 and 2, layer 6 to layers 4 and 5. The blocks are named blocks.0,
/// blocks.1, ..
class OmniNet : public Module {
public:
  explicit OmniNet(OmniNetOptions options, Here here = Here::current());
  /// Applies all layers to x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return (*this)(x, OmniNetInputs(), here); }
  Tensor operator()(const Tensor &x, const OmniNetInputs &inputs, Here here = Here::current()) const;

  OmniNetOptions options;
  std::vector<OmniNetBlock> blocks;
  XF_MEMBERS(blocks)

private:
  /// Returns true if block `number`, counted from 0, is omnidirectional.
  bool isOmnidirectional(int64_t number) const;
};

} // namespace xf::nn

#endif // XF_NN_OMNINET_H
