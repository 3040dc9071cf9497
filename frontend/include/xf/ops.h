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

#include <functional>
#include <optional>
#include <utility>

namespace xf {

//===--- constants ---===//

/// Returns a tensor whose elements all equal `value`.
Tensor full(Shape shape, double value, Dtype dtype = f32, Here here = Here::current());
Tensor zeros(Shape shape, Dtype dtype = f32, Here here = Here::current());
Tensor ones(Shape shape, Dtype dtype = f32, Here here = Here::current());
/// Returns the vector 0, 1, .., count - 1.
Tensor arange(int64_t count, Dtype dtype = i64, Here here = Here::current());
/// Returns a constant of the program with the given elements, row-major.
Tensor constant(const std::vector<int64_t> &values, Shape shape, Dtype dtype = i64, Here here = Here::current());
Tensor constant(const std::vector<double> &values, Shape shape, Dtype dtype = f32, Here here = Here::current());

//===--- products ---===//

/// Computes the matrix product a b over the last two dimensions: ..xMxK by ..xKxN, with equal leading sizes, or b of
/// rank 2.
Tensor matmul(const Tensor &a, const Tensor &b, Here here = Here::current());
/// Computes x W^T + bias: x ..xIn, weight OutxIn (torch's layout), bias Out or undefined.
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

/// Forms of gelu. erf: x/2 (1 + erf(x / sqrt 2)); tanh: its approximation (GPT-2); sigmoid: x sigmoid(1.702 x) (Sparse
/// Transformers).
enum class Gelu { erf, tanh, sigmoid };
/// Computes the Gaussian error linear unit; the default form is erf, as in torch.
Tensor gelu(const Tensor &x, Here here = Here::current());
Tensor gelu(const Tensor &x, Gelu form, Here here = Here::current());

/// Compute the larger element, the smaller element (NaN if either is), and the power a^b of floats. Shapes broadcast.
Tensor maximum(const Operand &a, const Operand &b);
Tensor minimum(const Operand &a, const Operand &b);
Tensor pow(const Operand &a, const Operand &b);
/// Selects a where the condition holds, and b elsewhere; an element that is not selected has no effect, even if it is
/// NaN.
Tensor where(const Tensor &condition, const Operand &a, const Operand &b, Here here = Here::current());
/// Converts to another element type: floats to floats round to nearest even, floats to integers truncate, and a boolean
/// is x != 0.
Tensor cast(const Tensor &x, Dtype dtype, Here here = Here::current());

//===--- rows and reductions ---===//

/// Computes the softmax over the last dimension.
Tensor softmax(const Tensor &x, Here here = Here::current());
/// Computes (x - mean) / sqrt(var + eps) weight + bias over the last dimension; undefined weight and bias are left out.
Tensor layer_norm(const Tensor &x, const Tensor &weight = {}, const Tensor &bias = {}, double eps = 1e-5,
                  Here here = Here::current());
/// Computes x / sqrt(mean(x^2) + eps) weight over the last dimension; an undefined weight is left out.
Tensor rms_norm(const Tensor &x, const Tensor &weight = {}, double eps = 1e-6, Here here = Here::current());

/// Dimensions to reduce: one dimension, several, or all (an empty list). Negative numbers count from the end.
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

/// Returns the same elements in row-major order with another shape; one size may be -1, which stands for the remaining
/// size.
Tensor reshape(const Tensor &x, Shape shape, Here here = Here::current());
/// Permutes dimensions: dimension d of the result is dimension axes[d] of x. Without axes the order is reversed.
Tensor transpose(const Tensor &x, const std::vector<int64_t> &axes = {}, Here here = Here::current());
/// Exchanges two dimensions.
Tensor transpose(const Tensor &x, int64_t axis0, int64_t axis1, Here here = Here::current());
/// Returns the elements begin, begin + step, .. below end of one dimension; a negative begin or end counts from the
/// end.
Tensor slice(const Tensor &x, int64_t axis, int64_t begin, int64_t end, int64_t step = 1, Here here = Here::current());
Tensor concat(const std::vector<Tensor> &tensors, int64_t axis, Here here = Here::current());
Tensor broadcast_to(const Tensor &x, Shape shape, Here here = Here::current());
/// Converts B x N x (heads D) to B x heads x N x D, and back.
Tensor split_heads(const Tensor &x, int64_t heads, Here here = Here::current());
Tensor merge_heads(const Tensor &x, Here here = Here::current());

/// How pooling reduces several rows to one, element by element: the maximum (whose gradient goes to the first of equal
/// elements), the mean, or the last row.
enum class Pool { max, mean, last };
/// stack_layers joins L tensors B x N x d into one of B x (N L) x d, in which token n of layer l stands at n L + l.
/// pool_layers pools the layers of every token, back to B x N x d (OmniNet, Tay 2021).
Tensor stack_layers(const std::vector<Tensor> &layers, Here here = Here::current());
Tensor pool_layers(const Tensor &x, int64_t layers, Pool kind, Here here = Here::current());
/// Pools every `size` neighbouring tokens of x, ..xNxd, into one token: pooled queries (MViT, Fan 2021). N is static
/// and a multiple of `size`.
Tensor pool_tokens(const Tensor &x, int64_t size, Pool kind, Here here = Here::current());

//===--- training ---===//

/// Looks up table[ids[..], :]. An input of the program that is used as ids receives the range [0, rows of the table),
/// which every call checks.
Tensor embedding(const Tensor &table, const Tensor &ids, Here here = Here::current());
/// Computes the mean of logsumexp(logits) - logits[target] over all targets other than -100; 0 when every target is
/// -100.
Tensor cross_entropy(const Tensor &logits, const Tensor &targets, Here here = Here::current());
/// Computes x / (1 - p) with probability 1 - p for each element, else 0. The result depends only on x, the seed (tensor
/// of 2 x i64) and the element's position.
Tensor dropout(const Tensor &x, double p, const Tensor &seed, Here here = Here::current());

/// Calls f and returns its result. The gradient recomputes the values inside f instead of keeping them.
Tensor checkpoint(const std::function<Tensor()> &f, Here here = Here::current());
/// Calls f(x) as a checkpoint; f may also use other tensors and parameters.
template <typename F>
Tensor checkpoint(const F &f, const Tensor &x, Here here = Here::current()) {
  return checkpoint(std::function<Tensor()>([&] { return f(x); }), here);
}

} // namespace xf

#endif // XF_OPS_H
