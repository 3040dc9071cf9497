//===- functions.cpp - Functions that are made of others, by their numbers -===//
//
// Part of xf, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// RUN: frontend-functions > %t.mlir
// RUN: %python %S/Inputs/functions.py %t.mlir reference | FileCheck %s
// RUN: %python %S/Inputs/functions.py %t.mlir cpu | FileCheck %s
// CHECK: {{[1-9][0-9]}} entries agree

#include "frontend/Show.h"

using namespace xf;

static Program program("functions");

/// x is 3x4x6, ids 5 numbers below 4, places 3x5x6 numbers below 4.
template <typename F>
static void on(const std::string &name, const F &f) {
  program.entry(name, {{"x", f32, {3, 4, 6}}}, f);
}

static void order() {
  on("topk", [](Tensor x) { return topk(x, 2, 1).values; });
  on("topk_indices", [](Tensor x) { return topk(x, 3, -1, false).indices; });
  on("sort", [](Tensor x) { return sort(x, 0).values; });
  on("argsort", [](Tensor x) { return argsort(x, 1, true); });
  on("argmax", [](Tensor x) { return argmax(x, 1); });
  on("argmin", [](Tensor x) { return argmin(x, -1, true); });
  on("cumsum", [](Tensor x) { return cumsum(x, 1); });
  on("cumsum_last", [](Tensor x) { return cumsum(x); });
  Shape any = {dim("batch"), dim("tokens"), dim("width")};
  program.entry("cumsum_any", {{"x", f32, any}}, [](Tensor x) { return cumsum(x, 1); });
  program.entry("cumsum_long", {{"long", f32, {1000003}}}, [](Tensor x) { return cumsum(x); });
  program.entry("cumsum_ids", {{"ids", i64, {5}}}, [](Tensor ids) { return cumsum(ids); });
}

/// Rows of 150 numbers with infinities and NaN among them: they stay where they are, and behind them in sums so far.
static void extremes() {
  auto entry = [](const char *name, auto f) { program.entry(name, {{"extremes", f32, {6, 150}}}, f); };
  entry("cumsum_extremes", [](Tensor x) { return cumsum(x); });
  entry("cumsum_rows", [](Tensor x) { return cumsum(x, 0); });
  entry("min_extremes", [](Tensor x) { return min(x, 1); });
  entry("max_extremes", [](Tensor x) { return max(x, 1); });
  entry("argmin_extremes", [](Tensor x) { return argmin(x); });
  entry("argmax_extremes", [](Tensor x) { return argmax(x); });
  entry("sort_extremes", [](Tensor x) { return sort(x, 1).values; });
  entry("logsumexp_extremes", [](Tensor x) { return logsumexp(x, 1); });
}

static void indices() {
  TensorSpec x{"x", f32, {3, 4, 6}}, ids{"ids", i64, {5}}, places{"places", i64, {3, 5, 6}};
  TensorSpec updates{"updates", f32, {3, 5, 6}};
  program.entry("index_select", {x, ids}, [](Tensor x, Tensor ids) { return index_select(x, 1, ids); });
  TensorSpec table{"table", f32, {4, 6}};
  program.entry("padded", {table, ids}, [](Tensor table, Tensor ids) { return embedding(table, ids, {.padding = 1}); });
  program.entry("padded_gradient", {table, ids}, [](Tensor table, Tensor ids) {
    auto loss = [&](const std::vector<Tensor> &at) { return sum(square(embedding(at[0], ids, {.padding = 1}))); };
    return value_and_grad(loss)({table}).gradients[0];
  });
  program.entry("gather", {x, places}, [](Tensor x, Tensor places) { return gather(x, 1, places); });
  program.entry("index_add", {x, ids, updates},
                [](Tensor x, Tensor ids, Tensor updates) { return index_add(x, 1, ids, updates); });
  program.entry("scatter_add", {x, places, updates},
                [](Tensor x, Tensor places, Tensor updates) { return scatter_add(x, 1, places, updates); });
  TensorSpec rows{"rows", i32, {3, 5}};
  program.entry("gather_rows", {x, rows}, [](Tensor x, Tensor rows) { return gather_rows(x, rows); });
  program.entry("gather_rows_deep", {x, rows},
                [](Tensor x, Tensor rows) { return gather_rows(reshape(x, {3, 1, 4, 6}), reshape(rows, {3, 1, 5})); });
  program.entry("scatter_add_rows", {x, rows, updates},
                [](Tensor x, Tensor rows, Tensor updates) { return scatter_add_rows(x, rows, updates); });
  program.entry("nearest_rows", {x, rows}, [](Tensor x, Tensor rows) { return gather_rows(x, 2 * rows - 1); });
  program.entry("scatter_nearest", {x, rows, updates},
                [](Tensor x, Tensor rows, Tensor updates) { return scatter_add_rows(x, 2 * rows - 1, updates); });
  program.entry("one_hot", {ids}, [](Tensor ids) { return one_hot(ids, 4); });
  program.entry("one_hot_nearest", {ids}, [](Tensor ids) { return one_hot(2 * ids - 1, 4); });
}

static void arrangements() {
  on("split", [](Tensor x) { return split(x, {1, 3}, 1)[1]; });
  on("chunk", [](Tensor x) { return chunk(x, 4, -1)[2]; });
  on("stack", [](Tensor x) { return stack({x, x * 2}, 1); });
  on("squeezed", [](Tensor x) { return squeeze(unsqueeze(slice(x, 0, 0, 1), -1)); });
  on("flatten", [](Tensor x) { return flatten(x, 1); });
  on("flip", [](Tensor x) { return flip(x, 1); });
  on("pad", [](Tensor x) { return pad(x, {{1, 1, 2}, {2, 0, 1}}); });
  on("pad_with", [](Tensor x) { return pad(x, {{0, 1, 0}, {1, 1, 2}}, 7); });
  on("pad_away", [](Tensor x) { return pad(x, {{1, -1, 2}, {2, 0, -2}, {0, -1, -1}}); });
  Dim n = dim("n", {.min = 2});
  program.entry("pad_any", {{"x", f32, {3, n, 6}}}, [](Tensor x) { return pad(x, {{1, 2, -1}, {2, 1, 0}}); });
  program.entry("windows_any", {{"x", f32, {3, n, 6}}}, [](Tensor x) { return unfold(x, 1, 2, 1); });
  program.entry("conv1d_any", {{"x", f32, {3, 4, n}}},
                [](Tensor x) { return conv1d(x, full({2, 4, 3}, 0.5), {}, {.stride = 2, .causal = true}); });
  program.entry("patches_any", {{"x", f32, {3, n, dim("m")}}},
                [](Tensor x) { return image_windows(unsqueeze(x, 1), {.size = 2}); });
}

static void reductions() {
  on("min", [](Tensor x) { return min(x, 1); });
  on("prod", [](Tensor x) { return prod(x, -1); });
  on("prod_of_three", [](Tensor x) { return prod(x, 0, true); });
  on("var", [](Tensor x) { return var(x, {0, 2}); });
  on("stddev", [](Tensor x) { return stddev(x, 1, true, 0); });
  program.entry("pow_gradient", {{"base", f32, {6}}, {"power", f32, {6}}}, [](Tensor base, Tensor power) {
    auto loss = [&](const std::vector<Tensor> &at) { return sum(pow(base, at[0])); };
    return value_and_grad(loss)({power}).gradients[0];
  });
  program.entry("angle_gradient", {{"base", f32, {6}}, {"power", f32, {6}}}, [](Tensor y, Tensor x) {
    auto loss = [&](const std::vector<Tensor> &at) { return sum(atan2(at[0], 2 - x)); };
    return value_and_grad(loss)({where(y < 9, y, 1)}).gradients[0];
  });
  program.entry("stddev_gradient", {{"equal", f32, {4, 7}}}, [](Tensor x) {
    auto loss = [](const std::vector<Tensor> &at) { return sum(stddev(at[0], 1)); };
    return value_and_grad(loss)({x}).gradients[0];
  });
  on("logsumexp", [](Tensor x) { return logsumexp(x * 100, 1); });
  on("softmax", [](Tensor x) { return softmax(x, 1); });
  on("log_softmax", [](Tensor x) { return log_softmax(x * 100, 1); });
  on("clamp", [](Tensor x) { return clamp(x, -0.5, 0.5); });
}

static void sums_of_products() {
  TensorSpec a{"a", f32, {2, 3, 4}}, b{"b", f32, {2, 5, 4}}, c{"c", f32, {5, 3}};
  program.entry("einsum_scores", {a, b}, [](Tensor a, Tensor b) { return einsum("bid,bjd->bij", {a, b}); });
  program.entry("einsum_outer", {a, c}, [](Tensor a, Tensor c) { return einsum("bid, ji -> jbd", {a, c}); });
  program.entry("einsum_three", {a, b, c},
                [](Tensor a, Tensor b, Tensor c) { return einsum("bid,bjd,ji->b", {a, b, c}); });
  program.entry("einsum_apart", {a, c}, [](Tensor a, Tensor c) { return einsum("bid,jk->jb", {a, c}); });
  program.entry("einsum_implicit", {a, b}, [](Tensor a, Tensor b) { return einsum("bid,bjd", {a, b}); });
  TensorSpec square{"square", f32, {3, 2, 3}}, rows{"a", f32, {dim("batch"), dim("tokens"), 4}};
  program.entry("einsum_trace", {square}, [](Tensor x) { return einsum("iai", {x}); });
  program.entry("einsum_diagonal", {square, c}, [](Tensor x, Tensor c) { return einsum("iai,ji->aij", {x, c}); });
  program.entry("einsum_trace_gradient", {square}, [](Tensor x) {
    auto loss = [](const std::vector<Tensor> &at) { return sum(xf::square(einsum("iai", {at[0]}))); };
    return value_and_grad(loss)({x}).gradients[0];
  });
  program.entry("einsum_dots", {a, c}, [](Tensor a, Tensor c) { return einsum("b...d,ji->jd...b", {a, c}); });
  program.entry("einsum_dots_implicit", {a, b}, [](Tensor a, Tensor b) { return einsum("...id,...jd", {a, b}); });
  program.entry("einsum_any", {rows, c}, [](Tensor a, Tensor c) { return einsum("bid,jk->kdib", {a, c}); });
  program.entry("einsum_any_sum", {rows}, [](Tensor a) { return einsum("bid,bid->", {a, a}); });
}

/// Indices and targets have other integer types, and numbers may be written out.
static void conveniences() {
  program.entry("equal_indices", {{"x", f32, {3, 4, 6}}, {"ids32", i32, {4, 6}}},
                [](Tensor x, Tensor ids) { return mean(argmax(x, 0) == ids); });
  on("constants", [](Tensor x) { return x * constant({1., 2., 3.}, {3, 1, 1}) + cast(constant({4}, {1}), f32); });
}

static void losses() {
  TensorSpec logits{"logits", f32, {5, 7}}, targets{"targets", i64, {5}}, weight{"weight", f32, {7}};
  auto entry = [&](const char *name, CrossEntropyOptions options, bool weighted) {
    program.entry(name, {logits, targets, weight}, [=](Tensor x, Tensor y, Tensor w) {
      CrossEntropyOptions own = options;
      own.weight = weighted ? w : Tensor();
      return cross_entropy(x, y, own) + sum(w * 0.0);
    });
  };
  entry("cross_entropy_none", {.ignore_index = 3, .reduction = Reduction::none}, false);
  entry("cross_entropy_smooth", {.label_smoothing = 0.1, .ignore_index = 3}, false);
  entry("cross_entropy_weighted", {.label_smoothing = 0.2, .ignore_index = 3}, true);
  entry("cross_entropy_sum", {.reduction = Reduction::sum}, true);
  program.entry("cross_entropy_beyond", {logits, {"beyond", i64, {5}}}, [](Tensor x, Tensor y) {
    return cross_entropy(x, y, {.ignore_index = 255, .reduction = Reduction::none});
  });
  TensorSpec x{"x", f32, {5, 7}}, share{"share", f32, {5, 7}};
  program.entry("mse", {x, share}, [](Tensor x, Tensor t) { return mse_loss(x, t); });
  program.entry("bce", {x, share}, [](Tensor x, Tensor t) { return bce_with_logits(x * 40, t, {}, Reduction::none); });
  program.entry("bce_weighted", {x, share, weight},
                [](Tensor x, Tensor t, Tensor w) { return bce_with_logits(x, t, w, Reduction::sum); });
  program.entry("kl_div", {x, share}, [](Tensor x, Tensor t) { return kl_div(x, t, Reduction::batch_mean); });
  TensorSpec any{"x", f32, {dim("rows"), 7}}, any_share{"share", f32, {dim("rows"), 7}};
  program.entry("kl_div_any", {any, any_share}, [](Tensor x, Tensor t) { return kl_div(x, t, Reduction::batch_mean); });
  program.entry("kl_div_log", {x, share}, [](Tensor x, Tensor t) { return kl_div(x, t, Reduction::none, true); });
}

int main() {
  order();
  extremes();
  indices();
  arrangements();
  reductions();
  sums_of_products();
  conveniences();
  losses();
  std::fputs(program.str().c_str(), stdout);
}
