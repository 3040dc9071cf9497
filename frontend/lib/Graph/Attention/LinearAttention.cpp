//===- LinearAttention.cpp - Recurrent kernelised attention -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linear attention and its state (S, z). A column of ones is appended to v, so that z becomes the last column of S. One
// state and one product then suffice.
//
//===----------------------------------------------------------------------===//

#include "../Node.h"
#include "xf/linear_attention.h"

using namespace xf;
using namespace xf::detail;

/// Computes the attention's output from `sums`, ..x(Dv + 1): divides the numerators (columns 0 to Dv - 1) by the
/// denominator (column Dv) plus `guard`.
static Tensor divide(const Tensor &sums, double guard, Here here) {
  int64_t columns = sums.size(-1).value() - 1;
  return slice(sums, -1, 0, columns, 1, here) / (slice(sums, -1, columns, columns + 1, 1, here) + guard);
}

static int64_t staticColumns(const Tensor &v, Here here) {
  expect(v.size(-1).is_static(), here, "expected values of a static size, got shape ", v.shape());
  return v.size(-1).value();
}

/// Appends a column of ones to the values v: ..xDv becomes ..x(Dv + 1). The ones are computed from v, because the shape
/// of v may be dynamic, but do not depend on its elements.
static Tensor withOnes(const Tensor &v, Here here) {
  Tensor first = slice(v, -1, 0, 1, 1, here), one = full({1}, 1, v.dtype(), here);
  return concat({v, where(first == first, one, one, here)}, -1, here);
}

/// Returns the state as one tensor, BxHxMx(Dv + 1), or `s` alone if there is no normaliser.
static Tensor joined(const Tensor &s, const Tensor &z, Normalizer normalizer, Here here) {
  expectRank(s, 4, "s", here);
  expect(normalizer == Normalizer::sum || normalizer == Normalizer::none, here,
         "expected Normalizer::sum or Normalizer::none in steps of linear attention, got another one");
  if (normalizer == Normalizer::none)
    return s;
  expectRank(z, 3, "z", here);
  return concat({s, reshape(z, {z.shape()[0], z.shape()[1], z.shape()[2], 1}, here)}, -1, here);
}

/// Makes the result from the `sums` of the tokens and the `state` after them. If there is a normaliser, divides the
/// sums by their last column and splits the state into s and z.
static LinearAttentionStep parted(const Tensor &sums, const Tensor &state, const LinearAttentionOptions &options,
                                  Here here) {
  if (options.normalizer == Normalizer::none)
    return {sums, state, {}};
  const Shape &shape = state.shape();
  int64_t columns = shape[3].value() - 1;
  Tensor z = slice(state, -1, columns, columns + 1, 1, here);
  return {divide(sums, options.guard, here), slice(state, -1, 0, columns, 1, here),
          reshape(z, {shape[0], shape[1], shape[2]}, here)};
}

LinearAttentionStep xf::linear_attention_step(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v,
                                              const Tensor &s, const Tensor &z, const LinearAttentionOptions &options,
                                              Here here) {
  const std::pair<const Tensor *, const char *> rows[] = {{&phi_q, "phi_q"}, {&phi_k, "phi_k"}, {&v, "v"}};
  for (auto [tensor, what] : rows) {
    expectRank(*tensor, 4, what, here);
    expect(tensor->size(2).may_equal(1), here, "expected one token of ", what, ", got shape ", tensor->shape());
  }
  staticColumns(v, here);
  auto perHead = [&](const Tensor &weight) {
    expectRank(weight, 2, "decay and beta of a step", here);
    const Shape &shape = weight.shape();
    return reshape(weight, {shape[0], shape[1], 1, 1}, here);
  };
  Tensor state = joined(s, z, options.normalizer, here);
  if (options.decay.defined())
    state = state * perHead(options.decay);
  Tensor change = options.normalizer == Normalizer::none ? v : withOnes(v, here);
  if (options.beta.defined())
    change = (change - matmul(phi_k, state, here)) * perHead(options.beta);
  state = state + matmul(transpose(phi_k, 2, 3, here), change, here);
  return parted(matmul(phi_q, state, here), state, options, here);
}

/// Returns the rows of an identity matrix for every batch entry and head of x: BxHxMxM.
static Tensor unitRows(const Tensor &x, int64_t features, Here here) {
  std::vector<double> elements(static_cast<size_t>(features * features), 0);
  for (int64_t n = 0; n < features; ++n)
    elements[static_cast<size_t>(n * (features + 1))] = 1;
  return broadcast_to(constant(elements, {features, features}, x.dtype(), here),
                      {x.shape()[0], x.shape()[1], features, features}, here);
}

/// Passes the state in and out by additional tokens. The first M keys are the rows of an identity matrix, and their
/// values are the rows of the state before the tokens. So they write that state; the delta rule leaves it unchanged,
/// because the rows are orthonormal. The last M queries are the rows of an identity matrix, too, and read the state
/// after the tokens. The keys of the last M tokens are 0 and change nothing.
LinearAttentionStep xf::linear_attention_steps(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v,
                                               const Tensor &s, const Tensor &z, const LinearAttentionOptions &options,
                                               Here here) {
  for (auto [tensor, what] : {std::pair(&phi_q, "phi_q"), std::pair(&phi_k, "phi_k"), std::pair(&v, "v")})
    expectRank(*tensor, 4, what, here);
  staticColumns(v, here);
  expect(phi_q.size(-1).is_static(), here, "expected features of a static size, got shape ", phi_q.shape());
  int64_t features = phi_q.size(-1).value();
  Tensor state = joined(s, z, options.normalizer, here);
  Tensor values = options.normalizer == Normalizer::none ? v : withOnes(v, here);
  auto among = [&](const Tensor &weights) { // of the tokens
    if (!weights.defined())
      return weights;
    expectRank(weights, 3, "decay and beta of steps", here);
    Tensor one = ones({weights.shape()[0], weights.shape()[1], features}, weights.dtype(), here);
    return concat({one, weights, one}, 2, here);
  };
  auto zero = [&](const Tensor &x) {
    return zeros({x.shape()[0], x.shape()[1], features, x.shape()[3]}, x.dtype(), here);
  };
  AttentionOptions inside;
  inside.pattern = kernelized(
      {.feature = Feature::identity, .scale_input = false, .normalizer = Normalizer::none, .of = causal()}, here);
  inside.decay = among(options.decay);
  inside.beta = among(options.beta);
  Tensor all = scaled_dot_product_attention(concat({phi_q, unitRows(phi_q, features, here)}, 2, here),
                                            concat({unitRows(phi_k, features, here), phi_k, zero(phi_k)}, 2, here),
                                            concat({state, values, zero(values)}, 2, here), inside, here);
  Dim tokens = phi_q.shape()[2];
  return parted(slice(all, 2, 0, tokens, 1, here), slice(all, 2, tokens, tokens + features, 1, here), options, here);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Computes the numerators and the denominator of each query of a slice, BxHxNx(Dv + 1). Sums over the keys of the
/// slice and, if it is defined, over `state`: (S, z) before the slice, BxHxMx(Dv + 1).
static Tensor sumsOf(const LinearAttentionRows &rows, const Tensor &state, Here here) {
  AttentionOptions inside;
  inside.pattern = kernelized({.feature = Feature::identity, .normalizer = Normalizer::none, .of = causal()});
  Tensor own = scaled_dot_product_attention(rows.phi_q, rows.phi_k, withOnes(rows.v, here), inside, here);
  return state.defined() ? own + matmul(rows.phi_q, state, here) : own;
}

/// Returns the state (S, z) after a slice, BxHxMx(Dv + 1). It is the sum of the state before the slice (0 if undefined)
/// and of phi(k)^T [v, 1] for the keys of the slice.
static Tensor stateBehind(const Tensor &phiK, const Tensor &v, const Tensor &state, Here here) {
  Tensor taken = matmul(transpose(phiK, 2, 3, here), withOnes(v, here), here);
  return state.defined() ? state + taken : taken;
}

Tensor xf::sliced_linear_attention(const Tensor &q, const Tensor &k, const Tensor &v,
                                   const std::function<Tensor(const Tensor &)> &feature, SlicedAttentionOptions options,
                                   Here here) {
  expect(options.slice >= 1, here, "expected slices of at least one token, got ", options.slice);
  for (auto [tensor, what] : {std::pair(&q, "q"), std::pair(&k, "k"), std::pair(&v, "v")})
    expectRank(*tensor, 4, what, here);
  Dim tokens = q.shape()[2];
  bool fits = tokens.is_static() && tokens == k.shape()[2] && tokens == v.shape()[2];
  expect(fits, here, "expected one static number of tokens of q, k and v, got ", q.shape(), ", ", k.shape(), " and ",
         v.shape());
  staticColumns(v, here);
  std::vector<Tensor> slices;
  Tensor state;
  for (int64_t begin = 0; begin < tokens.value(); begin += options.slice) {
    int64_t end = std::min(begin + options.slice, tokens.value());
    auto rows = [&](const Tensor &x) { return slice(x, 2, begin, end, 1, here); };
    auto sums = [&] { return sumsOf({feature(rows(q)), feature(rows(k)), rows(v)}, state, here); };
    slices.push_back(divide(checkpoint(sums, here), options.guard, here));
    if (end == tokens.value())
      break;
    state = checkpoint([&] { return stateBehind(feature(rows(k)), rows(v), state, here); }, here);
  }
  return slices.size() == 1 ? slices[0] : concat(slices, 2, here);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static int64_t elementsOf(const Shape &shape, Here here) {
  int64_t elements = 1;
  for (size_t d = 1; d < shape.size(); ++d) {
    expect(shape[d].is_static(), here, "expected static sizes besides the batch in layers by slices, got shape ",
           shape);
    elements *= shape[d].value();
  }
  return elements;
}

/// Packs tensors into one, since a checkpoint has only one result. Flattens each tensor to B x e, for B batch entries
/// of e elements, and concatenates the tensors along the second dimension.
static Tensor pack(const std::vector<Tensor> &parts, Here here) {
  std::vector<Tensor> rows;
  for (const Tensor &part : parts)
    rows.push_back(reshape(part, {part.shape()[0], elementsOf(part.shape(), here)}, here));
  return rows.size() == 1 ? rows[0] : concat(rows, 1, here);
}

static std::vector<Tensor> unpack(const Tensor &packed, const std::vector<Shape> &shapes, Here here) {
  std::vector<Tensor> parts;
  int64_t begin = 0;
  for (const Shape &shape : shapes) {
    int64_t end = begin + elementsOf(shape, here);
    parts.push_back(reshape(slice(packed, 1, begin, end, 1, here), shape, here));
    begin = end;
  }
  return parts;
}

namespace {
/// A slice of tokens, and the state of every layer before it.
struct TokenSlice {
  int64_t first;              ///< position of its first token
  bool isLast;                ///< whether it is the last slice
  std::vector<Tensor> states; ///< state of each layer before the slice; empty: zero
};
} // namespace

/// Applies all layers to the tokens x of a slice. Returns the slice's result and then, unless it is the last slice, the
/// state of each layer after it.
static std::vector<Tensor> throughLayers(Tensor x, const TokenSlice &tokens, const std::vector<SlicedLayer> &layers,
                                         double guard, Here here) {
  std::vector<Tensor> results(1);
  for (size_t n = 0; n < layers.size(); ++n) {
    LinearAttentionRows rows = layers[n].rows(x, tokens.first);
    for (auto [tensor, what] :
         {std::pair(&rows.phi_q, "phi_q"), std::pair(&rows.phi_k, "phi_k"), std::pair(&rows.v, "v")})
      expectRank(*tensor, 4, what, here);
    staticColumns(rows.v, here);
    Tensor state = tokens.states.empty() ? Tensor() : tokens.states[n];
    if (!tokens.isLast)
      results.push_back(stateBehind(rows.phi_k, rows.v, state, here));
    x = layers[n].finish(x, divide(sumsOf(rows, state, here), guard, here));
    expectRank(x, 3, "a layer's result", here);
  }
  results[0] = x;
  return results;
}

Tensor xf::sliced_layers(const Tensor &x, const std::vector<SlicedLayer> &layers, SlicedAttentionOptions options,
                         Here here) {
  expect(options.slice >= 1, here, "expected slices of at least one token, got ", options.slice);
  expectRank(x, 3, "x", here);
  elementsOf(x.shape(), here);
  int64_t tokens = x.shape()[1].value();
  std::vector<Tensor> slices, states;
  for (int64_t begin = 0; begin < tokens; begin += options.slice) {
    int64_t end = std::min(begin + options.slice, tokens);
    std::vector<Shape> shapes;
    auto step = [&] {
      Tensor rows = slice(x, 1, begin, end, 1, here);
      std::vector<Tensor> results = throughLayers(rows, {begin, end == tokens, states}, layers, options.guard, here);
      shapes.clear();
      for (const Tensor &result : results)
        shapes.push_back(result.shape());
      return pack(results, here);
    };
    Tensor packed = checkpoint(step, here);
    std::vector<Tensor> results = unpack(packed, shapes, here);
    slices.push_back(results[0]);
    states.assign(results.begin() + 1, results.end());
  }
  return slices.size() == 1 ? slices[0] : concat(slices, 1, here);
}
