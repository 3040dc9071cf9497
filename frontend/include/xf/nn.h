//===- xf/nn.h - Layers -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters have the names, layouts and initial distributions of torch.
//
//===----------------------------------------------------------------------===//

#ifndef XF_NN_H
#define XF_NN_H

#include "xf/features.h"
#include "xf/module.h"

#include <memory>

namespace xf::nn {

/// A function from tensor to tensor: a named one (gelu, relu, silu, ..) or a lambda.
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

/// Embedding: looks up the rows of weight, count x width, that the ids index. weight is initialised normally with mean
/// 0 and standard deviation `deviation`.
class Embedding : public Module {
public:
  Embedding(int64_t count, int64_t width, double deviation = 1, Here here = Here::current());
  Tensor operator()(const Tensor &ids, Here here = Here::current()) const { return embedding(weight, ids, here); }

  Parameter weight;
  XF_MEMBERS(weight)
};

/// Options of nn::MultiheadAttention. `width` and `heads` have no default; `width` is a multiple of `heads`.
struct MultiheadAttentionOptions {
  int64_t width;
  int64_t heads;
  /// Number of heads of keys and values; 0: as many as query heads.
  int64_t kv_heads = 0;
  Pattern pattern = dense();
  std::function<Scalar(Score)> score = {};
  std::optional<double> scale = {};
  bool bias = true;
  /// Uses one fused projection for q, k and v, in_proj_weight and in_proj_bias, as in torch.nn.MultiheadAttention,
  /// instead of q_proj, k_proj and v_proj.
  bool fused = false;
  /// Factor of the initial weight of out_proj, such as 1/sqrt(2 layers).
  double output_scale = 1;
  /// Number of random features M of a kernelised pattern. The projection W, M x head size, becomes the parameter
  /// `features`, drawn from the distribution `feature_rows`. 0: the pattern uses no projection.
  int64_t features = 0;
  FeatureRows feature_rows = FeatureRows::orthogonal;
};

/// Multi-head attention with input projections q_proj, k_proj and v_proj (or in_proj_weight and in_proj_bias) and the
/// output projection out_proj.
class MultiheadAttention : public Module {
public:
  explicit MultiheadAttention(MultiheadAttentionOptions options, Here here = Here::current());
  /// Computes self-attention of x: batch x tokens x width.
  Tensor operator()(const Tensor &x, Here here = Here::current()) const { return (*this)(x, x, here); }
  /// Computes attention with queries from x, and keys and values from `memory`, both batch x tokens x width. Throws
  /// Error where the projections are fused and `memory` is not x.
  Tensor operator()(const Tensor &x, const Tensor &memory, Here here = Here::current()) const;
  /// Computes attention with queries from x, keys and values from `memory`, and the pattern and other clauses of
  /// `clauses` instead of the module's pattern. Throws Error where both the module and `clauses` have a score, a scale
  /// or parameters (the module's features).
  Tensor operator()(const Tensor &x, const Tensor &memory, AttentionOptions clauses, Here here = Here::current()) const;

  MultiheadAttentionOptions options;
  std::optional<Linear> q_proj, k_proj, v_proj;
  Parameter in_proj_weight, in_proj_bias, features;
  Linear out_proj;
  XF_MEMBERS(in_proj_weight, in_proj_bias, q_proj, k_proj, v_proj, features, out_proj)

private:
  struct Projected {
    Tensor q, k, v;
  };
  Projected project(const Tensor &x, const Tensor &memory, Here here) const;
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
  Tensor operator()(const Tensor &x, const Tensor &seed, Here here = Here::current()) const {
    return dropout(x, p, seed, here);
  }

  double p;
};

/// Applies modules and functions one after the other; the modules' names are "0", "1", .. A function has its number,
/// but no name: Sequential(Linear(8, 4), gelu, Linear(4, 2)) has the parameters 0.weight, 0.bias, 2.weight and 2.bias.
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
