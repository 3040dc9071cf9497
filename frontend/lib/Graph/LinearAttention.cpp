//===- LinearAttention.cpp - Kernelised attention as a recurrence -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// v with a column of ones after it makes z the last column of S: one state, one product.
//
//===----------------------------------------------------------------------===//

#include "Node.h"
#include "xf/linear_attention.h"

using namespace xf;
using namespace xf::detail;

/// The numerator over the denominator, which is the last column.
static Tensor divide(const Tensor &sums, double guard, Here here) {
  int64_t columns = sums.size(-1).value() - 1;
  return slice(sums, -1, 0, columns, 1, here) / (slice(sums, -1, columns, columns + 1, 1, here) + guard);
}

static int64_t staticColumns(const Tensor &v, Here here) {
  expect(v.size(-1).is_static(), here, "expected values of a static size, got shape ", v.shape());
  return v.size(-1).value();
}

/// ..xDv to ..x(Dv + 1). The ones have v's shape, which may be dynamic, and nothing of its numbers.
static Tensor withOnes(const Tensor &v, Here here) {
  Tensor first = slice(v, -1, 0, 1, 1, here), one = full({1}, 1, v.dtype(), here);
  return concat({v, where(first == first, one, one, here)}, -1, here);
}

LinearAttentionStep xf::linear_attention_step(const Tensor &phi_q, const Tensor &phi_k, const Tensor &v,
                                              const Tensor &s, const Tensor &z, const LinearAttentionOptions &options,
                                              Here here) {
  const std::pair<const Tensor *, const char *> rows[] = {{&phi_q, "phi_q"}, {&phi_k, "phi_k"}, {&v, "v"}};
  for (auto [tensor, what] : rows) {
    expectRank(*tensor, 4, what, here);
    expect(tensor->size(2).may_equal(1), here, "expected one token of ", what, ", got shape ", tensor->shape());
  }
  expectRank(s, 4, "s", here);
  expectRank(z, 3, "z", here);
  int64_t columns = staticColumns(v, here);
  auto perHead = [&](const Tensor &weight) {
    expectRank(weight, 2, "decay and beta of a step", here);
    const Shape &shape = weight.shape();
    return reshape(weight, {shape[0], shape[1], 1, 1}, here);
  };
  Tensor state = concat({s, reshape(z, {z.shape()[0], z.shape()[1], z.shape()[2], 1}, here)}, -1, here);
  if (options.decay.defined())
    state = state * perHead(options.decay);
  Tensor change = withOnes(v, here);
  if (options.beta.defined())
    change = (change - matmul(phi_k, state, here)) * perHead(options.beta);
  state = state + matmul(transpose(phi_k, 2, 3, here), change, here);
  Tensor newZ = slice(state, -1, columns, columns + 1, 1, here);
  return {divide(matmul(phi_q, state, here), options.guard, here), slice(state, -1, 0, columns, 1, here),
          reshape(newZ, z.shape(), here)};
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
  AttentionOptions inside;
  inside.pattern = kernelized({.feature = Feature::identity, .normalizer = Normalizer::none, .of = causal()});
  std::vector<Tensor> slices;
  Tensor state;
  for (int64_t begin = 0; begin < tokens.value(); begin += options.slice) {
    int64_t end = std::min(begin + options.slice, tokens.value());
    auto rows = [&](const Tensor &x) { return slice(x, 2, begin, end, 1, here); };
    auto sums = [&] {
      Tensor phiQ = feature(rows(q)), phiK = feature(rows(k));
      Tensor own = scaled_dot_product_attention(phiQ, phiK, withOnes(rows(v), here), inside, here);
      return state.defined() ? own + matmul(phiQ, state, here) : own;
    };
    slices.push_back(divide(checkpoint(sums, here), options.guard, here));
    if (end == tokens.value())
      break;
    state = checkpoint(
        [&] {
          Tensor taken = matmul(transpose(feature(rows(k)), 2, 3, here), withOnes(rows(v), here), here);
          return state.defined() ? state + taken : taken;
        },
        here);
  }
  return slices.size() == 1 ? slices[0] : concat(slices, 2, here);
}
