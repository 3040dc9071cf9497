//===- xf/ops.h - Operations on tensors -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and conventions are those of torch and MLX. Every function checks shapes and element types when the function is
// called, and throws xf::Error at the caller's line.
//
//===----------------------------------------------------------------------===//

#ifndef XF_OPS_H
#define XF_OPS_H

#include "xf/tensor.h"

#include <concepts>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>

namespace xf {

//===--- constants ---===//

/// Return a tensor whose elements all equal `value` (full), 0 (zeros) or 1 (ones). Sizes may be named, or computed from
/// named sizes, if inputs of the entry have these names.
Tensor full(Shape shape, double value, Dtype dtype = f32, Here here = Here::current());
Tensor zeros(Shape shape, Dtype dtype = f32, Here here = Here::current());
Tensor ones(Shape shape, Dtype dtype = f32, Here here = Here::current());
/// Returns the vector 0, 1, .., count - 1.
Tensor arange(int64_t count, Dtype dtype = i64, Here here = Here::current());
/// Returns the vector 0, 1, .., count - 1. `count` may be a named size, or computed from named sizes, if inputs of the
/// entry have these names.
Tensor arange(const Dim &count, Dtype dtype = i64, Here here = Here::current());
/// Returns a constant with the given elements in row-major order.
Tensor constant(const std::vector<int64_t> &values, Shape shape, Dtype dtype = i64, Here here = Here::current());
Tensor constant(const std::vector<double> &values, Shape shape, Dtype dtype = f32, Here here = Here::current());
/// Return a constant with elements that are written out in row-major order, as in constant({1, 2, 3}, {3}).
template <std::integral T>
Tensor constant(std::initializer_list<T> values, Shape shape, Dtype dtype = i64, Here here = Here::current()) {
  return constant(std::vector<int64_t>(values.begin(), values.end()), std::move(shape), dtype, here);
}
template <std::floating_point T>
Tensor constant(std::initializer_list<T> values, Shape shape, Dtype dtype = f32, Here here = Here::current()) {
  return constant(std::vector<double>(values.begin(), values.end()), std::move(shape), dtype, here);
}

//===--- products ---===//

/// Computes the matrix product a b over the last two dimensions: ..xMxK by ..xKxN to ..xMxN. The leading sizes must be
/// equal, unless b has rank 2.
Tensor matmul(const Tensor &a, const Tensor &b, Here here = Here::current());
/// Computes x W^T + bias: x is ..xIn, weight W is OutxIn (torch's layout), bias is Out or undefined.
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
Tensor tan(const Tensor &x, Here here = Here::current());
Tensor asin(const Tensor &x, Here here = Here::current());
Tensor acos(const Tensor &x, Here here = Here::current());
Tensor atan(const Tensor &x, Here here = Here::current());
Tensor sinh(const Tensor &x, Here here = Here::current());
Tensor cosh(const Tensor &x, Here here = Here::current());
Tensor cbrt(const Tensor &x, Here here = Here::current());
Tensor log2(const Tensor &x, Here here = Here::current());
Tensor log10(const Tensor &x, Here here = Here::current());
/// Compute log(1 + x) (log1p) and e^x - 1 (expm1), which are accurate near 0, and log(1 + e^x) (softplus).
Tensor log1p(const Tensor &x, Here here = Here::current());
Tensor expm1(const Tensor &x, Here here = Here::current());
Tensor softplus(const Tensor &x, Here here = Here::current());
/// Round down (floor), up (ceil), and to the nearest integer (round). A number halfway between two integers is rounded
/// to the even one, as in torch. Gradients are 0.
Tensor floor(const Tensor &x, Here here = Here::current());
Tensor ceil(const Tensor &x, Here here = Here::current());
Tensor round(const Tensor &x, Here here = Here::current());
/// Returns x, and blocks gradients (torch's detach).
Tensor stop_gradient(const Tensor &x, Here here = Here::current());
Tensor relu(const Tensor &x, Here here = Here::current());
Tensor silu(const Tensor &x, Here here = Here::current());

/// Formulas of gelu. erf is exact: x/2 (1 + erf(x / sqrt 2)). tanh is the approximation by tanh (GPT-2). sigmoid is the
/// approximation x sigmoid(1.702 x) (Sparse Transformers).
enum class Gelu { erf, tanh, sigmoid };
/// Computes the Gaussian error linear unit by the formula `form`.
Tensor gelu(const Tensor &x, Gelu form = Gelu::erf, Here here = Here::current());

/// Compute the larger element (maximum), the smaller element (minimum), or the power a^b of floats (pow). maximum and
/// minimum are NaN where either operand is NaN. Shapes broadcast.
Tensor maximum(const Operand &a, const Operand &b);
Tensor minimum(const Operand &a, const Operand &b);
Tensor pow(const Operand &a, const Operand &b);
/// Computes the angle of the point (x, y), in [-pi, pi]. Shapes broadcast.
Tensor atan2(const Operand &y, const Operand &x);
/// Limits x to [low, high]; NaN stays NaN. The gradient passes where low <= x <= high.
Tensor clamp(const Tensor &x, double low, double high, Here here = Here::current());
/// Returns the elements of a where `condition` is true, and those of b elsewhere. An element that is not chosen has no
/// effect, even if it is NaN. Shapes broadcast.
Tensor where(const Tensor &condition, const Operand &a, const Operand &b, Here here = Here::current());
/// Converts to another element type. Conversion to a float rounds to nearest even, conversion from a float to an
/// integer truncates, and conversion to a boolean computes x != 0.
Tensor cast(const Tensor &x, Dtype dtype, Here here = Here::current());

//===--- rows and reductions ---===//

/// Computes the softmax over the last dimension.
Tensor softmax(const Tensor &x, Here here = Here::current());
/// Computes (x - mean) / sqrt(var + eps) weight + bias over the last dimension. An undefined weight or bias is left
/// out.
Tensor layer_norm(const Tensor &x, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5,
                  Here here = Here::current());
/// Computes x / sqrt(mean(x^2) + eps) weight over the last dimension; an undefined weight is left out.
Tensor rms_norm(const Tensor &x, const Tensor &weight = {}, double eps = 1e-6, Here here = Here::current());

/// Dimensions to reduce: one dimension, several, or all (an empty list). Negative dimensions count from the end.
struct Axes {
  Axes() = default;
  Axes(int64_t axis) : list{axis} {}
  Axes(int axis) : list{axis} {}
  Axes(std::initializer_list<int64_t> axes) : list(axes) {}
  std::vector<int64_t> list;
};
Tensor sum(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());
/// Computes the mean over `axes`. The mean of booleans is the fraction that is true, as f32.
Tensor mean(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());
Tensor max(const Tensor &x, Axes axes = {}, bool keep_dims = false, Here here = Here::current());

//===--- shapes ---===//

/// Returns the elements of x, in row-major order, with another shape. One size may be -1; it is computed from the
/// others. Throws Error where the numbers of elements are known to differ, or are equal for only one value of a named
/// size. If they may differ, every call checks them.
Tensor reshape(const Tensor &x, Shape shape, Here here = Here::current());
/// Permutes dimensions: dimension d of the result is dimension axes[d] of x. If `axes` is empty, reverses the
/// dimensions.
Tensor transpose(const Tensor &x, const std::vector<int64_t> &axes = {}, Here here = Here::current());
/// Exchanges two dimensions.
Tensor transpose(const Tensor &x, int64_t axis0, int64_t axis1, Here here = Here::current());
/// Begin or end of a slice: a number or a size. A negative number counts from the end of the dimension.
struct SliceBound {
  template <std::integral Int>
  SliceBound(Int number) : number(number), size(0) {}
  SliceBound(Dim size) : number(0), size(std::move(size)) {}
  int64_t number; ///< added to `size`
  Dim size;
};
/// Returns the elements of x whose indices along dimension `axis` are begin, begin + step, .., up to but without `end`:
/// slice(x, 1, x.size(1) - 1, x.size(1)). A negative number as begin or end counts from the end of the dimension.
Tensor slice(const Tensor &x, int64_t axis, SliceBound begin, SliceBound end, int64_t step = 1,
             Here here = Here::current());
Tensor concat(const std::vector<Tensor> &tensors, int64_t axis, Here here = Here::current());
Tensor broadcast_to(const Tensor &x, Shape shape, Here here = Here::current());
/// Convert B x N x (heads D) to B x heads x N x D (split_heads), and back (merge_heads).
Tensor split_heads(const Tensor &x, int64_t heads, Here here = Here::current());
Tensor merge_heads(const Tensor &x, Here here = Here::current());

/// Operation by which pooling reduces several rows to one, element by element: the maximum, the mean, or the last row.
/// The gradient of a maximum goes to the first of equal elements.
enum class Pool { max, mean, last };
/// Stack and pool the tokens of several layers (OmniNet, Tay 2021). stack_layers joins L tensors B x N x d into one of
/// B x (N L) x d. Token n of layer l gets index n L + l. pool_layers reduces the L rows of every token to one, from B x
/// (N L) x d to B x N x d.
Tensor stack_layers(const std::vector<Tensor> &layers, Here here = Here::current());
Tensor pool_layers(const Tensor &x, int64_t layers, Pool kind, Here here = Here::current());
/// Pools every `size` neighbouring tokens of x into one: ..xNxd becomes ..x(N / size)xd (pooled queries of MViT, Fan
/// 2021). N must be a multiple of `size`.
Tensor pool_tokens(const Tensor &x, int64_t size, Pool kind, Here here = Here::current());

//===--- training ---===//

/// Looks up table[ids[..], :]. Where `ids` is an input of the program, every call checks that its elements lie in [0,
/// rows of the table).
Tensor embedding(const Tensor &table, const Tensor &ids, Here here = Here::current());
/// Options of embedding. `padding` is a row whose look-ups add nothing to the gradient of the table (torch's
/// padding_idx).
struct EmbeddingOptions {
  std::optional<int64_t> padding = {};
};
Tensor embedding(const Tensor &table, const Tensor &ids, const EmbeddingOptions &options, Here here = Here::current());
/// Computes the mean of logsumexp(logits) - logits[target] over all targets other than -100. Returns 0 if every target
/// is -100.
Tensor cross_entropy(const Tensor &logits, const Tensor &targets, Here here = Here::current());
/// Computes x / (1 - p) with probability 1 - p for each element, else 0. The result depends only on x, p, the seed
/// (tensor of 2 x i64) and the element's position.
Tensor dropout(const Tensor &x, double p, const Tensor &seed, Here here = Here::current());

/// Calls f and returns its result. The gradient recomputes the intermediate values of f instead of storing them.
Tensor checkpoint(const std::function<Tensor()> &f, Here here = Here::current());
/// Calls f(x) and returns its result. The gradient recomputes the intermediate values of f instead of storing them. f
/// may also use other tensors and parameters.
template <typename F>
Tensor checkpoint(const F &f, const Tensor &x, Here here = Here::current()) {
  return checkpoint(std::function<Tensor()>([&] { return detail::callAt(here, f, x); }), here);
}

} // namespace xf

#endif // XF_OPS_H
