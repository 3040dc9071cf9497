//===- xf/ops.h - Operations on tensors -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and conventions are those of torch and MLX. Every function checks shapes and element types when it is called
// and throws xf::Error at the caller's line.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_H
#define XF_OPS_H

#include "xf/tensor.h"

#include <functional>
#include <optional>
#include <utility>

namespace xf {

//===--- constants ---===//

/// A tensor of one number.
Tensor full(Shape shape, double value, Dtype dtype = f32, Here here = Here::current());
Tensor zeros(Shape shape, Dtype dtype = f32, Here here = Here::current());
Tensor ones(Shape shape, Dtype dtype = f32, Here here = Here::current());
/// 0, 1, .., count - 1.
Tensor arange(int64_t count, Dtype dtype = i64, Here here = Here::current());
/// Numbers that are part of the program, row-major.
Tensor constant(const std::vector<int64_t> &values, Shape shape, Dtype dtype = i64, Here here = Here::current());
Tensor constant(const std::vector<double> &values, Shape shape, Dtype dtype = f32, Here here = Here::current());

//===--- products ---===//

/// a b over the last two dimensions: ..xMxK by ..xKxN (leading sizes equal, or b of rank 2).
Tensor matmul(const Tensor &a, const Tensor &b, Here here = Here::current());
/// x W^T + bias: x ..xIn, weight OutxIn (torch's layout), bias Out or none.
Tensor linear(const Tensor &x, const Tensor &weight, const Tensor &bias = {}, Here here = Here::current());

//===--- element by element ---===//

Tensor exp(const Tensor &x, Here here = Here::current());
Tensor log(const Tensor &x, Here here = Here::current());
Tensor sqrt(const Tensor &x, Here here = Here::current());
Tensor rsqrt(const Tensor &x, Here here = Here::current());
Tensor tanh(const Tensor &x, Here here = Here::current());
Tensor sigmoid(const Tensor &x, Here here = Here::current());
Tensor erf(const Tensor &x, Here here = Here::current());
Tensor abs(const Tensor &x, Here here = Here::current());
Tensor square(const Tensor &x, Here here = Here::current());
Tensor sin(const Tensor &x, Here here = Here::current());
Tensor cos(const Tensor &x, Here here = Here::current());
Tensor relu(const Tensor &x, Here here = Here::current());
Tensor silu(const Tensor &x, Here here = Here::current());

/// erf: x/2 (1 + erf(x / sqrt 2)); tanh: its approximation (GPT-2); sigmoid: x sigmoid(1.702 x) (Sparse Transformers).
enum class Gelu { erf, tanh, sigmoid };
/// Gaussian error linear unit; without a form, torch's: erf.
Tensor gelu(const Tensor &x, Here here = Here::current());
Tensor gelu(const Tensor &x, Gelu form, Here here = Here::current());

/// The larger and the smaller element (NaN if either is), and a^b of floats; shapes broadcast.
Tensor maximum(const Operand &a, const Operand &b);
Tensor minimum(const Operand &a, const Operand &b);
Tensor pow(const Operand &a, const Operand &b);
/// a where the condition holds, b elsewhere; the other one is not observable, be it NaN.
Tensor where(const Tensor &condition, const Operand &a, const Operand &b, Here here = Here::current());
/// Floats round to nearest even, floats to integers truncate, to booleans is != 0.
Tensor cast(const Tensor &x, Dtype dtype, Here here = Here::current());

//===--- rows and reductions ---===//

/// Over the last dimension.
Tensor softmax(const Tensor &x, Here here = Here::current());
/// (x - mean) / sqrt(var + eps) weight + bias over the last dimension.
Tensor layer_norm(const Tensor &x, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5,
                  Here here = Here::current());
/// x / sqrt(mean(x^2) + eps) weight over the last dimension.
Tensor rms_norm(const Tensor &x, const Tensor &weight = {}, double eps = 1e-6, Here here = Here::current());

/// Dimensions to reduce: one, several, or (empty) all of them; negative ones count from the end.
struct Axes {
  Axes() = default;
  Axes(int64_t axis) : list{axis} {}
  Axes(int axis) : list{axis} {}
  Axes(std::initializer_list<int64_t> axes) : list(axes) {}
  std::vector<int64_t> list;
};
Tensor sum(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());
Tensor mean(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());
Tensor max(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());

//===--- shapes ---===//

/// The same elements in row-major order; one size may be -1.
Tensor reshape(const Tensor &x, Shape shape, Here here = Here::current());
/// Dimension d of the result is dimension axes[d] of x; without axes their order is reversed.
Tensor transpose(const Tensor &x, const std::vector<int64_t> &axes = {}, Here here = Here::current());
/// The two dimensions change places.
Tensor transpose(const Tensor &x, int64_t axis0, int64_t axis1, Here here = Here::current());
/// Elements begin, begin + step, .. below end of one dimension; a negative begin or end counts from the end.
Tensor slice(const Tensor &x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1, Here here = Here::current());
Tensor concat(const std::vector<Tensor> &tensors, int64_t axis, Here here = Here::current());
Tensor broadcast_to(const Tensor &x, Shape shape, Here here = Here::current());
/// B x N x (heads D) to B x heads x N x D, and back.
Tensor split_heads(const Tensor &x, int64_t heads, Here here = Here::current());
Tensor merge_heads(const Tensor &x, Here here = Here::current());

/// How several rows become one, element by element: the largest (its gradient goes to the first of equal ones), their
/// mean, or the last row.
enum class Pool { max, mean, last };
/// L tensors B x N x d as one B x (N L) x d, in which token n of layer l stands at n L + l; and the layers of every
/// token pooled, back to B x N x d (OmniNet, Tay 2021).
Tensor stack_layers(const std::vector<Tensor> &layers, Here here = Here::current());
Tensor pool_layers(const Tensor &x, int64_t layers, Pool kind, Here here = Here::current());
/// Every `size` neighbouring tokens of x, ..xNxd, become one: pooled queries (MViT, Fan 2021). N is a multiple of it.
Tensor pool_tokens(const Tensor &x, int64_t size, Pool kind, Here here = Here::current());

//===--- training ---===//

/// table[ids[..], :]. An input of the program that is used as ids gets the range [0, rows) and is checked when called.
Tensor embedding(const Tensor &table, const Tensor &ids, Here here = Here::current());
/// Mean over targets that are not -100 of logsumexp(logits) - logits[target]; 0 when there are none.
Tensor cross_entropy(const Tensor &logits, const Tensor &targets, Here here = Here::current());
/// x / (1 - p) with probability 1 - p, else 0; a function of the seed (tensor of 2 x i64) and the position only.
Tensor dropout(const Tensor &x, double p, const Tensor &seed, Here here = Here::current());

/// Calls f and returns what it returns; what is computed inside is computed again for the gradient instead of kept.
Tensor checkpoint(const std::function<Tensor()> &f, Here here = Here::current());
/// checkpoint(block, x): f may also use other tensors and parameters.
template <typename F>
Tensor checkpoint(const F &f, const Tensor &x, Here here = Here::current()) {
  return checkpoint(std::function<Tensor()>([&] { return f(x); }), here);
}

} // namespace xf

#endif // XF_OPS_H
