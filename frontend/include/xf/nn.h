//===- xf/nn.h - Layers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Common modules, such as linear layers, norms and attention. Their parameters have the names, layouts and initial
// distributions of torch's.
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_H
#define XF_NN_H

#include "xf/features.h"
#include "xf/module.h"
#include "xf/nn/cache.h"
#include "xf/nn/dropout.h"
#include "xf/nn/positions.h"

#include <memory>

namespace xf::nn {

/// A function from tensor to tensor: a function of the library (gelu, relu, silu, ..) or a lambda.
class Activation {
public:
  Activation(Tensor (*function)(const Tensor &, Here))
      : function([=](const Tensor &x, Here at) { return function(x, at); }) {}
  /// Makes the activation gelu, by its default formula.
  Activation(Tensor (*function)(const Tensor &, Gelu, Here))
      : function([=](const Tensor &x, Here at) { return function(x, Gelu(), at); }) {}
  template <typename F>
    requires std::is_invocable_r_v<Tensor, const F &, Tensor>
  Activation(const F &f) : function([=](const Tensor &x, Here at) { return detail::callAt(at, f, x); }) {}
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return function(x, here); }

private:
  std::function<Tensor(const Tensor &, Here)> function;
};

/// Linear layer: computes x W^T + b with weight W, out x in, and bias b, out. Both are initialised uniformly in
/// [-1/sqrt(in), 1/sqrt(in)].
class Linear : public Module {
public:
  Linear(int64_t in, int64_t out, bool with_bias = true, Here here = Here::current());
  /// Makes a layer whose weight is initialised by `initializer`, and its bias to zero.
  Linear(int64_t in, int64_t out, Initializer initializer, bool with_bias = true, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return linear(x, weight, bias, here); }

  Parameter weight, bias;
  XF_MEMBERS(weight, bias)
};

/// Layer normalisation over the last dimension. weight is initialised to ones, bias to zeros.
class LayerNorm : public Module {
public:
  explicit LayerNorm(int64_t width, double eps = 1e-5, bool with_bias = true, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const {
    return layer_norm(x, weight, bias, eps, here);
  }

  Parameter weight, bias;
  double eps;
  XF_MEMBERS(weight, bias)
};

/// Root mean square normalisation over the last dimension. weight is initialised to ones.
class RMSNorm : public Module {
public:
  explicit RMSNorm(int64_t width, double eps = 1e-6, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return rms_norm(x, weight, eps, here); }

  Parameter weight;
  double eps;
  XF_MEMBERS(weight)
};

/// Kinds of normalisation of rows: LayerNorm and RMSNorm.
enum class NormKind { layer, rms };

/// Normalisation of the last dimension, of the kind `kind`. Only NormKind::layer has a bias.
class AnyNorm : public Module {
public:
  AnyNorm(NormKind kind, int64_t width, double eps, bool with_bias = true, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;

  NormKind kind;
  Parameter weight, bias;
  double eps;
  XF_MEMBERS(weight, bias)
};

/// Embedding: returns the rows of weight, count x width, whose numbers are `ids`. weight is initialised normally with
/// mean 0 and standard deviation `deviation`. If options.padding is set, the row with this number is initialised to
/// zeros.
class Embedding : public Module {
public:
  Embedding(int64_t count, int64_t width, double deviation = 1, Here here = Here::current());
  Embedding(int64_t count, int64_t width, const EmbeddingOptions &options, double deviation = 1,
            Here here = Here::current());
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const {
    return embedding(weight, ids, options, here);
  }

  Parameter weight;
  EmbeddingOptions options;
  XF_MEMBERS(weight)
};

/// Which projections of nn::MultiheadAttention have a bias: all or none, as in `.bias = false`, or a value for each of
/// q, k, v and the output, as in `.bias = {true, true, true, false}`.
struct ProjectionBias {
  ProjectionBias(bool all) : q(all), k(all), v(all), out(all) {}
  ProjectionBias(bool q, bool k, bool v, bool out) : q(q), k(k), v(v), out(out) {}
  bool q, k, v, out;
};

/// Names of the projections in the state dict. `fused` is the name of one projection for q, k and v, with .weight and
/// .bias, such as "c_attn" or "qkv" in many checkpoints. If `fused` is empty, this projection has torch's names,
/// in_proj_weight and in_proj_bias.
struct ProjectionNames {
  std::string q = "q_proj", k = "k_proj", v = "v_proj", out = "out_proj", fused = "";
};

/// Queries, keys and values of heads: q BxHxNqxD, k and v BxHkxNkxD.
struct ProjectedHeads {
  Tensor q, k, v;
};

/// Optional inputs of a call of nn::MultiheadAttention, in addition to x.
struct AttentionInputs {
  /// The tokens that keys and values are computed from: batch x memory tokens x memory width. Default: x.
  Tensor memory = {};
  /// Positions of the rows of x, and of `memory`, for rotary embeddings: integers of shape [tokens] or [batch, tokens].
  /// By default, keys have positions from 0 on, and the last query has the position of the last key.
  Tensor positions = {}, memory_positions = {};
  /// Number of visible keys of each batch entry, as in AttentionOptions.
  Tensor lengths = {};
  /// Pattern and other clauses of the attention. Their pattern replaces the module's.
  std::optional<AttentionOptions> clauses = {};
  /// A cache with the keys and values of earlier calls. The call appends those of x, and attends to all tokens that the
  /// cache holds. The cache determines the positions. Throws Error if `memory`, `positions`, `lengths` or a score is
  /// given together with a cache.
  KVCache::Layer cache = {};
};

/// Options of nn::MultiheadAttention. `width` and `heads` have no default.
struct MultiheadAttentionOptions {
  int64_t width;
  int64_t heads;
  /// Number of heads of keys and values (grouped queries, Ainslie 2023); 0: as many as heads of queries.
  int64_t kv_heads = 0;
  /// Size of a head; 0: width / heads, which must be a whole number.
  int64_t head_size = 0;
  /// Size of a head of v, and so of a head of the attention's output; 0: head_size.
  int64_t value_size = 0;
  /// Width of the tokens that keys and values are computed from; 0: `width`.
  int64_t memory_width = 0;
  Pattern pattern = dense();
  std::function<Scalar(Score)> score = {};
  std::optional<double> scale = {};
  ProjectionBias bias = true;
  /// Whether one projection computes q, k and v: in_proj_weight and in_proj_bias, as in torch.nn.MultiheadAttention,
  /// instead of q_proj, k_proj and v_proj. Its weight has the rows of q, then those of k, then those of v.
  bool fused = false;
  /// Kind of the normalisation that is applied to each head of q and k, with the parameters q_norm and k_norm (Dehghani
  /// 2023; Qwen3, Gemma 3). Not set: no normalisation.
  std::optional<NormKind> head_norm = {};
  double norm_eps = 1e-6;
  /// Rotary embedding of q and k, applied after the norms.
  std::optional<Rotary> rotary = {};
  ProjectionNames names = {};
  /// Function that is called with the heads as the last step before attention. Attention uses the heads that the
  /// function returns.
  std::function<ProjectedHeads(ProjectedHeads)> before_attention = {};
  /// Attention dropout: the probability with which a pair is dropped if a DropoutSeed exists.
  double dropout = 0;
  /// Factor of the initial weight of out_proj, such as 1/sqrt(2 layers).
  double output_scale = 1;
  /// Number of random features M of a kernelised pattern. The projection W, M x head size, becomes the parameter
  /// `features`, drawn from the distribution `feature_rows`. 0: the pattern uses no projection.
  int64_t features = 0;
  FeatureRows feature_rows = FeatureRows::orthogonal;
};

/// Multi-head attention (Vaswani 2017, section 3.2.2) with input projections q_proj, k_proj and v_proj (or
/// in_proj_weight and in_proj_bias) and the output projection out_proj:
///
///   x -> projections -> heads -> norms -> rotary -> before_attention -> attention -> out_proj
class MultiheadAttention : public Module {
public:
  explicit MultiheadAttention(MultiheadAttentionOptions options, Here here = Here::current());
  /// Computes self-attention of x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return (*this)(x, AttentionInputs(), here); }
  /// Computes attention of x to x and to the tokens that `cache` holds, and appends the keys and values of x to it. If
  /// `cache` is absent, computes self-attention of x.
  Tensor operator()(const Tensor &x, const KVCache::Layer &cache, Here here = Here::current()) const {
    return (*this)(x, AttentionInputs{.cache = cache}, here);
  }
  /// Computes attention with queries from x, batch x tokens x width, and the optional inputs `inputs`.
  Tensor operator()(const Tensor &x, const AttentionInputs &inputs, Here here = Here::current()) const;
  /// Computes attention with queries from x, and keys and values from `memory`.
  Tensor operator()(const Tensor &x, const Tensor &memory, Here here = Here::current()) const;
  /// Computes attention with queries from x, and keys and values from `memory`. `clauses` has the pattern, which
  /// replaces the module's, and other clauses. Throws Error where both the module and `clauses` have a score, a scale
  /// or parameters (the module's features).
  Tensor operator()(const Tensor &x, const Tensor &memory, AttentionOptions clauses, Here here = Here::current()) const;

  MultiheadAttentionOptions options;
  std::optional<Linear> q_proj, k_proj, v_proj;
  Parameter in_proj_weight, in_proj_bias;
  std::optional<AnyNorm> q_norm, k_norm;
  Parameter features;
  Linear out_proj;
  /// Visits the members under the names of `options.names`.
  void visit_members(Visitor &visitor) const override;

private:
  ProjectedHeads project(const Tensor &x, const Tensor &memory, Here here) const;
  AttentionOptions clausesOf(const AttentionInputs &inputs, Here here) const;
};

/// Options of nn::MLP. `width` and `hidden` have no default.
struct MLPOptions {
  int64_t width;
  int64_t hidden;
  Activation activation = gelu;
  bool bias = true;
  /// Factor of the initial weight of fc2.
  double output_scale = 1;
};

/// Computes fc2(activation(fc1(x))).
class MLP : public Module {
public:
  explicit MLP(MLPOptions options, Here here = Here::current());
  Tensor operator()(const Tensor &x, Here here = Here::current()) const;

  Activation activation;
  Linear fc1, fc2;
  XF_MEMBERS(fc1, fc2)
};

/// Dropout: computes x / (1 - p) with probability 1 - p for each element, else 0.
class Dropout : public Module {
public:
  explicit Dropout(double p) : p(p) {}
  /// Applies dropout with a seed from the DropoutSeed. Returns x if no DropoutSeed exists.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return dropout(x, p, here); }
  Tensor operator()(const Tensor &x, const Tensor &seed, Here here = Here::current()) const {
    return dropout(x, p, seed, here);
  }

  double p;
};

/// Applies modules and functions one after the other. They are numbered together from 0, and a module's name is its
/// number: Sequential(Linear(8, 4), gelu, Linear(4, 2)) has the parameters 0.weight, 0.bias, 2.weight and 2.bias.
class Sequential : public Module {
public:
  template <typename... Layers>
  explicit Sequential(const Layers &...layers) {
    (append(layers), ...);
  }
  template <typename Layer>
  void append(const Layer &layer) {
    if constexpr (std::is_base_of_v<Module, Layer>) {
      auto shared = std::make_shared<const Layer>(layer);
      steps.push_back({shared, [shared](const Tensor &x, Here at) { return detail::callAt(at, *shared, x); }});
    } else {
      steps.push_back({nullptr, Activation(layer)});
    }
  }

  Tensor operator()(Tensor x, Here here = Here::current()) const;
  void visit_members(Visitor &visitor) const override;

private:
  struct Step {
    std::shared_ptr<const Module> module;
    std::function<Tensor(const Tensor &, Here)> call;
  };
  std::vector<Step> steps;
};

} // namespace xf::nn

#endif // XF_NN_H
