//===- xf/nn/layers.h - Gated and transformer layers, learned positions -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers of transformers: encoder and decoder layers, gated feed-forwards and learned positions.
//
//   nn::Sequential encoder;
//   for (int layer = 0; layer < 12; ++layer)
//     encoder.append(nn::TransformerEncoderLayer(
//         {.width = 768, .heads = 12, .hidden = 3072, .norm = Norm::first, .activation = gelu}));
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_LAYERS_H
#define XF_NN_LAYERS_H

#include "xf/nn.h"
#include "xf/nn/vision.h"

namespace xf {

/// What a block normalises. first: the inputs of attention and of the feed-forward ("pre-norm", Xiong 2020). last: the
/// sums of their outputs with the residual ("post-norm", Vaswani 2017).
enum class Norm { first, last };

namespace nn {

//===--- gated layers ---===//

/// Names of the projections of a gated layer in the state dict.
struct GLUNames {
  std::string gate = "gate_proj", up = "up_proj", down = "down_proj";
};

/// Options of nn::GLU and nn::SwiGLU. `width` and `hidden` have no default.
struct GLUOptions {
  int64_t width;
  int64_t hidden;
  bool bias = true;
  GLUNames names = {};
  /// Factor of the initial weight of down_proj.
  double output_scale = 1;
};

/// Gated linear unit (Dauphin 2017; as a feed-forward, Shazeer 2020): computes down_proj(f(gate_proj(x)) up_proj(x)),
/// where f is `activation`: sigmoid, gelu (GeGLU), relu (ReGLU), or another one. The hidden layer is ..xhidden; x and
/// the result are ..xwidth.
class GLU : public Module {
public:
  explicit GLU(const GLUOptions &options, Activation activation = sigmoid, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;

  Activation activation;
  GLUNames names;
  Linear gate_proj, up_proj, down_proj;
  /// Visits the projections under the names of the options.
  void visit_members(Visitor &visitor) const override;
};

/// The gated linear unit with the activation silu (Shazeer 2020, equation 6). The default names of its projections are
/// those of Llama.
class SwiGLU : public GLU {
public:
  explicit SwiGLU(const GLUOptions &options, Here here = Here::current()) : GLU(options, silu, here) {}
};

//===--- learned positions ---===//

/// Learned positions (Gehring 2017; BERT, GPT-2): adds row n of weight, count x width, to token n. weight is
/// initialised normally with standard deviation 0.02.
class PositionEmbedding : public Module {
public:
  PositionEmbedding(int64_t count, int64_t width, Here here = Here::current());
  /// Adds the rows 0, 1, .. to x, batch x tokens x width. Throws Error if x has more tokens than there are rows. If the
  /// number of tokens is not static, every call checks this.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;
  /// Adds the rows `positions`, integers of shape [tokens] or [batch, tokens].
  Tensor operator()(const Tensor &x, const Tensor &positions, Here here = Here::current()) const;

  Parameter weight;
  XF_MEMBERS(weight)
};

/// Learned positions of an image, one embedding for each axis (row and column embedding of Sparse Transformers, Child
/// 2019, section 5.3). Adds row[y] + column[x] to the token at (y, x); tokens are in row-major order. The parameters
/// `row` and `column` are initialised normally with standard deviation 0.02.
class ImagePositionEmbedding : public Module {
public:
  ImagePositionEmbedding(Size2 image, int64_t width, Here here = Here::current());
  /// Adds the positions to x: batch x (height width) x width of a token. height x width is the size of the image in
  /// tokens.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;

  Parameter row, column;
  XF_MEMBERS(row, column)
};

//===--- transformer layers ---===//

/// Options of nn::TransformerEncoderLayer and nn::TransformerDecoderLayer. `width`, `heads` and `hidden` have no
/// default. The other defaults are torch's, except for dropout.
struct TransformerLayerOptions {
  int64_t width;
  int64_t heads;
  /// Width of the feed-forward's hidden layer.
  int64_t hidden;
  Norm norm = Norm::last;
  NormKind norm_kind = NormKind::layer;
  double eps = 1e-5;
  /// Whether attention and feed-forward read the same norm: x + attention(norm1(x)) + feed_forward(norm1(x)) (GPT-J,
  /// PaLM). The layer then has no norm2. Only for encoder layers with Norm::first.
  bool parallel = false;
  Activation activation = relu;
  bool bias = true;
  /// Pattern of self-attention. Default: dense() in an encoder, causal() in a decoder.
  std::optional<Pattern> pattern = {};
  /// Score modification of self-attention.
  std::function<Scalar(Score)> score = {};
  /// Rotary embedding of self-attention.
  std::optional<Rotary> rotary = {};
  /// Probability of dropout of the pairs of attention, the hidden layer and both sums with the residual, as in torch.
  /// There is no dropout unless a DropoutSeed exists.
  double dropout = 0;
};

/// Encoder layer (Vaswani 2017, section 3.1): self-attention and feed-forward, each with a residual. The parameters are
/// those of torch.nn.TransformerEncoderLayer: self_attn, linear1, linear2, norm1, norm2.
///
///   last:      x = norm1(x + self_attn(x));   x = norm2(x + linear2(activation(linear1(x))))
///   first:     x = x + self_attn(norm1(x));   x = x + linear2(activation(linear1(norm2(x))))
///
/// A layer is made of modules. To change its attention, assign another nn::MultiheadAttention of the same width to
/// self_attn.
class TransformerEncoderLayer : public Module {
public:
  explicit TransformerEncoderLayer(const TransformerLayerOptions &options, Here here = Here::current());
  /// Applies the layer to x, batch x tokens x width. `inputs` are optional inputs of self-attention, such as lengths,
  /// positions and clauses.
  Tensor operator()(const Tensor &x, const AttentionInputs &inputs, Here here = Here::current()) const;
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return (*this)(x, AttentionInputs(), here); }

  TransformerLayerOptions options;
  MultiheadAttention self_attn;
  Linear linear1, linear2;
  AnyNorm norm1;
  std::optional<AnyNorm> norm2;
  XF_MEMBERS(self_attn, linear1, linear2, norm1, norm2)

private:
  Tensor feedForward(const Tensor &x, Here here) const;
};

/// Decoder layer (Vaswani 2017, section 3.1) with the parameters of torch.nn.TransformerDecoderLayer: self_attn,
/// multihead_attn, linear1, linear2, norm1, norm2, norm3. Between self-attention and feed-forward, multihead_attn reads
/// the encoder's result.
class TransformerDecoderLayer : public Module {
public:
  explicit TransformerDecoderLayer(const TransformerLayerOptions &options, Here here = Here::current());
  /// Applies the layer to x, batch x tokens x width. multihead_attn reads `memory`, the encoder's result, batch x
  /// memory tokens x width. `inputs` are optional inputs of self-attention. `memory_lengths` is the number of valid
  /// memory tokens of each batch entry.
  Tensor operator()(const Tensor &x, const Tensor &memory, const AttentionInputs &inputs = {},
                    const Tensor &memory_lengths = {}, Here here = Here::current()) const;

  TransformerLayerOptions options;
  MultiheadAttention self_attn, multihead_attn;
  Linear linear1, linear2;
  AnyNorm norm1, norm2, norm3;
  XF_MEMBERS(self_attn, multihead_attn, linear1, linear2, norm1, norm2, norm3)
};

} // namespace nn
} // namespace xf

#endif // XF_NN_LAYERS_H
