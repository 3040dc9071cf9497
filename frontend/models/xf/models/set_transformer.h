//===- xf/models/set_transformer.h - Set Transformer -*- C++ -*-===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// J. Lee, Y. Lee, Kim, Kosiorek, Choi, Teh: "Set Transformer: A Framework for Attention-based Permutation-Invariant
// Neural Networks", arXiv 1810.00825.
//
//   models::SetTransformer model({.in = 2, .outputs = 4, .out = 5});      // mixtures of Gaussians (section 5.3)
//
// Parameters have the names of the paper's code. Blocks are those of the code, too, which differ from the paper's
// equations: the residual is the projected query, scores are divided by sqrt(width) and not sqrt(size of a head), norms
// are an option, and PMA applies no feed-forward to its keys. Left out: dropout.
//
//===----------------------------------------------------------------------===//

#ifndef XF_MODELS_SET_TRANSFORMER_H
#define XF_MODELS_SET_TRANSFORMER_H

#include "xf/nn.h"

#include <cmath>

namespace xf::models {

/// Multihead attention block MAB(X, Y) (equations 6, 7): H = Q + attention, then H + relu(fc_o(H)). Each sum is
/// normalised if `norms` is true.
struct SetMAB : nn::Module {
  nn::Linear fc_q, fc_k, fc_v, fc_o;
  std::optional<nn::LayerNorm> ln0, ln1;
  XF_MEMBERS(fc_q, fc_k, fc_v, ln0, ln1, fc_o)

  SetMAB(int64_t in, int64_t memory, int64_t width, int64_t heads, bool norms, Here here = Here::current())
      : fc_q(in, width, true, here), fc_k(memory, width, true, here), fc_v(memory, width, true, here),
        fc_o(width, width, true, here), heads(heads) {
    if (norms) {
      ln0.emplace(width, 1e-5, true, here);
      ln1.emplace(width, 1e-5, true, here);
    }
  }
  /// Computes MAB(x, y) for x of batch x n x in and y of batch x m x memory. Only the first lengths[b] rows of y are
  /// elements of set b; undefined: all.
  Tensor operator()(const Tensor &x, const Tensor &y, const Tensor &lengths = {}, Here here = Here::current()) const {
    Tensor q = fc_q(x, here);
    auto split = [&](const Tensor &rows) { return split_heads(rows, heads, here); };
    double scale = 1 / std::sqrt(static_cast<double>(q.size(2).value()));
    Tensor o = q + merge_heads(scaled_dot_product_attention(split(q), split(fc_k(y, here)), split(fc_v(y, here)),
                                                            {.scale = scale, .lengths = lengths}, here),
                               here);
    o = ln0 ? (*ln0)(o, here) : o;
    o = o + relu(fc_o(o, here), here);
    return ln1 ? (*ln1)(o, here) : o;
  }

private:
  int64_t heads;
};

/// Set attention block SAB(X) = MAB(X, X) (equation 8).
struct SetSAB : nn::Module {
  SetMAB mab;
  XF_MEMBERS(mab)

  SetSAB(int64_t in, int64_t width, int64_t heads, bool norms, Here here = Here::current())
      : mab(in, in, width, heads, norms, here) {}
  Tensor operator()(const Tensor &x, const Tensor &lengths = {}, Here here = Here::current()) const {
    return mab(x, x, lengths, here);
  }
};

/// Makes a parameter of 1 x count x width for inducing points or seeds, with Xavier's uniform initialisation.
inline Parameter setPoints(int64_t count, int64_t width, Here here) {
  double inputs = static_cast<double>(count * width), outputs = static_cast<double>(width);
  return Parameter({1, count, width}, uniform_init(std::sqrt(6 / (inputs + outputs))), f32, here);
}

/// Induced set attention block ISAB(X) = MAB(X, MAB(I, X)) with inducing points I (equations 9, 10). Its time is linear
/// in the size of the set.
struct SetISAB : nn::Module {
  Parameter I;
  SetMAB mab0, mab1;
  XF_MEMBERS(I, mab0, mab1)

  SetISAB(int64_t in, int64_t width, int64_t heads, int64_t points, bool norms, Here here = Here::current())
      : I(setPoints(points, width, here)), mab0(width, in, width, heads, norms, here),
        mab1(in, width, width, heads, norms, here) {}
  Tensor operator()(const Tensor &x, const Tensor &lengths = {}, Here here = Here::current()) const {
    Tensor points = broadcast_to(I, {x.size(0), I.size(1), I.size(2)}, here);
    return mab1(x, mab0(points, x, lengths, here), {}, here);
  }
};

/// Pooling by multihead attention PMA(Z) = MAB(S, Z) with seeds S (equation 11). Returns one row for each seed.
struct SetPMA : nn::Module {
  Parameter S;
  SetMAB mab;
  XF_MEMBERS(S, mab)

  SetPMA(int64_t width, int64_t heads, int64_t seeds, bool norms, Here here = Here::current())
      : S(setPoints(seeds, width, here)), mab(width, width, width, heads, norms, here) {}
  Tensor operator()(const Tensor &z, const Tensor &lengths = {}, Here here = Here::current()) const {
    return mab(broadcast_to(S, {z.size(0), S.size(1), S.size(2)}, here), z, lengths, here);
  }
};

/// Options of SetTransformer. `in` is the width of an element, `outputs` the number of results and `out` their width;
/// these have no default.
struct SetTransformerOptions {
  int64_t in, outputs, out;
  int64_t points = 32, width = 128, heads = 4;
  bool norms = false;
};

/// Set Transformer: an encoder of two ISABs, and a decoder of PMA, two SABs and a linear layer (section 3.3). The state
/// dict numbers the members of enc and dec as the paper's code does.
struct SetTransformer : nn::Module {
  SetISAB first, second;
  SetPMA pool;
  SetSAB third, fourth;
  nn::Linear head;

  explicit SetTransformer(const SetTransformerOptions &o, Here here = Here::current())
      : first(o.in, o.width, o.heads, o.points, o.norms, here),
        second(o.width, o.width, o.heads, o.points, o.norms, here), pool(o.width, o.heads, o.outputs, o.norms, here),
        third(o.width, o.width, o.heads, o.norms, here), fourth(o.width, o.width, o.heads, o.norms, here),
        head(o.width, o.out, true, here) {}
  /// Returns the results, batch x outputs x out, of the sets x, batch x elements x in. Only the first lengths[b] rows
  /// are elements of set b; undefined: all.
  Tensor operator()(const Tensor &x, const Tensor &lengths = {}, Here here = Here::current()) const {
    Tensor z = pool(second(first(x, lengths, here), lengths, here), lengths, here);
    return head(fourth(third(z, {}, here), {}, here), here);
  }
  void visit_members(nn::Visitor &visitor) const override {
    visitor.members("enc.0, enc.1, dec.0, dec.1, dec.2, dec.3", first, second, pool, third, fourth, head);
  }
};

} // namespace xf::models

#endif // XF_MODELS_SET_TRANSFORMER_H
